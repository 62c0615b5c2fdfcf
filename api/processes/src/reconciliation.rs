//! The reconciliation (row J3): the provider's movements and payouts and our books against each other. Each exception says what
//! differs by how much and, where a posting mends it, which one.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use domain::gateway_event::{GatewayEvent, GatewayEventCommand};
use domain::id::ApprovalId;
use domain::moment::Moment;
use domain::money::Currency;
use domain::payment::ledger::Account;
use eventlog::{Actor, CommitError, Context, EventLog, commit};
use gateway::notice;
use platform::clock;
use platform::config::Settings;
use projections::approvals;
use projections::payment_audit::{instant, reference};
use projections::provider_account::query::{self, LineFilter, LineRow};
use projections::reconciliation::{self, FeeRow, TotalRow};
use records::error::RecordsResult;
use sqlx::AnyPool;

use crate::bank_statements::list_matched;

mod mended;
mod sums;

use mended::unmended;
use sums::{of_provider_below_zero, of_totals};

/// Exceptions of each kind that are listed; more are as red.
const LISTED: u64 = 500;

/// Days after which the provider has listed every movement: one that it does not list by then is a difference, also where it has listed
/// nothing since. Stripe makes a balance transaction with the charge; the test gateway lists within seconds.
const LISTING_DAYS: i64 = 1;

/// The moment before which the provider has listed everything by now.
pub fn listed_before(now: Moment) -> String {
    instant(now - TimeDelta::days(LISTING_DAYS))
}

/// What is compared, in the order of the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The provider moved money that the books do not know.
    MissingHere,
    /// The books know money that the provider does not list.
    MissingThere,
    /// Both know it, with another amount or currency.
    Differing,
    /// The provider kept another fee than agreed.
    FeeDiffers,
    /// One charge was told under two ids.
    ToldTwice,
    /// A payout has not arrived when it was promised.
    PayoutLate,
    /// A payout is not the sum of its movements.
    PayoutDiffers,
    /// All accounts of a currency do not sum to zero.
    Unbalanced,
    /// More went out of an asset than came in, and at the provider its own balance does not say the same.
    BelowZero,
    /// Both sides come to other sums, and the single movements that differ do not come to that difference.
    TotalDiffers,
}

impl Check {
    pub const ALL: [Self; 10] = [
        Self::MissingHere,
        Self::MissingThere,
        Self::Differing,
        Self::FeeDiffers,
        Self::ToldTwice,
        Self::PayoutLate,
        Self::PayoutDiffers,
        Self::Unbalanced,
        Self::BelowZero,
        Self::TotalDiffers,
    ];

    /// The check that an exception's name begins with.
    fn of(item: &str) -> Option<Self> {
        let (name, _) = item.split_once(':')?;
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// The word that travels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MissingHere => "missing_here",
            Self::MissingThere => "missing_there",
            Self::Differing => "differing",
            Self::FeeDiffers => "fee_differs",
            Self::ToldTwice => "told_twice",
            Self::PayoutLate => "payout_late",
            Self::PayoutDiffers => "payout_differs",
            Self::Unbalanced => "unbalanced",
            Self::BelowZero => "below_zero",
            Self::TotalDiffers => "total_differs",
        }
    }
}

/// The one posting that mends an exception; an amount above zero in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mending {
    pub debit: Account,
    pub credit: Account,
    pub amount_minor: u64,
}

/// What does not agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    pub check: Check,
    /// Names it between two runs, e.g. `fee_differs:txn_1`.
    pub item: String,
    /// What the provider says, signed minor units.
    pub there_minor: Option<i64>,
    /// What the books or the agreement say.
    pub here_minor: Option<i64>,
    pub currency: String,
    pub at: String,
    /// The provider's object.
    pub source: Option<String>,
    pub payment_id: Option<String>,
    pub reference: Option<String>,
    pub mending: Option<Mending>,
    /// The request for its mending that waits for a second person.
    pub approval_id: Option<String>,
    /// How many corrections of it were approved before its amount changed.
    pub corrections: usize,
}

/// The request for the mending of an exception of which so many corrections were approved: one, however many people ask for it at once,
/// and another after each that was approved.
pub fn request_id(item: &str, corrections: usize) -> ApprovalId {
    let name = match corrections {
        0 => item.to_owned(),
        before => format!("{item}#{before}"),
    };
    ApprovalId(notice::named("correction", &name))
}

