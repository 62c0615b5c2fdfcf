//! `latchkey forget`: a person's data becomes unreadable, everywhere and for ever. Works on an open data folder while the
//! server runs; every step may be done again, so that a second run finishes what a first one did not.

use clap::Args;
use domain::contact::{Email, Phone};
use domain::id::UserId;
use domain::user::{Reach, User, UserCommand};
use eventlog::{Actor, Context, EventLog, commit};
use gateway::PaymentGateway;
use gateway_sandbox::Sandbox;
use gateway_stripe::Stripe;
use platform::clock;
use platform::config::Settings;
use platform::config::stripe::StripeAccount;
use platform::desk::Desk;
use platform::texts::way_out;
use processes::erasure::{Ground, erase};
use processes::handles::find_handle;
use projections::lead_board::query::{booked_of, people_with_number};
use projections::store::ReadStore;
use storage::shapes::open_readable;

/// Names this process at the payment provider.
const NODE: &str = "latchkey forget";

/// Arguments of `latchkey forget`.
#[derive(Debug, Args)]
#[group(skip)]
pub struct ForgetArgs {
    #[command(flatten)]
    who: Who,
    /// Erase even if a stay is booked: its home then expects a student without a name.
    #[arg(long)]
    although_booked: bool,
}

/// Who is meant: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Who {
    /// The person's address.
    #[arg(long)]
    email: Option<String>,
    /// The person's number, with its country code.
    #[arg(long)]
    phone: Option<String>,
    /// The person's id, as the workspace shows it.
    #[arg(long)]
    user: Option<UserId>,
}

/// Forgets whoever the arguments name.
///
/// # Errors
/// One sentence for the operator; what was not done yet is done by the next run.
pub async fn run(settings: &Settings, args: &ForgetArgs) -> Result<String, String> {
    let log = open_readable(settings).await?;
    let (person, named) = person(settings, &log, &args.who).await?;
    if !args.although_booked {
        refuse_booked(settings, person).await?;
    }
    let desk = Desk::open(&settings.place())
        .await
        .map_err(|error| format!("the desk's database cannot be opened: {error}"))?;
    let context = Context::new(clock::now(), Actor::SYSTEM);
    let forget = UserCommand::Forget {
        user_id: person,
        reason: None,
        at: clock::now(),
    };
    commit::<User>(&log, person, forget, &context)
        .await
        .map_err(|error| format!("the log refused: {error}"))?;
    let gateway = open_gateway(settings).await?;
    let ground = Ground {
        settings,
        log: &log,
        desk: &desk,
        gateway: Some(&*gateway),
    };
    let erased = erase(ground, person, named, &context).await?;
    Ok(format!(
        "forgotten: {person}; {} events stay without the person, {} messages and {} uploads are deleted, \
         {} addresses are free again (request {})\nwhat earlier backups hold is readable with their own keys: delete those",
        erased.events, erased.messages, erased.documents, erased.addresses, context.correlation_id
    ))
}

/// The payment provider of the settings, as the server opens it.
async fn open_gateway(settings: &Settings) -> Result<Box<dyn PaymentGateway>, String> {
    if let Some(sandbox) = open_sandbox(settings).await? {
        return Ok(Box::new(sandbox));
    }
    let account = StripeAccount::of_settings(settings)?.ok_or("the settings name no payment provider")?;
    Ok(Box::new(Stripe::open(account, &settings.place(), NODE).await?))
}

/// The test gateway, whose memory lies with the server's data; `None` where payments go through Stripe.
pub(crate) async fn open_sandbox(settings: &Settings) -> Result<Option<Sandbox>, String> {
    if StripeAccount::of_settings(settings)?.is_some() {
        return Ok(None);
    }
    let sandbox = Sandbox::open(&settings.place(), NODE).await;
    sandbox
        .map(Some)
        .map_err(|error| format!("the test gateway cannot be opened: {error}"))
}

/// Who is meant, and the address that they are named by.
async fn person(settings: &Settings, log: &EventLog, args: &Who) -> Result<(UserId, Option<Reach>), String> {
    let named = match (&args.user, &args.email, &args.phone) {
        (Some(user), _, _) => return Ok((somebody(log, *user).await?, None)),
        (None, Some(email), _) => {
            let email = Email::parse(email).map_err(|fault| {
                format!("the e-mail address `{email}` cannot be used: {}", way_out(fault))
            })?;
            Reach::Email(email)
        }
        (None, None, Some(phone)) => {
            let phone = Phone::parse(phone)
                .map_err(|fault| format!("the number `{phone}` cannot be used: {}", way_out(fault)))?;
            Reach::Phone(phone)
        }
        (None, None, None) => return Err("name an address, a number or an id".to_owned()),
    };
    let (_, found) = find_handle(log, &named)
        .await
        .map_err(|error| format!("the log cannot be read: {error}"))?;
    let person = match (found.state.owner, &named) {
        (Some(owner), _) => owner,
        (None, Reach::Email(_)) => return Err("no account has this address".to_owned()),
        (None, Reach::Phone(phone)) => find_enquirer(settings, log, phone).await?,
    };
    Ok((person, Some(named)))
}

/// Asks back where a stay is booked: it is paid, and its booking cannot be found by a name any more to be cancelled.
async fn refuse_booked(settings: &Settings, person: UserId) -> Result<(), String> {
    let unread = |error| format!("the list of leads cannot be read: {error}");
    let read = ReadStore::open(&settings.place()).await.map_err(unread)?;
    let booked = booked_of(read.readers(), person).await;
    read.close().await;
    let booked = booked.map_err(unread)?;
    if booked.is_empty() {
        return Ok(());
    }
    Err(format!(
        "a stay of this person is booked ({}): cancel it and give the money back first, or say `--although-booked`; nothing was \
         forgotten",
        booked.join(", ")
    ))
}

/// Who gave a number with an enquiry and never logged in with it. Several people may have given the same one.
async fn find_enquirer(settings: &Settings, log: &EventLog, phone: &Phone) -> Result<UserId, String> {
    let unread = |error| format!("the list of leads cannot be read: {error}");
    let read = ReadStore::open(&settings.place()).await.map_err(unread)?;
    let people = people_with_number(read.readers(), log.handles(), phone).await;
    read.close().await;
    match &*people.map_err(unread)? {
        [] => Err("no account has this number".to_owned()),
        [person] => Ok(*person),
        several => {
            let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!(
                "{} people gave this number with their enquiries, and it is proved of none: look at their leads, then name who is meant \
                 by `--user`, one of {}",
                several.len(),
                ids.join(", ")
            ))
        }
    }
}

/// An id of nobody is mistyped: it would be called forgotten, and who was meant would not be. Who was forgotten before is somebody.
async fn somebody(log: &EventLog, user: UserId) -> Result<UserId, String> {
    let loaded = log.load::<User>(user).await;
    let known = loaded.map_err(|error| format!("the log cannot be read: {error}"))?;
    if known.revision == 0 {
        return Err(format!("no account has the id {user}: nothing was erased"));
    }
    Ok(user)
}
