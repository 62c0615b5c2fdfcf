//! Questions to the leads' list.

use std::str::FromStr;

use domain::contact::{Email, Phone};
use domain::id::{BookingFormId, InventoryId, LeadId, PaymentId, UserId};
use domain::lead::LeadStatus;
use eventlog::HandleHasher;
use sqlx::{AnyConnection, AnyPool};
use tables::{Flag, Statement};

use super::attention::{Attention, DeskTime};
pub use super::by_link::{find_by_former_link, find_by_uuid, find_form};
pub use super::filter::Filter;
use super::filter::{Term, terms};
use super::{Ownership, personal_token};

/// One lead in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRow {
    pub lead_id: String,
    pub position: i64,
    pub person_id: String,
    pub reference: String,
    pub root_id: Option<String>,
    pub inventory_id: Option<String>,
    pub property: Option<String>,
    pub status: String,
    pub source: Option<String>,
    pub owner: Option<String>,
    pub is_repeat: Flag,
    /// A colleague's message or recorded call has reached its student.
    pub answered: Flag,
    pub name_masked: String,
    pub email_masked: String,
    pub phone_masked: String,
    pub form_id: Option<String>,
    pub payment_id: Option<String>,
    pub created_at: String,
    pub last_event_at: String,
    /// `declined`, `pending` or `disputed`.
    pub payment_state: Option<String>,
    /// Milliseconds since 1970.
    pub hold_until: Option<i64>,
    /// `held` while it waits for a review.
    pub referral: Option<String>,
}

tables::from_row!(BoardRow {
    lead_id,
    position,
    person_id,
    reference,
    root_id,
    inventory_id,
    property,
    status,
    source,
    owner,
    is_repeat,
    answered,
    name_masked,
    email_masked,
    phone_masked,
    form_id,
    payment_id,
    created_at,
    last_event_at,
    payment_state,
    hold_until,
    referral
});

impl BoardRow {
    pub fn id(&self) -> Option<LeadId> {
        LeadId::from_str(&self.lead_id).ok()
    }

    pub fn person(&self) -> Option<UserId> {
        UserId::from_str(&self.person_id).ok()
    }

    pub fn status(&self) -> LeadStatus {
        LeadStatus::from_key(&self.status).unwrap_or_default()
    }

    /// It has no answer and is still to get one.
    pub fn waits(&self) -> bool {
        let status = self.status();
        !self.answered.is_set() && !status.is_closed() && status != LeadStatus::Booked
    }

    pub fn payment(&self) -> Option<PaymentId> {
        self.payment_id
            .as_deref()
            .and_then(|id| PaymentId::from_str(id).ok())
    }

    pub fn form(&self) -> Option<BookingFormId> {
        self.form_id
            .as_deref()
            .and_then(|id| BookingFormId::from_str(id).ok())
    }
}

const COLUMNS: &str = "lead_id, position, person_id, reference, root_id, inventory_id, property, status, source, owner,
    is_repeat, answered, name_masked, email_masked, phone_masked, form_id, payment_id, created_at, last_event_at, payment_state, hold_until, referral";

/// A page of leads, how many there are, how many per status whatever status is asked for, and how many per reason to look at one
/// whatever reason is asked for.
#[derive(Debug, Clone, Default)]
pub struct Board {
    pub rows: Vec<BoardRow>,
    pub total: u64,
    pub counts: Vec<(String, u64)>,
    pub attention: Vec<(Attention, u64)>,
}

/// One lead's row.
///
/// # Errors
/// When the read models cannot be read.
pub async fn row(pool: &AnyPool, lead_id: LeadId) -> Result<Option<BoardRow>, sqlx::Error> {
    let mut query = Statement::new(format!("select {COLUMNS} from lead_board where lead_id = "));
    query.push_bind(lead_id.to_string());
    query.build_query_as()?.fetch_optional(pool).await
}

/// Other leads that name the same address or number, the newest first: one person may have sent both.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_same_person(
    pool: &AnyPool,
    lead_id: LeadId,
    limit: i64,
) -> Result<Vec<BoardRow>, sqlx::Error> {
    let id = lead_id.to_string();
    let mut query = Statement::new(format!("select {COLUMNS} from lead_board where lead_id <> "));
    query.push_bind(id.clone());
    query.push(" and (email_hash = (select email_hash from lead_board where lead_id = ");
    query.push_bind(id.clone());
    query.push(") or phone_hash = (select phone_hash from lead_board where lead_id = ");
    query
        .push_bind(id)
        .push(")) order by created_at desc, lead_id limit ");
    query.push_bind(limit);
    query.build_query_as()?.fetch_all(pool).await
}

/// Other leads of the same address, newest first. Numbers do not count: an unproved number may be another person's.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_same_address(
    pool: &AnyPool,
    lead_id: LeadId,
    limit: i64,
) -> Result<Vec<BoardRow>, sqlx::Error> {
    let id = lead_id.to_string();
    let mut query = Statement::new(format!("select {COLUMNS} from lead_board where lead_id <> "));
    query.push_bind(id.clone());
    query.push(" and email_hash = (select email_hash from lead_board where lead_id = ");
    query.push_bind(id);
    query.push(") order by created_at desc, lead_id limit ");
    query.push_bind(limit);
    query.build_query_as()?.fetch_all(pool).await
}

