//! What the doctor says of the folder of signed heads, and of what is held against it.

use eventlog::{Anchor, Audit, EventLog, HeadFolder, LogError, Position};
use health::integrity::{Break, Survey};
use health::notary;
use platform::config::Settings;
use projections::store::ReadStore;

use super::finding::Finding;
use crate::verdict::{Fault, judge};
use crate::verify::describe_accepted;

/// The folder, when it can be used; everything that is held against it would say the same otherwise.
pub(super) fn usable(settings: &Settings) -> Result<HeadFolder, Finding> {
    let outside = notary::outside(settings);
    let looked_into = outside.and_then(|outside| {
        let readable = |error: LogError| format!("the folder of signed heads cannot be read: {error}");
        outside.keys().map_err(readable)?;
        outside.last().map_err(readable)?;
        Ok(outside)
    });
    looked_into.map_err(|problem| {
        let said = format!(
            "{problem}; let the setting `heads_dir` (`LATCHKEY_HEADS_DIR`) name a folder that the server's user may read and write, \
             or leave it out; what is damaged in it, take from the copy outside"
        );
        Finding::wrong("heads", said)
    })
}

/// The log's end, with what was signed of it.
pub(super) async fn of_chain(settings: &Settings, log: &EventLog, anchor: Anchor, head: Position) -> Finding {
    let outside = match usable(settings) {
        Ok(outside) => outside,
        Err(finding) => return finding,
    };
    let survey = match Survey::take(log, &outside, anchor).await {
        Ok(survey) => survey,
        Err(LogError::Refused(said)) => return Finding::wrong("heads", said),
        Err(error) => return Finding::wrong("log", format!("it cannot be read: {error}")),
    };
    let (accepted, fault) = judge(&survey, &settings.data_dir);
    if let Some(fault) = fault {
        return of_fault(settings, &survey.audit, fault);
    }
    let signed = survey.audit.signed_through.map_or_else(
        || "signed by no key that counts here".to_owned(),
        |position| format!("signed through event {position}"),
    );
    Finding::fine(
        "log",
        format!(
            "{head} events, {signed}; the last {} are intact{} (`latchkey verify` looks at all)",
            head - anchor.position,
            describe_accepted(&accepted)
        ),
    )
}

/// Says why the log does not count as verified.
fn of_fault(settings: &Settings, audit: &Audit, fault: Fault) -> Finding {
    match fault {
        Fault::Broken(Break {
            position, problem, ..
        }) => Finding::wrong(
            "log",
            format!(
                "broken at event {position}: {problem}; stop the server, restore the backup and compare from there"
            ),
        ),
        Fault::Disowned(_) => {
            let what = notary::put_back(settings, audit);
            let said = format!(
                "what was signed in it is signed by no key in the folder of signed heads (`heads_dir`): {what}"
            );
            if notary::has_joined_later(settings, audit) {
                Finding::look("log", said)
            } else {
                Finding::wrong("log", said)
            }
        }
        Fault::NoHeads(files) => {
            let said = format!(
                "in the folder of signed heads there is what is no head: {}; {}",
                files.join("; "),
                notary::put_back(settings, audit)
            );
            Finding::wrong("heads", said)
        }
    }
}

/// Whether the log reaches as far as what was made of it.
pub(super) async fn of_length(settings: &Settings, log: &EventLog, store: &ReadStore) -> Option<Finding> {
    if log.capabilities().chain && usable(settings).is_err() {
        // Said of the chain.
        return None;
    }
    let whole = crate::fit::whole(settings, log, store).await;
    whole.err().map(|problem| Finding::wrong("log", problem))
}
