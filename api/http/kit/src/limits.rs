//! How much one address or one person may send, and how much may be sent about one home (D86, T20). Counted in tables that
//! all nodes share, or by one server in its memory and written down behind the answer (decision 0020); addresses lie there
//! as keyed hashes, until what they did no longer counts.

use std::net::IpAddr;

use domain::id::{BookingFormId, InventoryId, LeadId, UserId};
use eventlog::HandleHasher;
use platform::{clock, network};
use sqlx::AnyConnection;
use tables::{Database, Durability, Place, Purpose, Statement};
use tokio::sync::watch;

use crate::error::{ApiError, ApiResult};
use crate::said::say;

mod ledger;
mod mirror;
mod second_factor;
mod tokens;

use ledger::Ledger;
pub use tokens::Token;

const PURPOSE: Purpose = Purpose {
    name: "limits",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/limits/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/limits/postgres"),
    // A power cut forgives.
    durability: Durability::None,
    connections: 1,
    shared_connections: 3,
};

/// How often something may be done in a while; what was not used comes back evenly.
#[derive(Debug, Clone, Copy)]
struct Quota {
    name: &'static str,
    most: i64,
    period_ms: i64,
}

const fn per_hour(name: &'static str, most: i64) -> Quota {
    Quota {
        name,
        most,
        period_ms: 3_600_000,
    }
}

/// Leads in an hour from one network address: a campus shares one, a script does not stop at this.
const LEADS_PER_IP: Quota = per_hour("leads_by_ip", 60);
/// Leads in an hour with one e-mail address.
const LEADS_PER_PERSON: Quota = per_hour("leads_by_person", 20);
/// T20: leads in an hour that cost nothing, from one network address or with one e-mail address.
const FREE_LEADS_PER_IP: Quota = per_hour("free_by_ip", 4);
const FREE_LEADS_PER_PERSON: Quota = per_hour("free_by_person", 4);
/// The same about one home, whoever sends them: a home is never closed to people, only dearer to scripts.
const FREE_LEADS_PER_HOME: Quota = per_hour("free_by_home", 30);
/// T19: payments begun in an hour from one network address by people who are not logged in. Each holds a room.
const HOLDS_PER_IP: Quota = per_hour("holds_by_ip", 30);
/// The same from one IPv6 site (/48), which may be one customer with 65,536 networks or a campus.
const LEADS_PER_SITE: Quota = per_hour("leads_by_site", 300);
const FREE_LEADS_PER_SITE: Quota = per_hour("free_by_site", 20);
const HOLDS_PER_SITE: Quota = per_hour("holds_by_site", 150);
const GUESSES_PER_SITE: Quota = Quota {
    name: "guesses_by_site",
    most: 300,
    period_ms: 60_000,
};
/// Saves of one booking form: typing sends one at most every second, on each of a few devices (T20).
const SAVES_PER_FORM: Quota = Quota {
    name: "saves_by_form",
    most: 240,
    period_ms: 120_000,
};
/// Unknown payment links an address may ask for within a minute (T14).
const GUESSES_PER_IP: Quota = Quota {
    name: "guesses_by_ip",
    most: 60,
    period_ms: 60_000,
};
/// Leads that were let in: a double click is one lead and counts once.
const LET_IN: &str = "let_in";
/// Messages of cases in an hour: a person who writes more is a script.
const CASE_MESSAGES_PER_PERSON: Quota = per_hour("case_messages_by_person", 60);
/// How long a lead that was let in is not counted again: as long as the same again is the same lead (D83).
const SAME_LEAD_MS: i64 = 600_000;
/// Challenges that were answered (D70).
const ANSWERED: &str = "answered";

/// All limits of this server.
#[derive(Clone)]
pub struct Limits {
    database: Database,
    /// Where no other node counts in the same tables.
    ledger: Option<Ledger>,
    hasher: HandleHasher,
    /// People who try the server out on their own machine share one address.
    spares_loopback: bool,
}

/// Whether the sender of a request has shown that they are more than a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    None,
    /// A login, or work that was done.
    Shown,
}

/// One lead about to be taken.
#[derive(Debug, Clone, Copy)]
pub struct LeadAttempt<'a> {
    pub lead_id: LeadId,
    pub ip: IpAddr,
    /// The inbox: all spellings of one count together.
    pub inbox: &'a str,
    pub home: Option<InventoryId>,
    pub effort: Effort,
}

/// One use of a quota.
struct Use {
    quota: Quota,
    key: String,
    refusal: fn(u64) -> ApiError,
}

/// The networks that an address counts for, as keyed hashes.
struct Networks {
    own: String,
    site: Option<String>,
}