/// The people whose leads name a number, which need not be proved theirs.
///
/// # Errors
/// When the read models cannot be read.
pub async fn people_with_number(
    pool: &AnyPool,
    hasher: &HandleHasher,
    phone: &Phone,
) -> Result<Vec<UserId>, sqlx::Error> {
    let mut query = Statement::new("select distinct person_id from lead_board where phone_hash = ");
    query.push_bind(personal_token(hasher, "phone", phone.e164()));
    query.push(" order by person_id");
    let rows: Vec<(String,)> = query.build_query_as()?.fetch_all(pool).await?;
    Ok(rows.iter().filter_map(|(id,)| id.parse().ok()).collect())
}

/// The references of a person's leads whose room is booked and whose stay has not been closed.
///
/// # Errors
/// When the read models cannot be read.
pub async fn booked_of(pool: &AnyPool, person: UserId) -> Result<Vec<String>, sqlx::Error> {
    let mut query =
        Statement::new("select reference from lead_board where status = 'booked' and (person_id = ");
    query.push_bind(person.to_string());
    query.push(" or claimed_by = ").push_bind(person.to_string());
    query.push(") order by created_at, lead_id");
    let rows: Vec<(String,)> = query.build_query_as()?.fetch_all(pool).await?;
    Ok(rows.into_iter().map(|(reference,)| reference).collect())
}

/// The leads that name an address, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn naming(
    pool: &AnyPool,
    hasher: &HandleHasher,
    email: &Email,
    limit: i64,
) -> Result<Vec<BoardRow>, sqlx::Error> {
    let mut query = Statement::new(format!("select {COLUMNS} from lead_board where email_hash = "));
    query.push_bind(super::personal_token(hasher, "email", &email.canonical()));
    query
        .push(" order by created_at desc, lead_id limit ")
        .push_bind(limit);
    query.build_query_as()?.fetch_all(pool).await
}

/// The leads of these people for this property, newest first: what a further enquiry repeats (D83).
///
/// # Errors
/// When the read models cannot be read.
pub async fn find_earlier(
    pool: &AnyPool,
    owner: &Ownership,
    root: InventoryId,
    limit: i64,
) -> Result<Vec<BoardRow>, sqlx::Error> {
    let mut query = Statement::new(format!("select {COLUMNS} from lead_board where root_id = "));
    query.push_bind(root.to_string()).push(" and ");
    push_ownership(&mut query, owner);
    query.push(" order by created_at desc limit ").push_bind(limit);
    query.build_query_as()?.fetch_all(pool).await
}

/// Which of a person's leads are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those nobody logged in has claimed yet.
    Unclaimed,
    Booked,
    Enquired,
}

/// A person's own leads, newest first. What was sent without a login is not among them until it is claimed (T5).
///
/// # Errors
/// When the read models cannot be read.
pub async fn owned(
    pool: &AnyPool,
    owner: &Ownership,
    which: Which,
    page: u64,
    limit: u64,
) -> Result<Board, sqlx::Error> {
    let narrow = |query: &mut Statement| {
        push_ownership(query, owner);
        query.push(match which {
            Which::Unclaimed => " and is_claimed = 0",
            Which::Booked => " and is_claimed = 1 and status in ('booked', 'completed')",
            Which::Enquired => " and is_claimed = 1 and status not in ('booked', 'completed')",
        });
    };
    let mut count = Statement::new("select count(*) from lead_board where ");
    narrow(&mut count);
    let (total,): (i64,) = count.build_query_as()?.fetch_one(pool).await?;
    let mut query = Statement::new(format!("select {COLUMNS} from lead_board where "));
    narrow(&mut query);
    push_page(query.push(" order by created_at desc, lead_id"), page, limit);
    let rows = query.build_query_as()?.fetch_all(pool).await?;
    Ok(Board {
        rows,
        total: total.cast_unsigned(),
        counts: vec![],
        attention: vec![],
    })
}

/// The workspace's list, the most urgent lead first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(
    pool: &AnyPool,
    hasher: &HandleHasher,
    filter: &Filter,
    page: u64,
    limit: u64,
) -> Result<Board, sqlx::Error> {
    let terms = terms(pool, hasher, filter).await?;
    let mut connection = pool.acquire().await?;
    let (counting, listing) = list_statements(filter, &terms, (page, limit), &connection);
    let counted: Vec<Counted> = counting.build_query_as()?.fetch_all(&mut *connection).await?;
    let mut board = tallied(&counted, filter);
    board.rows = listing.build_query_as()?.fetch_all(&mut *connection).await?;
    Ok(board)
}

