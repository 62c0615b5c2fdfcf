//! `latchkey verify`, `prove`, `verify-proof` and `signing-key`: whether history is what it was, and how others can tell.

use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use clap::Args;
use domain::language::Language;
use domain::money::Money;
use eventlog::{Anchor, Audit, ConsistencyProof, EventLog, LogError, Position, Proof, PublicKey, SignedHead};
use health::integrity::{Break, Survey};
use health::notary::{self, KEY_FILE, Notary};
use platform::clock;
use platform::config::Settings;
use platform::forms::forms_of;
use receipts::proof::{ReceiptProof, Unproved};
use storage::sqlite::damaged_pages;
use storage::{needs_chain, open_log};
use tables::Place;

use crate::verdict::judge;

/// Arguments of `latchkey verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Look at what came since a head signed so many days ago, on the word of that head; at everything when left out.
    #[arg(long)]
    days: Option<u32>,
}

/// Arguments of `latchkey prove`.
#[derive(Debug, Args)]
pub struct ProveArgs {
    /// The event's position.
    position: Position,
}

/// Arguments of `latchkey verify-proof`.
#[derive(Debug, Args)]
pub struct VerifyProofArgs {
    /// What `latchkey prove` wrote, a receipt's PDF or proof, or a consistency proof of the finance page.
    file: PathBuf,
    /// The public key, as `latchkey signing-key` says it: its 64 digits, or a file that begins with them. A receipt names a key
    /// itself; without this option that one is taken.
    #[arg(long)]
    key: Option<String>,
    /// A signed head that was kept elsewhere: a consistency proof has to be between it and another. May be given twice.
    #[arg(long)]
    head: Vec<PathBuf>,
}

/// Arguments of `latchkey signing-key`.
#[derive(Debug, Args)]
pub struct SigningKeyArgs {
    /// Replace the key with a new one; what the old key signed stays valid.
    #[arg(long)]
    renew: bool,
}

/// The databases beside the log without which data is lost or work is done twice, each with what to do when it is damaged.
const BESIDE: [(&str, &str); 3] = [
    (
        "keys.db",
        "stop the server and take the newest `keys.db` from the backup: with an older one, data of people who joined after it cannot be read",
    ),
    ("desk.db", "stop the server and take it from the newest backup"),
    (
        "reactor.db",
        "stop the server and delete it: the next start creates it again from the log",
    ),
];

/// What is damaged in the databases beside the log, page by page; one sentence each.
pub async fn damage_beside(settings: &Settings) -> Vec<String> {
    let Place::Folder(folder) = settings.place() else {
        return Vec::new();
    };
    let mut told = Vec::new();
    for (name, what_to_do) in BESIDE {
        let file = folder.join(name);
        if !file.is_file() {
            continue;
        }
        let damage = match damaged_pages(&file).await {
            Ok(damage) if damage.is_empty() => continue,
            Ok(damage) => damage.join("; "),
            // As the database said it: the disk is not to blame for another file in its place.
            Err(LogError::DiskFailed(why) | LogError::Refused(why)) => why,
            Err(error) => error.to_string(),
        };
        told.push(format!(
            "`{name}` is damaged: {what_to_do}; SQLite says: {damage}"
        ));
    }
    told
}

async fn opened(settings: &Settings) -> Result<EventLog, String> {
    needs_chain(settings, "this command")?;
    // Hashes are recomputed whatever the events say.
    open_log(settings).await
}

/// Recomputes what was asked for and says how far it is whole.
///
/// # Errors
/// The first event that is not what it was.
pub async fn verify(settings: &Settings, args: &VerifyArgs) -> Result<String, String> {
    let beside = damage_beside(settings).await.join("; ");
    let log = opened(settings).await.map_err(|problem| match &*beside {
        "" => problem,
        beside => format!("{problem}; {beside}"),
    })?;
    let outside = notary::outside(settings)?;
    let unread = |error| match error {
        // It names what is wrong, which need not be the log.
        LogError::Refused(said) => said,
        error => format!("the log cannot be read: {error}"),
    };
    let since = match args.days {
        None => Anchor::GENESIS,
        Some(days) => match clock::now().checked_sub_signed(TimeDelta::days(days.into())) {
            Some(then) => log.signed_before(&outside, then).await.map_err(unread)?,
            // Before all that a calendar knows no head was signed.
            None => Anchor::GENESIS,
        },
    };
    let survey = Survey::take(&log, &outside, since).await.map_err(unread)?;
    let (audit, end) = (&survey.audit, survey.end);
    let (accepted, fault) = judge(&survey, &settings.data_dir);
    if let Some(fault) = fault {
        return Err(fault.describe("log", end.position, notary::put_back(settings, audit)));
    }
    if args.days.is_none() {
        pages_are_whole(settings, end).await?;
    }
    match &*beside {
        "" => Ok(format!(
            "intact{}: verified through event {}, chain {}{}{}",
            describe_accepted(&accepted),
            end.position,
            hex::encode(end.chain),
            list_accepted(&accepted, survey.gap()),
            signatures(audit)
        )),
        beside => Err(format!(
            "the log is intact through event {}, but {beside}",
            end.position
        )),
    }
}

