//! `latchkey rebuild`: read models folded again beside the ones that serve, compared with them, and let serve.

use clap::Args;
use platform::config::Settings;
use platform::printout;
use projections::run::{ProjectionError, Projector, Rebuilt, Ways};
use projections::store::ReadStore;
use storage::shapes::open_readable;

/// Arguments of `latchkey rebuild`.
#[derive(Debug, Args)]
pub struct RebuildArgs {
    /// The projection's name; all when left out.
    name: Option<String>,
    /// Rebuild and compare only: the current rows keep serving.
    #[arg(long)]
    compare: bool,
    /// Serve the rows from before the last rebuild again.
    #[arg(long, requires = "name", conflicts_with = "compare")]
    rollback: bool,
}

/// Folds, compares, and says what differed.
///
/// # Errors
/// One sentence for the operator; with `--compare` also when anything differs.
pub async fn run(settings: &Settings, args: &RebuildArgs) -> Result<(), String> {
    let log = open_readable(settings).await?;
    let store = ReadStore::open(&settings.place())
        .await
        .map_err(|error| format!("the read models cannot be opened: {error}"))?;
    // A log that was cut off would empty the read models, which may be all that is left of what it held.
    crate::fit::whole(settings, &log, &store).await?;
    let projector = Projector::new(log.clone(), store.clone(), projections::all(log.handles()));
    let stopped = |error: ProjectionError| format!("the rebuild stopped: {error}");
    if let (true, Some(name)) = (args.rollback, &args.name) {
        let back = projector.roll_back(name).await;
        let back = back.map_err(|error| format!("nothing was rolled back: {error}"))?;
        printout::line(format_args!(
            "rolled back: {name}: the rows that were kept, through event {}, serve again; those that served until now, \
             through event {}, are kept: the same command once more lets them serve",
            back.serves, back.kept
        ))?;
    } else {
        let ways = if args.compare { Ways::Compare } else { Ways::Switch };
        let rebuilt = projector
            .rebuild(args.name.as_deref(), ways)
            .await
            .map_err(stopped)?;
        print(&rebuilt, ways)?;
    }
    store.close().await;
    Ok(())
}

fn print(rebuilt: &[Rebuilt], ways: Ways) -> Result<(), String> {
    for model in rebuilt {
        for difference in &model.differences {
            printout::line(format_args!(
                "{}: {} rows of `{}` are not what the log says, first {}",
                model.name,
                difference.rows,
                difference.table,
                difference.keys.join(", ")
            ))?;
        }
    }
    let names: Vec<&str> = rebuilt.iter().map(|model| model.name).collect();
    let differ = rebuilt
        .iter()
        .filter(|model| !model.differences.is_empty())
        .count();
    match ways {
        Ways::Switch => printout::line(format_args!("rebuilt: {}", names.join(", "))),
        Ways::Compare if differ == 0 => printout::line(format_args!("the same: {}", names.join(", "))),
        Ways::Compare => Err(format!(
            "{differ} read models are not what the log says: `latchkey rebuild`"
        )),
    }
}
