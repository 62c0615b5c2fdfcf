//! The command line: `latchkey serve` and the operator's commands.

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Parser, Subcommand};
use domain::country::Country;
use domain::payment::fee::FeeRate;
use http_kit::request;
use messages::mail_server::MailServer;
use messages::sms_provider::SmsProvider;
use operations::stop_signal::stop_signal;
use platform::config::Settings;
use platform::printout;
use serving::Bounds;
use storage::needs_log;
use storage::shapes::open_readable;
use tables::Place;
use tokio::net::TcpListener;
use tower::Layer;
use tower::util::MapRequestLayer;
use tower_http::normalize_path::NormalizePathLayer;
use tracing_subscriber::EnvFilter;

use crate::app::App;
use crate::router;

/// Serves the marketplace, its API and the staff workspace.
#[derive(Debug, Parser)]
#[command(name = "latchkey", version)]
pub struct Cli {
    /// Settings file; default: `latchkey.toml`, if it exists.
    #[arg(long, global = true)]
    config: Option<PathBuf>,
    /// Folder of the log, the keys and the read models.
    #[arg(long, global = true)]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve pages, API and workspace.
    Serve {
        /// Address and port, e.g. 127.0.0.1:8080.
        #[arg(long, value_parser = address)]
        listen: Option<SocketAddr>,
        /// Serve a restored copy for a drill: no e-mail, text message or webhook is sent, the payment provider is not called,
        /// and timers do not run.
        #[arg(long)]
        rehearsal: bool,
    },
    /// Create or migrate every table that the server needs, then exit: before several nodes start with a new version.
    Migrate,
    /// Rebuild all read models from the log, or one, while the current rows keep serving.
    Rebuild(operations::rebuild::RebuildArgs),
    /// Show the events of one stream or one request up to a moment, or a read model as of an event.
    Replay(operations::replay::ReplayArgs),
    /// Check settings, disk, log, keys, clock and read models, and say what to do.
    Doctor,
    /// Recompute every hash of the log, compare it with the signed heads, and name the first event that was changed.
    Verify(operations::verify::VerifyArgs),
    /// Accept a log in which an event was changed: records who and why, and `/readyz` reports ready again.
    AcceptBreak(health::integrity::AcceptArgs),
    /// Write the proof that an event belongs to the signed log.
    Prove(operations::verify::ProveArgs),
    /// Check such a proof with the public key alone.
    VerifyProof(operations::verify::VerifyProofArgs),
    /// Show the signing key, or renew it.
    SigningKey(operations::verify::SigningKeyArgs),
    /// Copy the data folder into a new folder, while the server runs.
    Backup {
        /// The folder to create.
        into: PathBuf,
    },
    /// Restore the data folder from a backup, up to its end or to an earlier event.
    Restore(operations::backup::RestoreArgs),
    /// Grant a role to a member of staff; the first administrator is created here, with a login link.
    Grant {
        /// Their address at the company's domain.
        #[arg(long)]
        email: String,
        /// support, finance or admin.
        #[arg(long)]
        role: String,
    },
    /// Revoke a role; open logins lose it with their next request.
    Revoke {
        /// Their address at the company's domain.
        #[arg(long)]
        email: String,
        /// support, finance or admin.
        #[arg(long)]
        role: String,
    },
    /// Change a setting of a running server, such as `maintenance true`.
    Set {
        /// One of those that the workspace's settings page lists.
        name: String,
        /// Its new value.
        #[arg(required_unless_present = "give_back")]
        value: Option<String>,
        /// Remove the value set here: file, environment and default apply again.
        #[arg(long, conflicts_with = "value")]
        give_back: bool,
    },
    /// Show the brand of the house, or change and publish it.
    Brand {
        /// The key of another brand than the house's own, as behind `brand=` of a host.
        #[arg(long, global = true)]
        brand: Option<String>,
        #[command(subcommand)]
        args: operations::brand::BrandArgs,
    },
    /// Reset the two-step login of an account whose device is lost.
    SecondFactor {
        #[command(subcommand)]
        args: operations::second_factor::SecondFactorArgs,
    },
    /// Erase a person's data everywhere; this cannot be undone.
    Forget(operations::forget::ForgetArgs),
    /// Query the Stripe account.
    Stripe {
        #[command(subcommand)]
        command: crate::stripe_command::StripeCommand,
    },
    /// Import a feed of listings into the catalogue.
    Import(import::ImportArgs),
    /// Add and correct places and their names.
    Places {
        #[command(subcommand)]
        command: import::place_file::PlacesCommand,
    },
    /// Print the OpenAPI document.
    Contract,
}