impl Exception {
    /// The request for its mending.
    pub fn request_id(&self) -> ApprovalId {
        request_id(&self.item, self.corrections)
    }

    /// By how much both sides differ, signed.
    pub fn difference_minor(&self) -> i64 {
        self.there_minor.unwrap_or_default() - self.here_minor.unwrap_or_default()
    }
}

/// One comparison of everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub exceptions: Vec<Exception>,
    pub totals: Vec<TotalRow>,
    /// The provider's newest movement that was read.
    pub newest: Option<String>,
    /// Checks of which every exception is listed: what is missing there is no exception any more.
    pub whole: Vec<Check>,
}

impl Run {
    /// Whether a posting mends an exception as it stands now; also where no list is long enough to tell.
    pub fn needs(&self, item: &str, mending: Mending) -> bool {
        let found = self.exceptions.iter().find(|found| found.item == item);
        let may_be_unlisted = Check::of(item).is_none_or(|check| !self.whole.contains(&check));
        found.map_or(may_be_unlisted, |found| found.mending == Some(mending))
    }
}

/// Compares what was read of the provider's account with the books, as both stand. A payout that finance matched to a line of the bank's
/// statement arrived.
///
/// # Errors
/// When the read models or the log cannot be read.
pub async fn run(pool: &AnyPool, log: &EventLog, settings: &Settings, now: Moment) -> RecordsResult<Run> {
    let arrived = list_matched(log).await?;
    let (mut found, mut whole) = (Vec::new(), Vec::new());
    let is_whole = |rows: usize| u64::try_from(rows).is_ok_and(|rows| rows < LISTED);
    for check in [Check::MissingHere, Check::MissingThere, Check::Differing] {
        let filter = LineFilter {
            verdict: Some(check.name().to_owned()),
            listed_before: Some(listed_before(now)),
            ..LineFilter::default()
        };
        let lines = query::lines(pool, &filter, LISTED, 0).await?;
        whole.extend(is_whole(lines.len()).then_some(check));
        found.extend(lines.into_iter().map(of_line));
    }
    let agreed = (settings.provider_fee_permille, settings.provider_fee_fixed);
    if agreed != (0, 0) {
        let charges = reconciliation::charges(pool, LISTED).await?;
        whole.extend(is_whole(charges.len()).then_some(Check::FeeDiffers));
        found.extend(charges.into_iter().filter_map(|charge| of_fee(charge, agreed)));
    }
    for row in reconciliation::repeats(pool, LISTED).await? {
        found.push(Exception {
            there_minor: Some(row.amount_minor.saturating_mul(2)),
            here_minor: Some(row.amount_minor),
            at: row.received_at,
            source: Some(row.object_id),
            payment_id: Some(row.payment_id),
            reference: row.reference,
            ..exception(Check::ToldTwice, &row.gateway_event_id, row.currency)
        });
    }
    found.extend(of_payouts(pool, now, &arrived).await?);
    let totals = reconciliation::totals(pool, &listed_before(now)).await?;
    found.extend(of_books(pool, &totals, now).await?);
    let requests = approvals::items(pool).await?;
    let mended = reconciliation::mended(pool).await?;
    let mut exceptions = unmended(found, requests, mended, (&whole, now));
    exceptions.extend(of_totals(&totals, &exceptions, &whole, now));
    Ok(Run {
        exceptions,
        totals,
        whole,
        newest: query::newest(pool).await?,
    })
}

fn exception(check: Check, id: &str, currency: String) -> Exception {
    Exception {
        check,
        item: format!("{}:{id}", check.name()),
        there_minor: None,
        here_minor: None,
        currency,
        at: String::new(),
        source: None,
        payment_id: None,
        reference: None,
        mending: None,
        approval_id: None,
        corrections: 0,
    }
}

/// From suspense to the provider's account or back.
const fn at_gateway(amount: i64) -> Option<Mending> {
    let (debit, credit) = if amount > 0 {
        (Account::GatewayClearing, Account::Suspense)
    } else {
        (Account::Suspense, Account::GatewayClearing)
    };
    if amount == 0 {
        return None;
    }
    Some(Mending {
        debit,
        credit,
        amount_minor: amount.unsigned_abs(),
    })
}