/// One use of a quota per network, and of the wider quota per site.
fn uses_of_network(networks: Networks, own: Quota, site: Quota, refusal: fn(u64) -> ApiError) -> Vec<Use> {
    let counted = [(own, Some(networks.own)), (site, networks.site)];
    let uses = counted.into_iter();
    uses.filter_map(|(quota, key)| key.map(|key| Use { quota, key, refusal }))
        .collect()
}

impl Limits {
    /// Opens the tables at `place`.
    ///
    /// # Errors
    /// When they cannot be reached or a migration fails.
    pub async fn open(
        place: &Place,
        hasher: &HandleHasher,
        spares_loopback: bool,
    ) -> Result<Self, sqlx::Error> {
        let database = Database::open(place, &PURPOSE).await?;
        let ledger = if database.is_shared() {
            None
        } else {
            Some(Ledger::open(&database).await?)
        };
        Ok(Self {
            database,
            ledger,
            hasher: hasher.clone(),
            spares_loopback,
        })
    }

    /// Writes down what was counted in memory, until the server stops.
    pub async fn keep(self, stop: watch::Receiver<bool>) {
        if let Some(ledger) = self.ledger {
            ledger.keep(stop).await;
        }
    }

    /// Counts one lead.
    ///
    /// # Errors
    /// 429 with the seconds to wait; under `proof_of_work_required` a little work opens the way at once.
    pub async fn count_lead(&self, attempt: LeadAttempt<'_>) -> ApiResult<()> {
        let uses = self.uses_of_lead(attempt);
        self.count(&uses, Some(attempt.lead_id.0.to_string())).await
    }

    /// Counts one payment begun by somebody who is not logged in.
    ///
    /// # Errors
    /// 429 with the seconds to wait; whoever logs in does not have to.
    pub async fn count_hold(&self, ip: IpAddr) -> ApiResult<()> {
        let refusal: fn(u64) -> ApiError =
            |wait| ApiError::too_many(say("validation.too_many_holds").with("seconds", wait), wait);
        let uses = self.limited(ip).map_or_else(Vec::new, |ip| {
            uses_of_network(ip, HOLDS_PER_IP, HOLDS_PER_SITE, refusal)
        });
        if uses.is_empty() {
            return Ok(());
        }
        self.count(&uses, None).await
    }

    /// Counts one save of a booking form, or one document sent with it.
    ///
    /// # Errors
    /// 429 with the seconds to wait; what was typed stays in the browser until then.
    pub async fn count_save(&self, form: BookingFormId) -> ApiResult<()> {
        let refusal: fn(u64) -> ApiError =
            |wait| ApiError::too_many(say("refusal.too_many_saves").with("seconds", wait), wait);
        let (quota, key) = (SAVES_PER_FORM, form.to_string());
        self.count(&[Use { quota, key, refusal }], None).await
    }

