//! What the desk asks of long histories and long lists.

use crate::Settings;
use crate::desk::Asked;
use crate::goals::{Judged, Row};
use crate::ground::Medium::Disk;
use crate::measurement::{Kind, Measurement};

/// What support opens beside the list of leads: narrowed otherwise, segments, the report, conversations, who looked at what.
const LISTS_OF_LEADS: [&str; 10] = [
    "leads?q=lovelace&status=enquired&p=7",
    "leads?owner=me",
    "leads?city=Leeds",
    "leads?stage=open&attention=late&p=20",
    "segments?steps=enquired",
    "segments?steps=declined,declined,paid%3C60",
    "leads/report",
    "cases",
    "awaited_rooms",
    "reads",
];
/// What finance opens beside the audit, and what it seeks there.
const LISTS_OF_PAYMENTS: [&str; 14] = [
    "payments/events?money=true",
    "payments/events?q=350",
    "payments/events?q=nothing%20like%20it",
    "payments/events?money=true&currency=GBP&p=40",
    "books/accounts",
    "books/periods",
    "books/accounts?from=2025-01-01&to=2025-12-31",
    "alerts",
    "approvals/waiting",
    "payments/refund_requests",
    "payments/provider_account",
    "reconciliation",
    "rewards",
    "leads/views",
];

/// G16 to G18: what the desk asks of long lists.
pub fn rows(settings: &Settings) -> Vec<Row> {
    let row = |goal, what: String, asked, within| Row {
        goal,
        what,
        medium: Disk,
        ours: Measurement::new("latchkey on SQLite", Kind::Desk(asked)),
        rivals: Vec::new(),
        judged: Judged::P99Within(within),
    };
    let (history, payments, leads) = (settings.history, settings.payments, settings.listed_leads);
    let lists_of_leads = LISTS_OF_LEADS.map(|list| {
        row(
            "G18",
            format!("{list}, of {leads} leads"),
            Asked::DeskList(list),
            200.0,
        )
    });
    let lists_of_payments = LISTS_OF_PAYMENTS.map(|list| {
        row(
            "G18",
            format!("{list}, of {payments} payments"),
            Asked::FinanceList(list),
            200.0,
        )
    });
    let mut rows = vec![
        row(
            "G16",
            format!("a lead of {history} events opens: its outline and newest events"),
            Asked::History,
            1_000.0,
        ),
        row(
            "G16",
            "a page of that history".to_owned(),
            Asked::HistoryPage,
            1_000.0,
        ),
        row(
            "G17",
            format!("a page of the audit of {payments} payments, by kind, currency, days, word"),
            Asked::Audit,
            20.0,
        ),
        row(
            "G17",
            "the same as of a past moment".to_owned(),
            Asked::AuditAsOf,
            200.0,
        ),
        row(
            "G18",
            format!("a page of the list of {leads} leads, by status, word, day, reason to look"),
            Asked::Leads,
            200.0,
        ),
        row(
            "G18",
            "the views beside it with their counts".to_owned(),
            Asked::LeadViews,
            200.0,
        ),
    ];
    rows.extend(lists_of_leads);
    rows.extend(lists_of_payments);
    rows
}