fn of_line(line: LineRow) -> Exception {
    let check = match line.verdict.as_str() {
        "missing_here" => Check::MissingHere,
        "missing_there" => Check::MissingThere,
        _ => Check::Differing,
    };
    let there = (check != Check::MissingThere).then_some(line.amount_minor);
    let missing = there.unwrap_or_default() - line.here_minor.unwrap_or_default();
    // A dispute's fee is posted with the dispute: without one the whole movement is missing.
    let missing = match (check, line.kind.as_str()) {
        (Check::MissingHere, "adjustment") => line.net_minor,
        _ => missing,
    };
    let is_same = line
        .here_currency
        .as_ref()
        .is_none_or(|here| *here == line.currency);
    let id = line
        .line_id
        .as_deref()
        .or(line.source.as_deref())
        .unwrap_or_default();
    Exception {
        there_minor: there,
        here_minor: line.here_minor,
        at: line.created_at,
        // The books hold the settled amount of an exchanged charge already.
        mending: at_gateway(missing).filter(|_| is_same && line.exchange_rate.is_none()),
        ..exception(check, id, line.currency)
    }
    .about(line.source, line.payment_id, line.reference)
}

impl Exception {
    fn about(self, source: Option<String>, payment_id: Option<String>, known: Option<String>) -> Self {
        let named = payment_id
            .as_deref()
            .and_then(|id| id.parse().ok())
            .map(reference);
        Self {
            source,
            reference: known.or(named),
            payment_id,
            ..self
        }
    }
}

/// Whether an agreement with so many hundredths besides says what is kept in a currency: in those whose unit is worth about a dollar.
fn is_agreed_in(currency: &str, fixed: u32) -> bool {
    let is_like_dollar = |one: Currency| one.minor_of_dollars(1) == 100;
    fixed == 0 || Currency::from_code(currency).is_some_and(is_like_dollar)
}

/// A fee that is further from the agreed one than rounding explains. What was kept is a cost already: the difference becomes a claim.
fn of_fee(charge: FeeRow, (permille, fixed): (u32, u32)) -> Option<Exception> {
    if !is_agreed_in(&charge.currency, fixed) {
        return None;
    }
    let agreed = charge.amount_minor * i64::from(permille) / 1_000 + i64::from(fixed);
    let more = charge.fee_minor - agreed;
    if more.abs() <= 1 {
        return None;
    }
    let (debit, credit) = if more > 0 {
        (Account::Suspense, Account::GatewayFees)
    } else {
        (Account::GatewayFees, Account::Suspense)
    };
    let mending = Mending {
        debit,
        credit,
        amount_minor: more.unsigned_abs(),
    };
    let differs = Exception {
        there_minor: Some(charge.fee_minor),
        here_minor: Some(agreed),
        at: charge.created_at,
        mending: Some(mending),
        ..exception(Check::FeeDiffers, &charge.line_id, charge.currency)
    };
    Some(differs.about(charge.source, charge.payment_id, charge.reference))
}

async fn of_payouts(
    pool: &AnyPool,
    now: Moment,
    arrived: &BTreeSet<String>,
) -> Result<Vec<Exception>, sqlx::Error> {
    let yesterday = now - TimeDelta::days(1);
    let late = query::late_payouts(pool, &instant(now), &instant(yesterday)).await?;
    let late = late
        .into_iter()
        .filter(|payout| !arrived.contains(&payout.payout_id));
    let late = late.map(|payout| Exception {
        there_minor: Some(payout.amount_minor),
        at: payout.arrives_at,
        source: Some(payout.payout_id.clone()),
        ..exception(Check::PayoutLate, &payout.payout_id, payout.currency)
    });
    let mut found: Vec<Exception> = late.collect();
    for payout in query::payouts(pool, LISTED).await? {
        if payout.is_whole() == Some(false) {
            found.push(Exception {
                there_minor: Some(payout.amount_minor),
                here_minor: Some(payout.items_minor),
                at: payout.created_at,
                source: Some(payout.payout_id.clone()),
                ..exception(Check::PayoutDiffers, &payout.payout_id, payout.currency)
            });
        }
    }
    Ok(found)
}

