//! A document as a PDF file. The file carries its proof and, signed, what else stands on its pages, so that the pages can be made
//! again from it and compared: one changed digit or letter anywhere in the file is found.

use chrono::{Datelike as _, Timelike as _};
use domain::language::Language;
use domain::moment::Moment;
use domain::payment::receipt::{ReceiptFacts, ReceiptKind};
use eventlog::PublicKey;
use pdf::{Amount, Attachment, Block, Made, Paper, PdfError};
use platform::days::moment;

use crate::pages::{self, PAGES, Shown, SignedPages};
use crate::proof::{FILE, FORMAT, ReceiptProof, Unproved, unreadable};
use crate::texts::{line, method, say, write_amount, write_returned};

/// The document as a PDF file, with its proof inside where there is one.
///
/// # Errors
/// When the library refuses it.
pub fn write(
    facts: &ReceiptFacts,
    shown: &Shown,
    proof: Option<(&ReceiptProof, &SignedPages)>,
) -> Result<Vec<u8>, PdfError> {
    let unwritten = |error: serde_json::Error| PdfError::Writing(error.to_string());
    let mut attachments = Vec::new();
    if let Some((proof, signed)) = proof {
        attachments.push(attachment(
            FILE,
            "proof_file",
            shown,
            proof.file().map_err(unwritten)?,
        ));
        let text = serde_json::to_string_pretty(signed).map_err(unwritten)?;
        attachments.push(attachment(pages::FILE, "pages_file", shown, text));
    }
    pdf::write(&Paper {
        title: format!("{} {}", title(facts, shown.language), facts.number),
        author: shown.seller.clone(),
        language: shown.language.code().to_owned(),
        made: made(facts.issued_at),
        blocks: blocks(facts, shown, proof.is_some()),
        footer: format!("{} · {}", facts.number, shown.seller),
        attachments,
    })
}

fn attachment(name: &str, description: &str, shown: &Shown, text: String) -> Attachment {
    Attachment {
        name: name.to_owned(),
        media_type: "application/json",
        description: say(shown.language, description, &[]),
        bytes: text.into_bytes(),
    }
}

fn made(at: Moment) -> Made {
    let small = |number: u32| u8::try_from(number).unwrap_or_default();
    Made {
        year: u16::try_from(at.year()).unwrap_or_default(),
        month: small(at.month()),
        day: small(at.day()),
        hour: small(at.hour()),
        minute: small(at.minute()),
        second: small(at.second()),
    }
}

fn title(facts: &ReceiptFacts, lang: Language) -> String {
    say(lang, facts.kind.name(), &[])
}

fn blocks(facts: &ReceiptFacts, shown: &Shown, is_proved: bool) -> Vec<Block> {
    let lang = shown.language;
    let label = |key: &str| say(lang, key, &[]);
    let mut blocks = vec![
        Block::Title(title(facts, lang)),
        Block::Text(shown.seller.clone()),
    ];
    blocks.extend(
        shown
            .seller_address
            .lines()
            .map(|line| Block::Note(line.to_owned())),
    );
    blocks.push(Block::Facts(particulars(facts, shown)));
    let lines = facts.lines.iter().filter(|due| due.amount_minor > 0);
    let lines = lines.map(|due| Amount {
        label: line(lang, due),
        amount: write_amount(facts, due.amount_minor, shown),
        is_total: false,
    });
    let total = match facts.kind {
        ReceiptKind::Receipt => "total_paid",
        ReceiptKind::CreditNote => "total_refunded",
    };
    let total = Amount {
        label: label(total),
        amount: write_amount(facts, facts.total_minor, shown),
        is_total: true,
    };
    blocks.push(Block::Heading(label("lines")));
    blocks.push(Block::Amounts(lines.chain([total]).collect()));
    if facts.kind == ReceiptKind::Receipt && !facts.refunds.is_empty() {
        blocks.push(Block::Heading(label("refunds")));
        blocks.push(Block::Amounts(returned(facts, shown)));
    }
    if facts.refunds.iter().any(|refund| refund.failed) {
        blocks.push(Block::Note(label("refund_failed")));
    }
    if shown.payer.is_none() {
        blocks.push(Block::Note(label("payer_hidden")));
    }
    if shown.says_no_invoice {
        blocks.push(Block::Note(label("no_invoice")));
    }
    let proof = if is_proved { "proof_note" } else { "no_proof_note" };
    blocks.push(Block::Note(say(lang, proof, &[("url", &shown.verify_url)])));
    blocks
}

