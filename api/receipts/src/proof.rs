//! The proof of a receipt: its events, each with its path to a signed head of the log. With the public key it is checked without
//! the log, and derives the receipt's amounts from the events anew.

use domain::aggregate::Decide as _;
use domain::id::PaymentId;
use domain::payment::Payment;
use domain::payment::receipt::{ReceiptFacts, documents, position_of};
use eventlog::{EventLog, LogError, Position, Proof, ProofFault, PublicKey, SignedHead};
use serde::{Deserialize, Serialize};

use crate::{evidence, of_payment, paper};

/// What the file of a proof begins with; a later layout gets the next number.
pub const FORMAT: &str = "latchkey receipt proof 1";

/// The name of the proof's file inside a PDF.
pub const FILE: &str = "receipt-proof.json";

/// A receipt with the events that it follows from. Nothing in it is personal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptProof {
    format: String,
    receipt: ReceiptFacts,
    /// The public key that signed the heads, as 64 digits.
    key: PublicKeyDigits,
    events: Vec<Proof>,
}

/// A public key as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct PublicKeyDigits(String);

/// Why a file proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    #[error("it is no receipt's proof: {0}")]
    Unreadable(&'static str),
    #[error("the key in it is no public key")]
    Key,
    #[error("it carries no events")]
    Empty,
    #[error("event {position} is of `{kind}`, not of a payment")]
    OtherStream { position: Position, kind: String },
    #[error("event {position}: {fault}")]
    Event { position: Position, fault: ProofFault },
    #[error("event {0} cannot be read by this version")]
    Shape(Position),
    #[error("its events do not make receipt {0}")]
    Number(String),
    #[error("the receipt's `{0}` is not what its events say")]
    Lines(&'static str),
    #[error("the names on the pages are not those that were signed")]
    Names,
    #[error("the pages of this PDF are not those that belong to its proof")]
    Pages,
}

impl Unproved {
    /// The fault's name in answers.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Key => "key",
            Self::Empty | Self::OtherStream { .. } | Self::Event { .. } | Self::Shape(_) => "events",
            Self::Number(_) => "number",
            Self::Lines(_) => "lines",
            Self::Names => "names",
            Self::Pages => "pages",
        }
    }
}

pub(crate) const fn unreadable(why: &'static str) -> Unproved {
    Unproved::Unreadable(why)
}

/// Makes the proof of a document. The end of the log must be signed at or behind the last of its events.
///
/// # Errors
/// When an event is not signed yet, the log was changed, or it cannot be read.
pub async fn prove(log: &EventLog, facts: &ReceiptFacts) -> Result<ReceiptProof, LogError> {
    let (_, placed) = of_payment(log, facts.payment_id).await?;
    let mut events = Vec::new();
    for event in &placed {
        events.push(log.prove(event.position).await?);
    }
    let named = events.first().map(|proof| proof.head().key);
    let keys = log.signing_keys().await?;
    let key = keys.iter().find(|key| Some(key.id()) == named);
    let key = key.ok_or_else(|| LogError::Refused("no key of a signed head is known".to_owned()))?;
    Ok(ReceiptProof {
        format: FORMAT.to_owned(),
        receipt: facts.clone(),
        key: PublicKeyDigits(key.to_string()),
        events,
    })
}

/// A file without the byte order mark and the line breaks that programs write before it.
fn trim_start(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start()
}