impl Command {
    /// Whether it has nothing to do where there is no log; a wrong folder must not look like an empty log.
    const fn looks_at_a_log(&self) -> bool {
        match self {
            Self::Rebuild(_)
            | Self::Replay(_)
            | Self::Verify(_)
            | Self::AcceptBreak(_)
            | Self::Prove(_)
            | Self::SigningKey(_)
            | Self::Grant { .. }
            | Self::Revoke { .. }
            | Self::Set { .. }
            | Self::Brand { .. }
            | Self::SecondFactor { .. }
            | Self::Stripe { .. }
            | Self::Places { .. }
            | Self::Forget(_) => true,
            Self::Import(args) => args.needs_a_log(),
            Self::Serve { .. }
            | Self::Migrate
            | Self::Doctor
            | Self::VerifyProof(_)
            | Self::Backup { .. }
            | Self::Restore(_)
            | Self::Contract => false,
        }
    }

    /// Servers keep each other out, the doctor goes on without, and the rest opens no database of the folder.
    fn opens_a_server_s_files(&self) -> bool {
        let is_without = matches!(
            self,
            Self::Serve { .. }
                | Self::Migrate
                | Self::Doctor
                | Self::Restore(_)
                | Self::VerifyProof(_)
                | Self::SigningKey(_)
                | Self::Contract
        );
        !is_without
    }
}

/// The settings of a command, and whether what it works on is there.
async fn settings_for(
    command: &Command,
    (config, data_dir): (Option<PathBuf>, Option<PathBuf>),
) -> Result<Settings, String> {
    let mut settings = match config {
        Some(file) if !file.is_file() => {
            return Err(format!("`{}` is no file of settings", file.display()));
        }
        Some(file) => Settings::load(&file)?,
        None => Settings::load(Path::new("latchkey.toml"))?,
    };
    // What the settings of mail and text messages lack stops every command, as the rest does.
    MailServer::of_settings(&settings)?;
    SmsProvider::of_settings(&settings)?;
    if let Some(data_dir) = data_dir {
        settings.data_dir = data_dir;
    }
    if command.looks_at_a_log() {
        needs_log(&settings).await?;
    }
    if command.opens_a_server_s_files() {
        storage::written_ahead::is_there(&settings).await?;
    }
    Ok(settings)
}

/// Runs one command to its end.
///
/// # Errors
/// One sentence for the operator.
pub async fn run(cli: Cli) -> Result<(), String> {
    start_logging()?;
    let mut settings = settings_for(&cli.command, (cli.config, cli.data_dir)).await?;
    match cli.command {
        Command::Serve { listen, rehearsal } => {
            let listen = listen.unwrap_or(settings.listen);
            let settings = settings.listening_on(listen)?;
            serve(if rehearsal {
                settings.in_rehearsal()
            } else {
                settings
            })
            .await
        }
        Command::Migrate => {
            settings.demo_catalogue = Some(false);
            App::start(settings).await?.1.stop().await?;
            printout::line("every table is there")
        }
        Command::Rebuild(args) => operations::rebuild::run(&settings, &args).await,
        Command::Verify(args) => said(operations::verify::verify(&settings, &args).await),
        Command::AcceptBreak(args) => said(health::integrity::accept(&settings, &args).await),
        Command::Prove(args) => said(operations::verify::prove(&settings, &args).await),
        Command::VerifyProof(args) => said(operations::verify::verify_proof(&args)),
        Command::SigningKey(args) => said(operations::verify::signing_key(&settings, &args)),
        Command::Replay(args) => operations::replay::run(&open_readable(&settings).await?, &args).await,
        Command::Doctor => operations::doctor::run(&settings).await,
        Command::Backup { into } => {
            lies_in_files(&settings)?;
            said(operations::backup::back_up(&settings, &into).await)
        }
        Command::Restore(args) if args.names_no_folder() && settings.is_in_postgres() => {
            said(operations::backup::cut_back(&settings, &args).await)
        }
        Command::Restore(args) => {
            lies_in_files(&settings)?;
            said(operations::backup::restore(&settings, &args).await)
        }
        Command::Grant { email, role } => said(operations::grant::run(&settings, &email, &role).await),
        Command::Revoke { email, role } => {
            let log = open_readable(&settings).await?;
            said(operations::grant::revoke(&log, &email, &role).await)
        }
        Command::Set { name, value, .. } => {
            let log = open_readable(&settings).await?;
            said(operations::set::set(&log, &settings, &name, value.as_deref()).await)
        }
        Command::Brand { brand, args } => {
            let log = open_readable(&settings).await?;
            said(operations::brand::run(&log, &settings, brand.as_deref(), args).await)
        }
        Command::SecondFactor { args } => {
            let log = open_readable(&settings).await?;
            said(operations::second_factor::run(&log, &args).await)
        }
        Command::Forget(args) => said(operations::forget::run(&settings, &args).await),
        Command::Stripe { command } => said(crate::stripe_command::run(&settings, &command).await),
        Command::Import(args) => import::run(&settings, args).await,
        Command::Places { command } => import::place_file::run(&settings, command).await,
        Command::Contract => printout::line(format_args!("{:#}", router::document())),
    }
}

/// Prints what a command came to.
fn said(came_to: Result<String, String>) -> Result<(), String> {
    printout::line(came_to?)
}

