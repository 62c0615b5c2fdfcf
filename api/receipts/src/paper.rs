//! A document as a PDF file. The file carries its proof and what else stands on its pages, so that the pages can be made again from
//! it and compared: one changed digit anywhere in the file is found.

use chrono::{Datelike as _, Timelike as _};
use domain::language::Language;
use domain::moment::Moment;
use domain::payment::receipt::{ReceiptFacts, ReceiptKind};
use pdf::{Amount, Attachment, Block, Made, Paper, PdfError};
use serde::{Deserialize, Serialize};

use crate::proof::{FILE, FORMAT, ReceiptProof, Unproved};
use crate::texts::{amount, line, method, moment, say};

/// What the file of [`Shown`] begins with. It changes with the pages: another version's pages cannot be compared.
const PAGES: &str = "latchkey receipt pages 1";

/// The name of that file inside a PDF.
const SHOWN: &str = "receipt-pages.json";

/// What stands on a document's pages beside its facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    format: String,
    pub language: Language,
    pub seller: String,
    /// Lines of the seller's address; may be empty.
    pub seller_address: String,
    pub reference: String,
    pub home: String,
    pub room: String,
    /// The home's provider, where it is known.
    pub provider: Option<String>,
    /// `None` where the reader may not know, or the payer was forgotten.
    pub payer: Option<String>,
    /// Where the proof can be checked.
    pub verify_url: String,
}

/// Who sold, in whose language, and where the proof can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seller<'s> {
    pub name: &'s str,
    pub address: &'s str,
    pub verify_url: String,
}

/// Bytes of one text of a receipt's page, and lines of the seller's address: pages of more are none that were made here.
const TEXT_MAX: usize = 1_000;
const ADDRESS_LINES_MAX: usize = 12;

impl Shown {
    /// Whether it is as long as what stands on pages that are made here.
    fn fits_a_page(&self) -> bool {
        let texts = [
            &self.seller,
            &self.seller_address,
            &self.reference,
            &self.home,
            &self.room,
            &self.verify_url,
        ];
        let told = [&self.provider, &self.payer].into_iter().flatten();
        texts.into_iter().chain(told).all(|text| text.len() <= TEXT_MAX)
            && self.seller_address.lines().count() <= ADDRESS_LINES_MAX
    }

    /// What stands on the pages, with the names of home and payer still to be filled in.
    pub fn new(language: Language, seller: &Seller<'_>, reference: String) -> Self {
        Self {
            format: PAGES.to_owned(),
            language,
            seller: seller.name.to_owned(),
            seller_address: seller.address.to_owned(),
            reference,
            home: String::new(),
            room: String::new(),
            provider: None,
            payer: None,
            verify_url: seller.verify_url.clone(),
        }
    }
}

/// The document as a PDF file, with its proof inside where there is one.
///
/// # Errors
/// When the library refuses it.
pub fn write(facts: &ReceiptFacts, shown: &Shown, proof: Option<&ReceiptProof>) -> Result<Vec<u8>, PdfError> {
    let unwritten = |error: serde_json::Error| PdfError::Writing(error.to_string());
    let mut attachments = Vec::new();
    if let Some(proof) = proof {
        attachments.push(attachment(
            FILE,
            "proof_file",
            shown,
            proof.file().map_err(unwritten)?,
        ));
        let pages = serde_json::to_string_pretty(shown).map_err(unwritten)?;
        attachments.push(attachment(SHOWN, "pages_file", shown, pages));
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
    let lines = facts.lines.iter().map(|due| Amount {
        label: line(lang, due),
        amount: amount(facts, due.amount_minor),
        is_total: false,
    });
    let total = match facts.kind {
        ReceiptKind::Receipt => "total_paid",
        ReceiptKind::CreditNote => "total_refunded",
    };
    let total = Amount {
        label: label(total),
        amount: amount(facts, facts.total_minor),
        is_total: true,
    };
    blocks.push(Block::Heading(label("lines")));
    blocks.push(Block::Amounts(lines.chain([total]).collect()));
    if facts.kind == ReceiptKind::Receipt && !facts.refunds.is_empty() {
        blocks.push(Block::Heading(label("refunds")));
        blocks.push(Block::Amounts(returned(facts, lang)));
    }
    if facts.refunds.iter().any(|refund| refund.failed) {
        blocks.push(Block::Note(label("refund_failed")));
    }
    if shown.payer.is_none() {
        blocks.push(Block::Note(label("payer_hidden")));
    }
    let proof = if is_proved { "proof_note" } else { "no_proof_note" };
    blocks.push(Block::Note(say(lang, proof, &[("url", &shown.verify_url)])));
    blocks
}

fn returned(facts: &ReceiptFacts, lang: Language) -> Vec<Amount> {
    let row = |refund: &domain::payment::receipt::Returned| Amount {
        label: say(
            lang,
            "refund_row",
            &[("number", &refund.number), ("date", &moment(refund.at))],
        ),
        amount: format!("-{}", amount(facts, refund.amount_minor)),
        is_total: false,
    };
    let kept = Amount {
        label: say(lang, "kept", &[]),
        amount: amount(facts, facts.total_minor.saturating_sub(facts.refunded_minor())),
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
        ("date", moment(facts.issued_at)),
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

/// Makes the pages again from what the PDF carries; they must be the same.
pub(crate) fn check_pages(proof: &ReceiptProof, bytes: &[u8]) -> Result<(), Unproved> {
    let shown: Shown = file_inside(bytes, PAGES)?;
    if !shown.fits_a_page() {
        return Err(Unproved::Pages);
    }
    let pages = write(proof.receipt(), &shown, Some(proof)).map_err(|_| Unproved::Pages)?;
    if pages == bytes {
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
    let at = found.ok_or_else(|| Unproved::Unreadable("the PDF carries no proof".to_owned()))?;
    let mut files = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<T>();
    match files.next() {
        Some(Ok(file)) => Ok(file),
        Some(Err(error)) => Err(Unproved::Unreadable(error.to_string())),
        None => Err(Unproved::Unreadable("the PDF carries no proof".to_owned())),
    }
}
