//! Why a bank's file is not read, and the field that settles it.

use http_kit::error::ApiError;
use http_kit::said::{Said, say};
use statements::{Fault, NotRead, Reason};

/// A refusal in the reader's language, with the field of the call that it is about.
pub(super) fn refused(fault: &Fault) -> ApiError {
    let (field, code) = match fault {
        Fault::NoColumn(_) => ("columns", "no_column"),
        Fault::TwoDirections(..) => ("sign", "doubtful"),
        Fault::NoCurrency => ("account_currency", "no_currency"),
        Fault::TooManyRows => ("file", "too_many_rows"),
        Fault::DocumentType => ("file", "document_type"),
        Fault::Empty => ("file", "empty"),
        Fault::DoubtfulAmount { .. } => ("decimal", "doubtful"),
        Fault::DoubtfulDay { .. } => ("days", "doubtful"),
        Fault::TwoOrders(..) => ("days", "two_orders"),
        Fault::DoubtfulAccount(_) => ("account_of", "doubtful"),
        Fault::Unreadable(_) | Fault::NothingUnderstood(_) => ("file", "unreadable"),
    };
    let said = match fault {
        Fault::NoColumn(name) => say("refusal.file_no_column").with("name", name),
        Fault::TwoDirections(name, other) => say("refusal.file_two_directions")
            .with("name", name)
            .with("other", other),
        Fault::NoCurrency => say("refusal.file_no_currency"),
        Fault::Unreadable(line) => say("refusal.file_unreadable").with("line", line),
        Fault::DoubtfulAmount { line, text } => say("refusal.file_doubtful_amount")
            .with("line", line)
            .with("text", text),
        Fault::DoubtfulDay { line, text } => say("refusal.file_doubtful_day")
            .with("line", line)
            .with("text", text),
        Fault::TwoOrders((line, text), (other, other_text)) => say("refusal.file_two_orders")
            .with("line", line)
            .with("text", text)
            .with("other", other)
            .with("other_text", other_text),
        Fault::DoubtfulAccount(line) => say("refusal.file_doubtful_account").with("line", line),
        Fault::NothingUnderstood(row) => nothing_understood(row),
        Fault::TooManyRows | Fault::DocumentType | Fault::Empty => say("refusal.file_not_taken"),
    };
    ApiError::invalid_field(field, code, said)
}

/// Why the first row of a file of which no row is understood is none.
fn nothing_understood(row: &NotRead) -> Said {
    let key = match row.reason {
        Reason::Day => "refusal.file_day",
        Reason::NoAmount | Reason::TooFine | Reason::OtherSign => "refusal.file_amount",
        Reason::Currency => "refusal.file_currency",
        Reason::Direction => "refusal.file_direction",
        Reason::Heading | Reason::OpenQuote | Reason::Status => "refusal.file_unreadable",
    };
    say(key).with("line", row.line)
}
