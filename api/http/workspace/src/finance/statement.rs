//! A bank's or provider's file against what was read of the provider. The file is kept sealed, with what was read of it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use chrono::{Days, NaiveDate};
use domain::bank_statements::{CoveredDays, KeptStatement};
use domain::calendar;
use domain::money::Currency;
use http_kit::body::unread;
use http_kit::caller::Staff;
use http_kit::contract::words::{
    FileFormWord, FileFoundByWord, FileReasonWord, FileUncoveredWord, FileVerdictWord,
};
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;
use processes::bank_statements::{StatementStore, StoredStatement, load};
use projections::provider_account::query::{self, LineFilter, LineRow, PayoutRow};
use records::Records;
use serde::{Deserialize, Serialize};
use statements::compare::{
    ByHand, Comparison, FoundBy, Known, Line, OddRow, Verdict, check_account, compare,
};
use statements::{
    AccountOf, BYTES_MAX, Choices, Columns, DayOrder, DecimalSign, Fault, Form, Reason, Statement, decode,
    read_statement,
};
use utoipa::{IntoParams, ToSchema};

use super::decimals;
use super::kept_statements::{find_store, list_by_hand, not_kept};
use super::statement_refusals::refused;
use super::statement_views::{LineDecisionView, Names, StatementView};
use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        FINANCE,
        routes!(compare_file).layer(DefaultBodyLimit::max(BYTES_MAX)),
    )
}

/// Payouts and movements that a file is compared with, the newest.
const COMPARED: u64 = 10_000;
/// Days before and after a statement's entries in which payouts are offered for a match by hand.
const DAYS_AROUND: Days = Days::new(31);
/// Payouts that are offered, the newest.
const PAYOUTS_OFFERED: usize = 200;
/// Letters of a row that is not understood, in the answer.
const ROW_TEXT_MAX: usize = 200;

/// What a file does not say itself. Names of columns are those of a CSV file; camt and MT940 name their own.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// `Date`, or a usual name of banks, when not given.
    pub date: Option<String>,
    /// `Amount`, or a usual name of banks, when not given.
    pub amount: Option<String>,
    /// Of money that came in, where there are two columns instead of one.
    pub paid_in: Option<String>,
    /// Of money that went out, where there are two columns instead of one.
    pub paid_out: Option<String>,
    /// Says debit or credit beside amounts without a sign: `D/C`, `Af Bij`, when not given.
    pub sign: Option<String>,
    /// `Currency` when not given.
    pub currency: Option<String>,
    /// Reference of a payout, charge or refund; when not given, every cell with words.
    pub reference: Option<String>,
    /// The account's currency, for a file that names none.
    pub account_currency: Option<String>,
    /// `.` or `,`: the sign before decimal digits, for amounts that can be read in two ways.
    pub decimal: Option<String>,
    /// `day`, `month` or `year`: what comes first in days that can be read in two ways.
    pub days: Option<String>,
    /// `bank` or `provider`: whose account a CSV file is of, where payouts go out of it alone and it could be either.
    pub account_of: Option<String>,
}

/// One row of the file, or a payout that the file lacks.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileLine {
    /// Names the line where it is decided by hand; null for what the file lacks.
    pub place: Option<usize>,
    /// In CSV and MT940 the line, in camt the number of the entry; null for what the file lacks.
    pub line: Option<usize>,
    /// `2026-11-28`.
    pub date: String,
    pub amount_minor: i64,
    pub currency: String,
    pub decimals: u32,
    pub reference: String,
    #[schema(value_type = FileVerdictWord)]
    pub verdict: &'static str,
    /// The payout or movement that it is; several with `, ` between them.
    pub source: Option<String>,
    /// By its id, or by its amount alone; null where nothing was found.
    #[schema(value_type = Option<FileFoundByWord>)]
    pub by: Option<&'static str>,
    /// Amount of that as read at the provider; null where it is of another currency.
    pub there_minor: Option<i64>,
    /// The decision by hand; null without one.
    pub decided: Option<LineDecisionView>,
    /// Its words named someone who was forgotten.
    pub words_removed: bool,
}

/// A payout that no line of the statement is.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenPayout {
    pub id: String,
    pub amount_minor: i64,
    pub currency: String,
    pub decimals: u32,
    /// The day of its arrival, as the provider says it.
    pub day: String,
}