/// What "intact" leaves out.
pub fn describe_accepted(accepted: &[Break]) -> String {
    match accepted.len() {
        0 => String::new(),
        1 => " but for one break that an operator has accepted".to_owned(),
        many => format!(" but for {many} breaks that an operator has accepted"),
    }
}

/// A line for each accepted break, and one for what could not be verified behind them.
pub fn list_accepted(accepted: &[Break], gap: Option<&str>) -> String {
    let breaks = accepted.iter().map(|one| format!("accepted: {one}"));
    let lines = breaks.chain(gap.map(str::to_owned));
    lines.flat_map(|line| ["\n".to_owned(), line]).collect()
}

/// Refuses a file whose events are whole and whose pages are not: an index of which something is gone finds no event there.
async fn pages_are_whole(settings: &Settings, end: Anchor) -> Result<(), String> {
    let Place::Folder(folder) = settings.place() else {
        return Ok(());
    };
    let file = folder.join("log.db");
    let named = file.display();
    let damage = damaged_pages(&file)
        .await
        .map_err(|error| format!("the pages of `{named}` cannot be looked at: {error}"))?;
    if damage.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the events fit through event {}, but pages of `{named}` are damaged: stop the server, look at the disk and restore \
         the last backup (`latchkey restore`); SQLite says: {}",
        end.position,
        damage.join("; ")
    ))
}

/// Says what the signed heads add to it.
pub fn signatures(audit: &Audit) -> String {
    let signed = match audit.signed_through {
        Some(position) => format!("\nsigned through event {position}"),
        None => "\nno event is signed by a key that counts here".to_owned(),
    };
    let begun = (audit.since != Anchor::GENESIS).then(|| {
        let from = audit.since.position;
        format!("\nbegun at event {from}, on the word of its signed head")
    });
    let unknown = (audit.unknown_keys > 0).then(|| {
        let heads = audit.unknown_keys;
        format!("\n{heads} heads are signed by keys that are not in the folder of signed heads: they prove nothing here")
    });
    let missing = audit.missing_outside.map(|(heads, first)| {
        format!(
            "\n{heads} heads, the first of them at event {first}, are not in the folder of signed heads: what it had of them was \
             deleted, or it began later; put its files back from the copy outside"
        )
    });
    [Some(signed), begun, unknown, missing]
        .into_iter()
        .flatten()
        .collect()
}

/// Writes the proof that an event belongs to the signed log.
///
/// # Errors
/// One sentence for the operator.
pub async fn prove(settings: &Settings, args: &ProveArgs) -> Result<String, String> {
    let log = opened(settings).await?;
    let proof = log
        .prove(args.position)
        .await
        .map_err(|error| error.to_string())?;
    serde_json::to_string_pretty(&proof).map_err(|error| error.to_string())
}

/// Checks the proof of an event or of a receipt, with nothing but a key.
///
/// # Errors
/// What does not fit.
pub fn verify_proof(args: &VerifyProofArgs) -> Result<String, String> {
    let file = args.file.display();
    let bytes = std::fs::read(&args.file).map_err(|error| format!("`{file}` cannot be read: {error}"))?;
    let key = args.key.as_deref().map(key_of).transpose()?;
    if let Ok(proof) = serde_json::from_slice::<Proof>(&bytes) {
        let key = key.ok_or_else(|| format!("`{file}` names no key: give the public key with --key"))?;
        return verify_event(&file.to_string(), &proof, &key);
    }
    if let Ok(proof) = serde_json::from_slice::<ConsistencyProof>(&bytes) {
        let key = key.ok_or_else(|| format!("`{file}` names no key: give the public key with --key"))?;
        return verify_heads(&file.to_string(), &proof, &key, &args.head);
    }
    verify_receipt(&bytes, key).map_err(|unproved| format!("`{file}` proves nothing: {unproved}"))
}