fn returned(facts: &ReceiptFacts, shown: &Shown) -> Vec<Amount> {
    let lang = shown.language;
    let row = |refund: &domain::payment::receipt::Returned| Amount {
        label: say(
            lang,
            "refund_row",
            &[
                ("number", &refund.number),
                ("date", &moment(lang, refund.at, shown.clock.as_ref())),
            ],
        ),
        amount: write_returned(facts, refund.amount_minor, shown),
        is_total: false,
    };
    let kept = Amount {
        label: say(lang, "kept", &[]),
        amount: write_amount(
            facts,
            facts.total_minor.saturating_sub(facts.refunded_minor()),
            shown,
        ),
        is_total: true,
    };
    let stood = facts.refunds.iter().filter(|refund| !refund.failed);
    stood.map(row).chain([kept]).collect()
}

/// Name and value of everything that is no amount.
fn particulars(facts: &ReceiptFacts, shown: &Shown) -> Vec<(String, String)> {
    let lang = shown.language;
    let mut rows = vec![
        ("number", facts.number.clone()),
        ("date", moment(lang, facts.issued_at, shown.clock.as_ref())),
    ];
    rows.extend(facts.receipt_number.clone().map(|number| ("for_receipt", number)));
    rows.extend(shown.payer.clone().map(|payer| ("payer", payer)));
    rows.push(("home", shown.home.clone()));
    rows.push(("room", shown.room.clone()));
    rows.extend(shown.provider.clone().map(|provider| ("provider", provider)));
    rows.extend(
        facts
            .charges
            .iter()
            .map(|charge| ("method", method(lang, charge.card.as_ref()))),
    );
    rows.push(("reference", shown.reference.clone()));
    rows.push(("currency", facts.currency.code().to_owned()));
    let filled = rows.into_iter().filter(|(_, value)| !value.is_empty());
    filled.map(|(key, value)| (say(lang, key, &[]), value)).collect()
}

/// The proof inside a receipt's PDF.
pub(crate) fn proof_inside(bytes: &[u8]) -> Result<ReceiptProof, Unproved> {
    file_inside(bytes, FORMAT)
}

/// Makes the pages again from what the PDF carries; they must be the same, and what stands on them signed by one of these keys.
pub(crate) fn check_pages(proof: &ReceiptProof, bytes: &[u8], keys: &[PublicKey]) -> Result<(), Unproved> {
    let signed: SignedPages = file_inside(bytes, PAGES)?;
    let facts = proof.receipt();
    signed.check(&facts.number, keys)?;
    let made = write(facts, &signed.shown, Some((proof, &signed))).map_err(|_| Unproved::Pages)?;
    if made == bytes {
        Ok(())
    } else {
        Err(Unproved::Pages)
    }
}

/// Reads an attached file, which lies in the PDF as it is: its first field names its format.
fn file_inside<T: serde::de::DeserializeOwned>(bytes: &[u8], format: &str) -> Result<T, Unproved> {
    let begin = format!("{{\n  \"format\": \"{format}\"");
    let found = bytes
        .windows(begin.len())
        .position(|window| window == begin.as_bytes());
    let at = found.ok_or_else(|| unreadable("the PDF carries no proof"))?;
    let mut files = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<T>();
    match files.next() {
        Some(Ok(file)) => Ok(file),
        Some(Err(_)) => Err(unreadable("the proof inside the PDF is damaged")),
        None => Err(unreadable("the PDF carries no proof")),
    }
}