/// A row of the file that is no entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileOddRow {
    pub line: usize,
    /// As it is written, cut.
    pub text: String,
    #[schema(value_type = FileReasonWord)]
    pub reason: &'static str,
    /// The payout that its words name: it is not counted as missing.
    pub source: Option<String>,
}

/// The days of an account for which the file is complete: a payout is missing there alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileCovered {
    pub currency: String,
    pub first: String,
    pub last: String,
}

/// A file compared, in its own order, and then what it lacks.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileCompared {
    #[schema(value_type = FileFormWord)]
    pub form: &'static str,
    pub lines: Vec<FileLine>,
    /// Rows that were read as entries; a batch is one row and several lines.
    pub rows: usize,
    /// Account data, headings and totals around the table.
    pub headings: usize,
    /// Rows that may be entries and were not understood.
    pub not_understood: usize,
    /// Every row that is no entry, with its reason.
    pub odd_rows: Vec<FileOddRow>,
    pub covered: Vec<FileCovered>,
    /// Why the file, or a part of it, does not say for which days and currency it is complete.
    #[schema(value_type = Option<FileUncoveredWord>)]
    pub uncovered: Option<&'static str>,
    pub matched: usize,
    pub differing: usize,
    /// In the file alone.
    pub unknown: usize,
    /// Announced by the bank and not booked.
    pub pending: usize,
    /// Told by the bank for information: no money moved.
    pub informational: usize,
    /// Arrived by the provider's word, and not in the file; null where the file covers no days.
    pub missing: Option<usize>,
    /// Matched to a payout by a person.
    pub by_hand: usize,
    /// Said to be something else by a person.
    pub explained: usize,
    /// Payouts around the days of the file that no line is yet.
    pub open_payouts: Vec<OpenPayout>,
    /// As it is kept.
    pub statement: Option<StatementView>,
    /// The same file was given in before.
    pub was_known: bool,
}

/// `POST /api/v0/workspace/reconciliation/file`: the body is a CSV file, camt.052, .053 or .054, or MT940, of at most 4 MiB and 10,000 rows.
/// It is kept sealed for seven years; the same file is kept once.
///
/// # Errors
/// 422 for a file that cannot be read, with the line; 413 for one that is too long; 409 where lines of it were decided as it was read before.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/file", tag = "finance", params(FileQuery), request_body = String,
    responses((status = 200, body = Success<FileCompared>), (status = 409, body = Failure), (status = 413, body = Failure),
    (status = 422, body = Failure)))]
pub async fn compare_file(
    State(records): State<Records>,
    services: (State<Arc<Settings>>, State<Desk>),
    context: RequestContext,
    staff: Staff,
    Query(asked): Query<FileQuery>,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<Success<FileCompared>> {
    let (State(settings), State(desk)) = services;
    let body = body.map_err(|rejection| unread(&rejection))?;
    let choices = read_choices(&asked)?;
    let today = clock::now().date_naive();
    let known = load_known(&records).await?;
    let stored = run_aside(move || read_file(&body, &choices, today, &known)).await?;
    let stored = stored.map_err(|fault| refused(&fault))?;
    let asked = context.command(staff.actor(), &stored.file);
    let store = find_store(&records, &desk, &settings);
    let taken = store
        .take_in(&stored, staff.person.user_id, &asked)
        .await
        .map_err(not_kept)?;
    let all = load(&records.log).await?;
    let by_hand = list_by_hand(&all, Some(&taken.kept));
    let mut compared = compare_stored(stored, load_known(&records).await?, by_hand).await?;
    compared
        .explain(&taken.kept, store, &mut Names::new(&records, &settings))
        .await?;
    compared.was_known = taken.was_known;
    Ok(Success::new(compared))
}

/// Reads a file, with the payouts that its lines name.
fn read_file(
    body: &[u8],
    choices: &Choices,
    today: NaiveDate,
    known: &[Known],
) -> Result<StoredStatement, Fault> {
    let statement = read_statement(&decode(body)?, choices, today)?;
    check_account(&statement, known)?;
    let compared = compare(statement.clone(), known, &ByHand::default());
    let mut sources: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in compared.lines {
        if let Some(place) = line.place
            && !line.sources.is_empty()
        {
            sources.entry(place).or_default().extend(line.sources);
        }
    }
    Ok(StoredStatement::new(statement, sources, body))
}

/// Runs what takes long beside the answers of other requests.
async fn run_aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(ApiError::broken)
}