/// What counts a list, and what reads one page of it.
fn list_statements(
    filter: &Filter,
    terms: &[Term],
    (page, limit): (u64, u64),
    connection: &AnyConnection,
) -> (Statement, Statement) {
    let narrow = |query: &mut Statement| filter.push(query, terms, connection);
    let counting = counting(&narrow, &filter.time);
    let mut listing = Statement::new(format!("select {COLUMNS} from lead_board where "));
    narrow(&mut listing);
    if let Some(status) = filter.status {
        listing.push(" and status = ").push_bind(status.key());
    }
    if let Some(reason) = filter.attention {
        listing.push(" and ");
        reason.push(&mut listing, &filter.time);
    }
    Attention::push_order(&mut listing, &filter.time);
    push_page(&mut listing, page, limit);
    (counting, listing)
}

/// The position of the newest event that the list has folded; 0 before the first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn newest(pool: &AnyPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select coalesce(max(position), 0) from lead_board")
        .fetch_one(pool)
        .await
}

/// How many leads a filter leaves.
///
/// # Errors
/// When the read models cannot be read.
pub async fn count(pool: &AnyPool, hasher: &HandleHasher, filter: &Filter) -> Result<u64, sqlx::Error> {
    let terms = terms(pool, hasher, filter).await?;
    let mut connection = pool.acquire().await?;
    let mut query = Statement::new("select count(*) from lead_board where ");
    filter.push(&mut query, &terms, &connection);
    if let Some(status) = filter.status {
        query.push(" and status = ").push_bind(status.key());
    }
    if let Some(reason) = filter.attention {
        query.push(" and ");
        reason.push(&mut query, &filter.time);
    }
    let (count,): (i64,) = query.build_query_as()?.fetch_one(&mut *connection).await?;
    Ok(count.cast_unsigned())
}

/// How many leads of a status there are, and how many of them have each reason to be looked at.
struct Counted {
    status: String,
    found: i64,
    hold_ending: i64,
    disputed: i64,
    late: i64,
    unanswered: i64,
    declined: i64,
    pending: i64,
    referral_held: i64,
}

tables::from_row!(Counted {
    status,
    found,
    hold_ending,
    disputed,
    late,
    unanswered,
    declined,
    pending,
    referral_held
});

/// The statement that counts, status by status.
fn counting(narrow: &impl Fn(&mut Statement), time: &DeskTime) -> Statement {
    let mut counting = Statement::new("select status, count(*) as found");
    for reason in Attention::ALL {
        counting.push(", count(case when ");
        reason.push(&mut counting, time);
        counting.push(" then 1 end) as ").push(reason.key());
    }
    counting.push(" from lead_board where ");
    narrow(&mut counting);
    counting.push(" group by status");
    counting
}

impl Counted {
    /// Leads with a reason.
    const fn with(&self, reason: Attention) -> u64 {
        let count = match reason {
            Attention::HoldEnding => self.hold_ending,
            Attention::Disputed => self.disputed,
            Attention::Late => self.late,
            Attention::Unanswered => self.unanswered,
            Attention::Declined => self.declined,
            Attention::Pending => self.pending,
            Attention::ReferralHeld => self.referral_held,
        };
        count.cast_unsigned()
    }

    /// Leads with the reason that is asked for.
    fn of(&self, filter: &Filter) -> u64 {
        let all = self.found.cast_unsigned();
        filter.attention.map_or(all, |reason| self.with(reason))
    }

    fn is_asked_for(&self, filter: &Filter) -> bool {
        filter.status.is_none_or(|status| status.key() == self.status)
    }
}

/// The counts of a list whose rows are still to come.
fn tallied(counted: &[Counted], filter: &Filter) -> Board {
    let shown = || counted.iter().filter(|of| of.is_asked_for(filter));
    let counts = counted.iter().map(|of| (of.status.clone(), of.of(filter)));
    let with = |reason| shown().map(|of| of.with(reason)).sum();
    Board {
        rows: vec![],
        total: shown().map(|of| of.of(filter)).sum(),
        counts: counts.filter(|(_, count)| *count > 0).collect(),
        attention: Attention::ALL.map(|reason| (reason, with(reason))).into(),
    }
}

fn push_page(query: &mut Statement, page: u64, limit: u64) {
    let offset = page
        .saturating_sub(1)
        .saturating_mul(limit)
        .min(i64::MAX.cast_unsigned());
    query
        .push(" limit ")
        .push_bind(limit.cast_signed())
        .push(" offset ")
        .push_bind(offset.cast_signed());
}

/// A claimed lead is its claimer's alone. Where no claimer is written down, it is of the address that it names now, and a claimed
/// one of the account that it was sent for.
fn push_ownership(query: &mut Statement, owner: &Ownership) {
    let person = owner.user_id.map(|id| id.to_string()).unwrap_or_default();
    let push_named = |query: &mut Statement| {
        if let Some(hash) = &owner.email_hash {
            query.push(" or email_hash = ").push_bind(hash.clone());
        }
    };
    // What the indexes find, then which of it is theirs.
    query.push("(claimed_by = ").push_bind(person.clone());
    query.push(" or person_id = ").push_bind(person.clone());
    push_named(query);
    query.push(") and (claimed_by = ").push_bind(person.clone());
    query.push(" or claimed_by is null and (is_claimed = 1 and person_id = ");
    query.push_bind(person);
    push_named(query);
    query.push("))");
}