fn verify_event(file: &str, proof: &Proof, key: &PublicKey) -> Result<String, String> {
    proof
        .check(key)
        .map_err(|fault| format!("`{file}` proves nothing: {fault}"))?;
    let head = proof.head();
    Ok(format!(
        "proved: event {} ({}) belongs to the log that the key {} signed through event {} at {}",
        proof.position(),
        proof.event_type(),
        key.id(),
        head.position,
        head.signed_at().to_rfc3339()
    ))
}

/// Compares the heads in the proof with those that were kept elsewhere: a proof between other heads shows nothing of them.
fn verify_heads(
    file: &str,
    proof: &ConsistencyProof,
    key: &PublicKey,
    kept: &[PathBuf],
) -> Result<String, String> {
    proof
        .check(std::slice::from_ref(key))
        .map_err(|fault| format!("`{file}` proves nothing: {fault}"))?;
    for path in kept {
        let named = path.display();
        let bytes = std::fs::read(path).map_err(|error| format!("`{named}` cannot be read: {error}"))?;
        let head: SignedHead = serde_json::from_slice(&bytes)
            .map_err(|error| format!("`{named}` is no signed head: {error}"))?;
        if head != proof.first && head != proof.second {
            return Err(format!(
                "`{file}` proves nothing of `{named}`: it is between other heads"
            ));
        }
    }
    Ok(format!(
        "proved: the log through event {} of {} holds the log through event {} of {}; key {}",
        proof.second.position,
        proof.second.signed_at().to_rfc3339(),
        proof.first.position,
        proof.first.signed_at().to_rfc3339(),
        key.id()
    ))
}

/// Says by whose key: one that stands in the file alone was chosen by who made the file.
fn verify_receipt(bytes: &[u8], given: Option<PublicKey>) -> Result<String, Unproved> {
    let proof = ReceiptProof::read(bytes)?;
    let key = given.map_or_else(|| proof.key(), Ok)?;
    proof.check(&key)?;
    proof.check_pages(bytes, std::slice::from_ref(&key))?;
    let receipt = proof.receipt();
    let total = Money::new(receipt.total_minor, receipt.currency).decimal();
    let total = forms_of(Language::default()).write_books_money(&total, receipt.currency.code());
    let told = if given.is_some() {
        String::new()
    } else {
        "; that key stands in the file itself: compare it with the one that the seller has published"
            .to_owned()
    };
    Ok(format!(
        "proved: {} {} of {total} belongs to the log that the key {} signed through event {}{told}",
        receipt.kind.name(),
        receipt.number,
        key.id(),
        proof.heads().map(|head| head.position).max().unwrap_or_default(),
    ))
}

fn is_written_out(given: &str) -> bool {
    given.len() == 64 && given.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn key_of(given: &str) -> Result<PublicKey, String> {
    let text = match PublicKey::parse(given) {
        Some(key) => return Ok(key),
        None if is_written_out(given) => {
            return Err(format!(
                "`{given}` has the length of a public key and is none: copy it again, as `latchkey signing-key` prints it"
            ));
        }
        None => std::fs::read_to_string(given)
            .map_err(|error| format!("`{given}` is neither 64 digits nor a file: {error}"))?,
    };
    text.lines()
        .next()
        .and_then(PublicKey::parse)
        .ok_or_else(|| format!("`{given}` does not begin with a public key"))
}

/// Says which key signs, after renewing it where that was asked for.
///
/// # Errors
/// One sentence for the operator.
pub fn signing_key(settings: &Settings, args: &SigningKeyArgs) -> Result<String, String> {
    std::fs::create_dir_all(&settings.data_dir)
        .map_err(|error| format!("`{}` cannot be made: {error}", settings.data_dir.display()))?;
    let notary = Notary::open(settings)?;
    let key = if args.renew {
        notary
            .renew()
            .inspect_err(|_| remove_unused(&settings.data_dir))?
    } else {
        notary.key()?
    };
    Ok(format!("{key}\nkey {}", key.id()))
}

/// Takes away the secret that this process had begun when it could not be written or put in place: nobody shall find a key that
/// never signed.
fn remove_unused(data_dir: &Path) {
    let begun = data_dir
        .join(KEY_FILE)
        .with_extension(format!("new-{}", std::process::id()));
    // It is not there when the renewal failed before or after it.
    let _was_not_there = std::fs::remove_file(begun);
}