/// Compares a statement with what is known of the provider, and with what people decided.
pub(super) async fn compare_stored(
    stored: StoredStatement,
    known: Vec<Known>,
    by_hand: ByHand,
) -> ApiResult<FileCompared> {
    run_aside(move || {
        let statement = stored.statement;
        let covered = statement.covered.iter().map(|covered| FileCovered {
            currency: covered.currency.clone(),
            first: covered.first.to_string(),
            last: covered.last.to_string(),
        });
        let head = (statement.form, statement.rows, covered.collect());
        let days = find_days(&statement);
        let compared = compare(statement, &known, &by_hand);
        let open = list_open_payouts(&known, &compared, (&by_hand, days));
        let mut told = answer(head, compared);
        for line in &mut told.lines {
            line.words_removed = line.place.is_some_and(|place| stored.redacted.contains(&place));
        }
        told.open_payouts = open;
        told
    })
    .await
}

/// The days around a statement's entries in which its payouts are sought.
fn find_days(statement: &Statement) -> Option<(NaiveDate, NaiveDate)> {
    let days = || statement.entries.iter().map(|entry| entry.day);
    let first = days().min()?.checked_sub_days(DAYS_AROUND)?;
    Some((first, days().max()?.checked_add_days(DAYS_AROUND)?))
}

/// Payouts of these days that no line is yet, the newest first.
fn list_open_payouts(
    known: &[Known],
    compared: &Comparison,
    (by_hand, days): (&ByHand, Option<(NaiveDate, NaiveDate)>),
) -> Vec<OpenPayout> {
    let lines = compared.lines.iter().filter(|line| line.line.is_some());
    let named: HashSet<&str> = lines
        .flat_map(|line| line.sources.iter().map(String::as_str))
        .collect();
    let is_open = |one: &&Known| {
        one.is_payout
            && days.is_some_and(|(first, last)| (first..=last).contains(&one.day))
            && !by_hand.payouts.contains(&one.id)
            && !named.contains(one.id.as_str())
    };
    let open = known.iter().filter(is_open).take(PAYOUTS_OFFERED);
    open.map(|one| OpenPayout {
        id: one.id.clone(),
        amount_minor: one.amount_minor,
        decimals: decimals(&one.currency),
        currency: one.currency.clone(),
        day: one.day.to_string(),
    })
    .collect()
}

/// Payouts and movements of the provider that files are compared with.
pub(super) async fn load_known(records: &Records) -> ApiResult<Vec<Known>> {
    let pool = records.heard().await?;
    let payouts = query::payouts(pool, COMPARED).await?;
    let lines = query::lines(pool, &LineFilter::default(), COMPARED, 0).await?;
    Ok(list_known(&payouts, &lines))
}

impl FileCovered {
    pub(super) fn of_kept(days: &CoveredDays) -> Self {
        Self {
            currency: days.currency.clone(),
            first: days.first.to_string(),
            last: days.last.to_string(),
        }
    }
}

impl FileCompared {
    /// Adds the kept statement and who decided which line.
    pub(super) async fn explain(
        &mut self,
        kept: &KeptStatement,
        store: StatementStore<'_>,
        names: &mut Names<'_>,
    ) -> ApiResult<()> {
        let notes = store.open_notes(kept).await.map_err(not_kept)?;
        let decisions = names.show_decisions(kept, notes).await?;
        for line in &mut self.lines {
            line.decided = line.place.and_then(|place| decisions.get(&place)).cloned();
        }
        self.statement = Some(names.show(kept).await?);
        Ok(())
    }
}

