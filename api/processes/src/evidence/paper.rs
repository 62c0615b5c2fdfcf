//! The evidence as a PDF, in English, which every bank reads.

use chrono::{Datelike as _, Timelike as _};
use domain::language::Language;
use domain::moment::Moment;
use pdf::{Block, Made, Paper, PdfError};

use super::Evidence;

pub(super) fn write(evidence: &Evidence, seller: &str, at: Moment) -> Result<Vec<u8>, PdfError> {
    let small = |number: u32| u8::try_from(number).unwrap_or_default();
    pdf::write(&Paper {
        title: format!("Evidence for payment {}", evidence.reference),
        author: seller.to_owned(),
        language: Language::default().code().to_owned(),
        made: Made {
            year: u16::try_from(at.year()).unwrap_or_default(),
            month: small(at.month()),
            day: small(at.day()),
            hour: small(at.hour()),
            minute: small(at.minute()),
            second: small(at.second()),
        },
        blocks: blocks(evidence, seller),
        footer: format!("{} · {seller}", evidence.reference),
        attachments: Vec::new(),
    })
}

fn blocks(evidence: &Evidence, seller: &str) -> Vec<Block> {
    let fields = &evidence.evidence;
    let mut facts = vec![
        ("Seller".to_owned(), seller.to_owned()),
        ("Payment".to_owned(), evidence.reference.clone()),
    ];
    let answered = evidence.disputes.iter();
    let answered = answered.filter(|dispute| dispute.id == evidence.dispute_id);
    facts.extend(answered.map(|dispute| {
        let said = format!("{} of {}, {}", dispute.id, dispute.amount, dispute.outcome);
        ("Dispute".to_owned(), said)
    }));
    let payer = fields.customer_name.clone();
    facts.extend(payer.map(|payer| ("Payer".to_owned(), payer)));
    facts.push(("Service".to_owned(), fields.product_description.clone()));
    facts.push(("Service date".to_owned(), fields.service_date.clone()));
    let head = ["Time (UTC)", "What happened", "Event"]
        .map(str::to_owned)
        .to_vec();
    let rows = evidence.lines.iter().map(|line| {
        let event = format!("{} ({}, {})", line.event_id, line.kind, line.position);
        vec![super::to_the_second(&line.at), line.text.clone(), event]
    });
    vec![
        Block::Title("Evidence".to_owned()),
        Block::Facts(facts),
        Block::Heading("Refund policy".to_owned()),
        Block::Text(fields.refund_policy.clone()),
        Block::Text(fields.refund_policy_disclosure.clone()),
        Block::Heading("What happened, by the log".to_owned()),
        Block::Table {
            widths: vec![4, 6, 7],
            rows: std::iter::once(head).chain(rows).collect(),
        },
        Block::Note(
            "Every line is an event of an append-only log whose end is signed each minute; each can be proved with the seller's public key."
                .to_owned(),
        ),
    ]
}
