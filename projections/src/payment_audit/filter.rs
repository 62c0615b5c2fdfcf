//! The filter of the list, as a condition of its queries.

use domain::id::PaymentId;
use tables::Statement;

use super::sought::{DISPUTE_FEE, DISPUTES, OF_DISPUTES, by_number};

/// A filter of the list; empty fields leave all in.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// One kind, or [`DISPUTES`].
    pub kind: Option<String>,
    /// Events that post into the books, alone.
    pub is_money: bool,
    pub currency: Option<String>,
    /// RFC 3339, inclusive.
    pub from: Option<String>,
    /// RFC 3339, exclusive.
    pub to: Option<String>,
    pub text: Option<String>,
    pub payment_id: Option<PaymentId>,
}

/// Kinds of events that post into the books.
pub const MONEY: [&str; 9] = [
    "captured",
    "refund_requested",
    "refund_acknowledged",
    "refund_failed",
    "refund_paid_elsewhere",
    "dispute_opened",
    "dispute_won",
    "dispute_lost",
    DISPUTE_FEE,
];

pub(super) const NAMES: &str = " left join lead_board b on b.lead_id = a.lead_id
 left join listing_name n on n.inventory_id = a.root_id
 left join payment_cause c on c.event_id = a.causation_id";

impl AuditFilter {
    /// The words to look for, if there are any.
    fn words(&self) -> Option<&str> {
        self.text
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// Count and totals are read from the tally, unless single payments are looked for.
    pub(super) fn is_tallied(&self) -> bool {
        self.payment_id.is_none() && self.words().is_none()
    }
}

/// Begins a list of matching events; names are joined only where words are looked for.
pub(super) fn filtered(start: &str, filter: &AuditFilter) -> Statement {
    let names = filter.words().map_or("", |_| NAMES);
    let mut query = Statement::new(format!("{start} from payment_audit a{names} where 1 = 1"));
    of_kind(&mut query, "a.", filter);
    between(
        &mut query,
        "a.recorded_at",
        filter.from.as_deref(),
        filter.to.as_deref(),
    );
    if let Some(payment_id) = filter.payment_id {
        query
            .push(" and a.payment_id = ")
            .push_bind(payment_id.to_string());
    }
    if let Some(text) = filter.words() {
        // `_` stays: it stands for any one character of a pattern, so an id finds itself.
        let pattern = format!("%{}%", text.to_lowercase().replace(['%', '\\'], ""));
        for (place, column) in [
            "a.reference",
            "b.reference",
            "a.gateway_id",
            "a.payment_id",
            "a.lead_id",
            "n.property",
            "a.request_id",
        ]
        .iter()
        .enumerate()
        {
            query
                .push(if place == 0 { " and (lower(" } else { " or lower(" })
                .push(column)
                .push(") like ")
                .push_bind(pattern.clone());
        }
        by_number(&mut query, text);
        query.push(")");
    }
    query
}

pub(super) fn of_kind(query: &mut Statement, table: &str, filter: &AuditFilter) {
    if filter.kind.as_deref() == Some(DISPUTES) {
        let kinds = format!(" and {table}kind in ");
        query.push(&kinds).push_list(OF_DISPUTES);
    } else if let Some(kind) = &filter.kind {
        query
            .push(&format!(" and {table}kind = "))
            .push_bind(kind.clone());
    }
    if filter.is_money && filter.kind.is_none() {
        query.push(&format!(" and {table}kind in ")).push_list(MONEY);
    }
    if let Some(currency) = &filter.currency {
        query
            .push(&format!(" and {table}currency = "))
            .push_bind(currency.to_uppercase());
    }
}

pub(super) fn between(query: &mut Statement, column: &str, from: Option<&str>, to: Option<&str>) {
    if let Some(from) = from {
        query
            .push(&format!(" and {column} >= "))
            .push_bind(from.to_owned());
    }
    if let Some(to) = to {
        query.push(&format!(" and {column} < ")).push_bind(to.to_owned());
    }
}