impl ReceiptProof {
    /// Reads the file of a proof, or the proof inside a receipt's PDF, whose pages [`Self::check_pages`] looks at.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(bytes: &[u8]) -> Result<Self, Unproved> {
        let bytes = trim_start(bytes);
        if bytes.starts_with(b"%PDF") {
            return paper::proof_inside(bytes);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| unreadable("it is no text"))?;
        Self::parse(text)
    }

    /// Holds the pages of a receipt's PDF against those that belong to this proof; the file of a proof has none. To be asked of a proof
    /// that was checked: making pages for anyone would be work for nothing. The names on them must be signed by one of these keys.
    ///
    /// # Errors
    /// When they are not the same.
    pub fn check_pages(&self, bytes: &[u8], keys: &[PublicKey]) -> Result<(), Unproved> {
        let bytes = trim_start(bytes);
        if bytes.starts_with(b"%PDF") {
            return paper::check_pages(self, bytes, keys);
        }
        Ok(())
    }

    pub(crate) fn parse(text: &str) -> Result<Self, Unproved> {
        // Where a reader of JSON stumbles helps nobody who holds the wrong file.
        let proof: Self = serde_json::from_str(text).map_err(|_| unreadable("it is not laid out as one"))?;
        if proof.format == FORMAT {
            Ok(proof)
        } else {
            Err(unreadable("this version does not know its layout"))
        }
    }

    /// The file of the proof.
    ///
    /// # Errors
    /// Never for a proof that was made or read here.
    pub fn file(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// What the document says.
    pub fn receipt(&self) -> &ReceiptFacts {
        &self.receipt
    }

    /// The public key that the file itself names.
    ///
    /// # Errors
    /// When it is none.
    pub fn key(&self) -> Result<PublicKey, Unproved> {
        PublicKey::parse(&self.key.0).ok_or(Unproved::Key)
    }

    /// The heads that vouch for the events.
    pub fn heads(&self) -> impl Iterator<Item = &SignedHead> {
        self.events.iter().map(Proof::head)
    }

    /// The last of its events.
    pub fn position(&self) -> Position {
        self.events.iter().map(Proof::position).max().unwrap_or_default()
    }

    /// Follows every event to its signed head, and derives the document from the events. The key counts, not the one in the file.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self, key: &PublicKey) -> Result<(), Unproved> {
        let mut placed = Vec::new();
        let mut streams = Vec::new();
        for proof in &self.events {
            let position = proof.position();
            // Before all else: what an event's kind is made of is kept as long as the process lives.
            if proof.stream_kind() != Payment::KIND {
                let kind = proof.stream_kind().chars().take(40).collect();
                return Err(Unproved::OtherStream { position, kind });
            }
            let unproved = |fault| Unproved::Event { position, fault };
            proof.check(key).map_err(unproved)?;
            let event = proof.event().map_err(unproved)?;
            streams.push(PaymentId(event.stream.id));
            placed.extend(evidence(&event).map_err(|_| Unproved::Shape(position))?);
        }
        let payment_id = *streams.first().ok_or(Unproved::Empty)?;
        let in_order = placed.windows(2).all(|pair| pair[0].position < pair[1].position);
        if !in_order || streams.iter().any(|stream| *stream != payment_id) {
            return Err(Unproved::Number(self.receipt.number.clone()));
        }
        let made = documents(payment_id, &placed);
        let made = made.iter().find(|made| made.number == self.receipt.number);
        let made = made.ok_or_else(|| Unproved::Number(self.receipt.number.clone()))?;
        match difference(made, &self.receipt) {
            None => Ok(()),
            Some(field) => Err(Unproved::Lines(field)),
        }
    }
}

/// Which field of a document is not what its events say.
fn difference(made: &ReceiptFacts, stated: &ReceiptFacts) -> Option<&'static str> {
    let fields = [
        ("kind", made.kind == stated.kind),
        ("payment_id", made.payment_id == stated.payment_id),
        ("issued_at", made.issued_at == stated.issued_at),
        ("receipt_number", made.receipt_number == stated.receipt_number),
        ("currency", made.currency == stated.currency),
        ("lines", made.lines == stated.lines),
        ("total_minor", made.total_minor == stated.total_minor),
        ("charges", made.charges == stated.charges),
        ("refunds", made.refunds == stated.refunds),
        ("number", position_of(&stated.number).is_some() && made == stated),
    ];
    fields.iter().find(|(_, fits)| !fits).map(|(field, _)| *field)
}