    /// Counts one message of a person in their cases.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn count_case_message(&self, person: UserId) -> ApiResult<()> {
        let refusal: fn(u64) -> ApiError =
            |wait| ApiError::too_many(say("refusal.too_many_messages").with("seconds", wait), wait);
        let one = Use {
            quota: CASE_MESSAGES_PER_PERSON,
            key: self.key("limit_case", &person.to_string()),
            refusal,
        };
        self.count(&[one], None).await
    }

    /// Counts a payment link that leads nowhere.
    ///
    /// # Errors
    /// 429 for whoever keeps guessing.
    pub async fn count_guess(&self, ip: IpAddr) -> ApiResult<()> {
        let refusal: fn(u64) -> ApiError = |_| ApiError::too_many(say("refusal.too_many_links"), 60);
        let uses = uses_of_network(self.networks(ip), GUESSES_PER_IP, GUESSES_PER_SITE, refusal);
        self.count(&uses, None).await
    }

    /// Whether a challenge is answered for the first time, on whichever node.
    ///
    /// # Errors
    /// When the tables cannot be written.
    pub async fn first_answer(&self, challenge: &str, expires_at_s: i64) -> ApiResult<bool> {
        let noted = sqlx::query(
            "insert into allowance (name, key, until_ms) values ($1, $2, $3) on conflict (name, key) do nothing",
        )
        .bind(ANSWERED)
        .bind(challenge)
        .bind(expires_at_s.saturating_mul(1_000))
        .execute(self.database.pool())
        .await?;
        Ok(noted.rows_affected() == 1)
    }

    /// Lets go of what no longer counts.
    ///
    /// # Errors
    /// When the tables cannot be written.
    pub async fn tidy(&self) -> Result<(), sqlx::Error> {
        let now = clock::now().timestamp_millis();
        if let Some(ledger) = &self.ledger {
            ledger.tidy(now);
        }
        sqlx::query("delete from allowance where until_ms <= $1")
            .bind(now)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    fn uses_of_lead(&self, attempt: LeadAttempt<'_>) -> Vec<Use> {
        let (ip, site) = match self.limited(attempt.ip) {
            Some(networks) => (Some(networks.own), networks.site),
            None => (None, None),
        };
        let person = self.key("limit_email", attempt.inbox);
        // Who tries the server out alone asks about the same home again and again.
        let home = attempt
            .home
            .filter(|_| ip.is_some())
            .map(|home| home.0.to_string());
        let free = [
            (FREE_LEADS_PER_IP, ip.clone()),
            (FREE_LEADS_PER_SITE, site.clone()),
            (FREE_LEADS_PER_PERSON, Some(person.clone())),
            (FREE_LEADS_PER_HOME, home),
        ];
        let all = [
            (LEADS_PER_IP, ip),
            (LEADS_PER_SITE, site),
            (LEADS_PER_PERSON, Some(person)),
        ];
        let free = free.into_iter().filter(|_| attempt.effort == Effort::None);
        let work: fn(u64) -> ApiError = ApiError::proof_required;
        let full: fn(u64) -> ApiError =
            |wait| ApiError::too_many(say("validation.too_many_leads").with("seconds", wait), wait);
        free.map(|(quota, key)| (quota, key, work))
            .chain(all.map(|(quota, key)| (quota, key, full)))
            .filter_map(|(quota, key, refusal)| key.map(|key| Use { quota, key, refusal }))
            .collect()
    }

    /// The networks of an address as the tables know them; `None` for one that is spared.
    fn limited(&self, ip: IpAddr) -> Option<Networks> {
        (!(self.spares_loopback && ip.is_loopback())).then(|| self.networks(ip))
    }

    fn networks(&self, ip: IpAddr) -> Networks {
        Networks {
            own: self.key("limit_ip", &network::network(ip)),
            site: network::site(ip).map(|site| self.key("limit_site", &site)),
        }
    }

    fn key(&self, kind: &str, of: &str) -> String {
        self.hasher.id(kind, of).to_string()
    }

    /// Counts all of it or nothing. A lead that was let in is not counted again.
    async fn count(&self, uses: &[Use], lead: Option<String>) -> ApiResult<()> {
        let now = clock::now().timestamp_millis();
        match &self.ledger {
            Some(ledger) => ledger.count(uses, lead, now),
            None => count_shared(&self.database, uses, lead, now).await,
        }
    }
}