/// Whether the commands about files have a whole log to work on.
fn lies_in_files(settings: &Settings) -> Result<(), String> {
    match settings.place() {
        _ if settings.event_log.is_some() => Err(
            "the log lies at the KurrentDB server of the setting `event_log`: back that server up with its own tools, and apart \
             from it the keys and the outbox where `database` says (docs/operations.md, KurrentDB)"
                .to_owned(),
        ),
        Place::Folder(_) => Ok(()),
        Place::Postgres(_) => Err(
            "the setting `database` is a PostgreSQL database: copy it, and the keys' database apart from it, with \
             `pg_dump` or continuous archiving (docs/operations.md)"
                .to_owned(),
        ),
    }
}

/// What is not logged unless the setting names it: KurrentDB's client reports every try as an error of its own, and who asked it
/// says what came of them, and so does Stripe's; PostgreSQL's passes on that a table is there already.
const CLIENTS: &str = "kurrentdb=off,stripe=off,tokio_postgres=warn";

/// Read before the settings are, so that what is wrong with those can be told.
fn start_logging() -> Result<(), String> {
    let wanted = std::env::var("LATCHKEY_LOG").unwrap_or_default();
    let filter = match wanted.trim() {
        "" => EnvFilter::new(format!("{CLIENTS},info,sqlx=warn")),
        wanted => EnvFilter::try_new(format!("{CLIENTS},{wanted}")).map_err(|error| {
            format!("the setting `log` is `{wanted}`: write a level such as `warn`, or `api=debug`: {error}")
        })?,
    };
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Colours are for people, not for files.
        .with_ansi(std::io::stderr().is_terminal())
        // A line that cannot be written (its reader went away, or its disk is full) is lost: telling of it in the same place
        // would panic, and whatever background work wrote the line would end for ever.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    match std::env::var("LATCHKEY_LOG_FORMAT").as_deref() {
        Err(_) | Ok("text") => logs.init(),
        Ok("json") => logs.json().flatten_event(true).init(),
        Ok(other) => {
            return Err(format!(
                "the setting `log_format` is `{other}`: it can be `text` or `json`"
            ));
        }
    }
    Ok(())
}

async fn serve(settings: Settings) -> Result<(), String> {
    let listen = settings.listen;
    // Before anything is opened.
    let (bounds, room) = (Bounds::of(&settings), serving::room_for_connections());
    // Before anything works on the data: with the port taken, this is not the server.
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| format!("the address `{listen}` of the setting `listen` cannot be used: {error}"))?;
    let metrics = match settings.metrics_listen {
        Some(address) => Some(health::measure::listen(address).await?),
        None => None,
    };
    warn_of_surcharges(&settings);
    if settings.rehearsal {
        tracing::warn!("this is a rehearsal: nothing is sent to the outside, and timers do not run");
    } else if !settings.mails_arrive() {
        tracing::warn!(
            "there is no mail server: no login code can be sent (`smtp_url`, `mail_from`); administrators log in by the link that `latchkey grant` prints"
        );
    } else if !settings.texts_arrive() {
        tracing::warn!("text messages have no provider: people log in with an e-mail address alone");
    }
    let (app, running) = App::start(settings).await?;
    if let Some((listener, counting)) = metrics {
        tokio::spawn(health::measure::serve(listener, counting, app.measured()));
    }
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let asked_to_stop = stop_signal().map_err(|error| format!("signals cannot be heard: {error}"))?;
    // Printed for people and for programs that start the server on port 0.
    println!("latchkey serves http://{address}");
    // Both forms of an address are the same (D129).
    let service = NormalizePathLayer::trim_trailing_slash().layer(router::router(app));
    let service = MapRequestLayer::new(request::readable).layer(service);
    let streams = running.streams();
    let mut asked = streams.subscribe();
    let serving = serving::serve(listener, service, bounds, room, async move {
        asked_to_stop.await;
        streams.send_replace(true);
    });
    let overdue = async {
        drop(asked.wait_for(|stopped| *stopped).await);
        tokio::time::sleep(LAST_ANSWERS).await;
    };
    tokio::select! {
        () = serving => {}
        () = overdue => tracing::warn!("answers were still under way when the time to stop was over"),
    }
    running.stop().await
}

/// Names are not looked up: the server listens where it was told, and nowhere else.
fn address(given: &str) -> Result<SocketAddr, &'static str> {
    given
        .parse()
        .map_err(|_| "it takes an address with its port such as `127.0.0.1:8080`")
}

/// D39: the processing fee is added everywhere, as the specification says; some laws forbid it.
fn warn_of_surcharges(settings: &Settings) {
    let countries: Vec<&str> = Country::ALL
        .into_iter()
        .filter(|country| country.bans_card_surcharges() && settings.fee_rate(*country) != FeeRate::NONE)
        .map(Country::name)
        .collect();
    if countries.is_empty() {
        return;
    }
    tracing::warn!(
        countries = countries.join(", "),
        percent = settings.processing_fee_percent,
        "the processing fee is added to every card payment, and the law of these countries forbids card \
         surcharges for consumers: ask a lawyer, or name them in `fee_exempt_countries`"
    );
}

/// How long answers that are under way may take when the server is asked to stop.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