/// Finds the faults of the books alone: debits and credits that differ, and assets below zero.
async fn of_books(pool: &AnyPool, totals: &[TotalRow], now: Moment) -> Result<Vec<Exception>, sqlx::Error> {
    let unbalanced = totals.iter().filter(|total| total.books_minor != 0);
    let unbalanced = unbalanced.map(|total| Exception {
        here_minor: Some(total.books_minor),
        at: instant(now),
        ..exception(Check::Unbalanced, &total.currency, total.currency.clone())
    });
    let below = reconciliation::assets_below_zero(pool).await?;
    // The provider's account is compared with the provider's own balance instead, which may be below zero.
    let below = below
        .into_iter()
        .filter(|row| row.account != Account::GatewayClearing.name());
    let below = below.map(|row| Exception {
        here_minor: Some(row.balance_minor),
        at: instant(now),
        ..below_zero(&row.account, row.currency)
    });
    let at_provider = of_provider_below_zero(totals, now);
    Ok(unbalanced.chain(below).chain(at_provider).collect())
}

fn below_zero(account: &str, currency: String) -> Exception {
    Exception {
        source: Some(account.to_owned()),
        ..exception(Check::BelowZero, &format!("{account}:{currency}"), currency)
    }
}

/// After the provider's account was read: notices that came twice are checked off where the account holds their charge once.
///
/// # Errors
/// When the read models cannot be read or the log takes nothing.
pub async fn check_repeats(log: &EventLog, pool: &AnyPool) -> Result<Option<u64>, CheckError> {
    let mut reached = None;
    for row in reconciliation::repeats(pool, LISTED).await? {
        if !reconciliation::is_charged_once(pool, &row.payment_id).await? {
            continue;
        }
        let at = clock::now();
        let context = Context::new(at, Actor::GATEWAY);
        let stream = notice::stream_of(&row.gateway_event_id);
        match commit::<GatewayEvent>(log, stream, GatewayEventCommand::Check { at }, &context).await {
            Ok(committed) => reached = reached.max(Some(committed.position)),
            Err(CommitError::Rejected(_) | CommitError::CommandReused) => {}
            Err(CommitError::Log(error)) => return Err(error.into()),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => return Err(CheckError::Busy),
        }
    }
    Ok(reached)
}

/// Why repeated notices could not be checked off.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("the read models cannot be read: {0}")]
    ReadModels(#[from] sqlx::Error),
    #[error(transparent)]
    Log(#[from] eventlog::LogError),
    #[error("the log is busy")]
    Busy,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charge(fee_minor: i64) -> FeeRow {
        FeeRow {
            line_id: "txn_1".to_owned(),
            source: Some("ch_1".to_owned()),
            amount_minor: 25_907,
            fee_minor,
            currency: "GBP".to_owned(),
            created_at: String::new(),
            payment_id: None,
            reference: None,
        }
    }

    #[test]
    fn fee_is_compared_with_the_agreed_rate() {
        assert_eq!(of_fee(charge(408), (15, 20)), None);
        assert_eq!(of_fee(charge(409), (15, 20)), None);
        let dear = of_fee(charge(508), (15, 20)).unwrap();
        assert_eq!(
            (dear.difference_minor(), dear.item.as_str()),
            (100, "fee_differs:txn_1")
        );
        let mending = dear.mending.unwrap();
        assert_eq!((mending.debit, mending.amount_minor), (Account::Suspense, 100));
        assert!(is_agreed_in("JPY", 0) && !is_agreed_in("JPY", 20));
    }

    /// Its line has posted the settled amount against exchange differences: a posting of the same amount would count it twice.
    #[test]
    fn exchanged_charge_that_is_missing_has_no_posting() {
        let line = |exchange_rate: Option<&str>| LineRow {
            line_id: Some("txn_1".to_owned()),
            kind: "charge".to_owned(),
            source: Some("ch_1".to_owned()),
            amount_minor: 25_907,
            fee_minor: 408,
            net_minor: 25_499,
            currency: "GBP".to_owned(),
            created_at: String::new(),
            available_at: None,
            payout_id: None,
            payment_id: None,
            reference: None,
            here_minor: None,
            here_currency: None,
            exchange_rate: exchange_rate.map(str::to_owned),
            verdict: "missing_here".to_owned(),
        };
        assert_eq!(of_line(line(None)).mending, at_gateway(25_907));
        assert_eq!(of_line(line(Some("0.78"))).mending, None);
    }
}