/// Name and key of what is counted, and until when it counts.
type Counted = Vec<(&'static str, String, i64)>;

/// How often a refusal that was gone when it was looked at is tried anew.
const TRIES: u32 = 3;
/// What the statement of [`count_at_once`] ends with when a quota has no room: the server takes back what it counted.
const DIVISION_BY_ZERO: &str = "22012";

/// One round trip where there is room; who is refused hears why from a second look.
async fn count_shared(database: &Database, uses: &[Use], lead: Option<String>, now: i64) -> ApiResult<()> {
    for _ in 0..TRIES {
        if count_at_once(database, uses, lead.as_deref(), now).await? {
            return Ok(());
        }
        let mut connection = database.pool().acquire().await?;
        let known = stored(&mut connection, uses).await?;
        within(uses, now, |name, key| {
            let found = known.iter().find(|(of, stored, _)| of == name && stored == key);
            found.map(|(_, _, until)| *until)
        })?;
    }
    Err(ApiError::busy())
}

/// Counts all of it or nothing, on whichever node: each row is locked as it is written, always in the same order. `false`
/// when a quota has no room. A lead that was let in is not counted again.
async fn count_at_once(
    database: &Database,
    uses: &[Use],
    lead: Option<&str>,
    now: i64,
) -> Result<bool, sqlx::Error> {
    let mut sorted: Vec<&Use> = uses.iter().collect();
    sorted.sort_unstable_by_key(|one| (one.quota.name, one.key.as_str()));
    let mut counting = Statement::new("with lead as (select ");
    counting
        .push_bind(lead)
        .push("::text as key), at as (select ")
        .push_bind(now)
        .push("::bigint as now), let_in as (insert into allowance (name, key, until_ms) select ")
        .push_bind(LET_IN)
        .push(", key, now + ")
        .push_bind(SAME_LEAD_MS)
        .push(
            " from lead, at where key is not null
             on conflict (name, key) do update set until_ms = excluded.until_ms
               where allowance.until_ms <= (select now from at) returning 1),
             asked (name, key, period, step) as (values ",
        );
    for (number, one) in sorted.iter().enumerate() {
        counting.push(if number > 0 { ", (" } else { "(" });
        counting.push_bind(one.quota.name).push("::text, ");
        counting.push_bind(one.key.as_str()).push("::text, ");
        counting.push_bind(one.quota.period_ms).push("::bigint, ");
        counting.push_bind(one.quota.step_ms()).push("::bigint)");
    }
    // As `Quota::next` counts. What the clock of next year wrote counts no longer than a period.
    counting.push(
        "), counted as (insert into allowance (name, key, until_ms)
           select name, key, now + step from asked, at
           where exists (select from let_in) or exists (select from lead where key is null)
           on conflict (name, key) do update set until_ms = (
             select least(greatest(allowance.until_ms, now), now + period) + step from asked, at
             where asked.name = excluded.name and asked.key = excluded.key)
           where (
             select least(greatest(allowance.until_ms, now), now + period) + step <= now + period from asked, at
             where asked.name = excluded.name and asked.key = excluded.key)
           returning 1)
         select 1 / case
           when exists (select from lead where key is not null) and not exists (select from let_in) then 1
           when (select count(*) from counted) = (select count(*) from asked) then 1 else 0 end",
    );
    let counted: Result<i32, _> = counting.build_query_scalar()?.fetch_one(database.pool()).await;
    match counted {
        Ok(_one) => Ok(true),
        Err(sqlx::Error::Database(told)) if told.code().as_deref() == Some(DIVISION_BY_ZERO) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Until when it counts, of those of these uses that were counted before.
async fn stored(
    connection: &mut AnyConnection,
    uses: &[Use],
) -> Result<Vec<(String, String, i64)>, sqlx::Error> {
    let mut wanted =
        Statement::new("select name, key, until_ms from allowance where (name, key) in (values ");
    for (number, one) in uses.iter().enumerate() {
        if number > 0 {
            wanted.push(", ");
        }
        let mut row = wanted.push_row();
        row.bind(one.quota.name).bind(one.key.as_str());
        row.end();
    }
    wanted.push(")");
    wanted.build_query_as()?.fetch_all(connection).await
}

/// What is to be noted when every quota has room for one more; else the refusal of the first that has none.
fn within(uses: &[Use], now: i64, known: impl Fn(&'static str, &str) -> Option<i64>) -> ApiResult<Counted> {
    let next = |one: &Use| {
        let until = known(one.quota.name, &one.key).unwrap_or(now);
        match one.quota.next(until, now) {
            Ok(until) => Ok((one.quota.name, one.key.clone(), until)),
            Err(wait) => Err((one.refusal)(wait)),
        }
    };
    uses.iter().map(next).collect()
}

async fn note(connection: &mut AnyConnection, counted: Counted) -> Result<(), sqlx::Error> {
    let mut noting = Statement::new("insert into allowance (name, key, until_ms) values ");
    for (number, (name, key, until)) in counted.into_iter().enumerate() {
        if number > 0 {
            noting.push(", ");
        }
        let mut row = noting.push_row();
        row.bind(name).bind(key).bind(until);
        row.end();
    }
    noting.push(" on conflict (name, key) do update set until_ms = excluded.until_ms");
    noting.build()?.execute(connection).await?;
    Ok(())
}

impl Quota {
    /// How long one of them counts.
    const fn step_ms(self) -> i64 {
        self.period_ms / self.most
    }

    /// Until when everything counts once one more was done; else the seconds to wait for it.
    fn next(self, until: i64, now: i64) -> Result<i64, u64> {
        // Never longer than its time, whatever clock it was written by (R18).
        let then = until.clamp(now, now + self.period_ms) + self.step_ms();
        let over = then - now - self.period_ms;
        if over > 0 {
            Err(over.cast_unsigned() / 1_000 + 1)
        } else {
            Ok(then)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_used_up_and_comes_back_evenly() {
        let quota = per_hour("test", 4);
        let mut until = 0;
        for _ in 0..4 {
            until = quota.next(until, 1_000).unwrap();
        }
        assert_eq!(quota.next(until, 1_000), Err(901));
        assert!(quota.next(until, 1_000 + 900_000).is_ok());
        assert!(quota.next(until, 1_000 + 899_999).is_err());
    }

    #[test]
    fn what_a_clock_of_next_year_wrote_is_forgotten_in_an_hour() {
        let quota = per_hour("test", 4);
        assert_eq!(quota.next(365 * 86_400_000, 1_000), Err(901));
    }
}