/// What a person chose, or which choice is none.
fn read_choices(asked: &FileQuery) -> ApiResult<Choices> {
    let named = |given: &Option<String>| {
        let given = given.as_deref().map(str::trim).filter(|name| !name.is_empty());
        given.map(|name| name.chars().take(100).collect::<String>())
    };
    let no_choice =
        |field: &'static str| ApiError::invalid_field(field, "no_choice", say("refusal.file_no_choice"));
    let currency = named(&asked.account_currency)
        .map(|code| Currency::from_code(&code).ok_or_else(|| no_choice("account_currency")));
    let decimal = named(&asked.decimal).map(|sign| match sign.as_str() {
        "." => Ok(DecimalSign::Point),
        "," => Ok(DecimalSign::Comma),
        _ => Err(no_choice("decimal")),
    });
    let order = named(&asked.days).map(|first| match first.as_str() {
        "day" => Ok(DayOrder::DayFirst),
        "month" => Ok(DayOrder::MonthFirst),
        "year" => Ok(DayOrder::YearFirst),
        _ => Err(no_choice("days")),
    });
    let account_of = named(&asked.account_of).map(|account| match account.as_str() {
        "bank" => Ok(AccountOf::Bank),
        "provider" => Ok(AccountOf::Provider),
        _ => Err(no_choice("account_of")),
    });
    Ok(Choices {
        columns: Columns {
            date: named(&asked.date),
            amount: named(&asked.amount),
            paid_in: named(&asked.paid_in),
            paid_out: named(&asked.paid_out),
            sign: named(&asked.sign),
            currency: named(&asked.currency),
            reference: named(&asked.reference),
        },
        currency: currency.transpose()?,
        decimal: decimal.transpose()?,
        order: order.transpose()?,
        account_of: account_of.transpose()?,
    })
}

/// Payouts, which a bank's file is expected to list, and other movements, which a report of the provider lists.
fn list_known(payouts: &[PayoutRow], lines: &[LineRow]) -> Vec<Known> {
    let day = |moment: &str| moment.get(..10).and_then(calendar::read_day);
    let of_payout = payouts.iter().filter_map(|payout| {
        Some(Known {
            id: payout.payout_id.clone(),
            amount_minor: payout.amount_minor,
            currency: payout.currency.clone(),
            day: day(&payout.arrives_at)?,
            is_paid_out: payout.status == "paid",
            is_payout: true,
        })
    });
    let of_line = lines.iter().filter_map(|line| {
        Some(Known {
            id: line.source.clone().or_else(|| line.line_id.clone())?,
            amount_minor: line.amount_minor,
            currency: line.currency.clone(),
            day: day(&line.created_at)?,
            is_paid_out: false,
            is_payout: false,
        })
    });
    of_payout.chain(of_line).collect()
}

fn answer((form, rows, covered): (Form, usize, Vec<FileCovered>), compared: Comparison) -> FileCompared {
    let headings = compared
        .odd
        .iter()
        .filter(|odd| odd.row.reason == Reason::Heading)
        .count();
    FileCompared {
        form: form.name(),
        rows,
        headings,
        not_understood: compared.odd.len() - headings,
        matched: compared.count(Verdict::Matched),
        differing: compared.count(Verdict::Differing),
        unknown: compared.count(Verdict::Unknown),
        pending: compared.count(Verdict::Pending),
        informational: compared.count(Verdict::Informational),
        missing: (!covered.is_empty()).then(|| compared.count(Verdict::Missing)),
        by_hand: compared.count(Verdict::ByHand),
        explained: compared.count(Verdict::Explained),
        open_payouts: Vec::new(),
        statement: None,
        was_known: false,
        covered,
        uncovered: compared.uncovered.map(statements::Uncovered::name),
        odd_rows: compared.odd.into_iter().map(odd_row).collect(),
        lines: compared.lines.into_iter().map(file_line).collect(),
    }
}

fn odd_row(odd: OddRow) -> FileOddRow {
    FileOddRow {
        line: odd.row.line,
        text: odd.row.text.chars().take(ROW_TEXT_MAX).collect(),
        reason: odd.row.reason.name(),
        source: odd.source,
    }
}

fn file_line(line: Line) -> FileLine {
    FileLine {
        place: line.place,
        decided: None,
        words_removed: false,
        line: line.line,
        date: line.day.to_string(),
        amount_minor: line.amount_minor,
        currency: line.currency,
        decimals: line.decimals,
        reference: line.reference,
        verdict: line.verdict.name(),
        source: (!line.sources.is_empty()).then(|| line.sources.join(", ")),
        by: line.by.map(FoundBy::name),
        there_minor: line.there_minor,
    }
}
