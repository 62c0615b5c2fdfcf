//! How much one address or one person may send, and how much may be sent about one home (D86, T20). In memory: a
//! restart forgives.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use domain::id::{InventoryId, LeadId};
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use parking_lot::Mutex;

use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::proof_of_work::Effort;
use crate::said::say;

/// Leads in an hour from one network address: a campus shares one, a script does not stop at this.
const LEADS_PER_IP: NonZeroU32 = NonZeroU32::new(60).unwrap();
/// Leads in an hour with one e-mail address.
const LEADS_PER_PERSON: NonZeroU32 = NonZeroU32::new(20).unwrap();
/// T20: leads in an hour that cost nothing, from one network address or with one e-mail address.
const FREE_LEADS: NonZeroU32 = NonZeroU32::new(4).unwrap();
/// The same about one home, whoever sends them: a home is never closed to people, only dearer to scripts.
const FREE_LEADS_PER_HOME: NonZeroU32 = NonZeroU32::new(30).unwrap();
/// T19: payments begun in an hour from one network address by people who are not logged in. Each holds a room.
const HOLDS_PER_IP: NonZeroU32 = NonZeroU32::new(30).unwrap();
/// How long a lead that was let in is not counted again: as long as the same again is the same lead (D83).
const SAME_LEAD_S: i64 = 600;
/// At so many leads in memory, what has run out is let go.
const TIDY_AT: usize = 1_000;

/// The product's clock for the limiters.
#[derive(Debug, Clone, Copy)]
struct Wall;

impl Clock for Wall {
    type Instant = Duration;

    fn now(&self) -> Duration {
        clock::now()
            .signed_duration_since(chrono::DateTime::UNIX_EPOCH)
            .to_std()
            .unwrap_or_default()
    }
}

type PerHour<K> = RateLimiter<K, DefaultKeyedStateStore<K>, Wall, NoOpMiddleware<Duration>>;

fn per_hour<K: Hash + Eq + Clone>(most: NonZeroU32) -> PerHour<K> {
    RateLimiter::new(Quota::per_hour(most), DefaultKeyedStateStore::default(), Wall)
}

/// All limits of this server.
pub struct Limits {
    leads_by_ip: PerHour<IpAddr>,
    leads_by_person: PerHour<String>,
    free_by_ip: PerHour<IpAddr>,
    free_by_person: PerHour<String>,
    free_by_home: PerHour<InventoryId>,
    holds_by_ip: PerHour<IpAddr>,
    /// Leads that were let in, and until when: a double click is one lead and counts once.
    let_in: Mutex<HashMap<LeadId, i64>>,
    /// People who try the server out on their own machine share one address.
    spares_loopback: bool,
}

/// One lead about to be taken.
#[derive(Debug, Clone, Copy)]
pub struct LeadAttempt<'a> {
    pub lead_id: LeadId,
    pub ip: IpAddr,
    /// Canonical.
    pub email: &'a str,
    pub home: Option<InventoryId>,
    pub effort: Effort,
}

impl Limits {
    pub fn new(spares_loopback: bool) -> Self {
        Self {
            leads_by_ip: per_hour(LEADS_PER_IP),
            leads_by_person: per_hour(LEADS_PER_PERSON),
            free_by_ip: per_hour(FREE_LEADS),
            free_by_person: per_hour(FREE_LEADS),
            free_by_home: per_hour(FREE_LEADS_PER_HOME),
            holds_by_ip: per_hour(HOLDS_PER_IP),
            let_in: Mutex::default(),
            spares_loopback,
        }
    }

    /// Counts one lead.
    ///
    /// # Errors
    /// 429 with the seconds to wait; under `proof_of_work_required` a little work opens the way at once.
    pub fn count_lead(&self, attempt: LeadAttempt<'_>) -> ApiResult<()> {
        let now = clock::now().timestamp();
        let mut let_in = self.let_in.lock();
        if let_in.get(&attempt.lead_id).is_some_and(|until| *until > now) {
            return Ok(());
        }
        self.check_lead(attempt)?;
        if let_in.len() >= TIDY_AT {
            let_in.retain(|_, until| *until > now);
            self.tidy();
        }
        let_in.insert(attempt.lead_id, now + SAME_LEAD_S);
        Ok(())
    }

    /// Counts one payment begun by somebody who is not logged in.
    ///
    /// # Errors
    /// 429 with the seconds to wait; whoever logs in does not have to.
    pub fn count_hold(&self, ip: IpAddr) -> ApiResult<()> {
        if self.spares_loopback && ip.is_loopback() {
            return Ok(());
        }
        if self.holds_by_ip.len() >= TIDY_AT {
            self.holds_by_ip.retain_recent();
        }
        within(&self.holds_by_ip, &ip)
            .map_err(|wait| ApiError::too_many(say("validation.too_many_holds").with("seconds", wait), wait))
    }

    fn check_lead(&self, attempt: LeadAttempt<'_>) -> ApiResult<()> {
        let email = attempt.email.to_owned();
        let ip = Some(attempt.ip).filter(|ip| !(self.spares_loopback && ip.is_loopback()));
        if attempt.effort == Effort::None {
            let work = |wait| ApiError::proof_required(wait);
            ip.map_or(Ok(()), |ip| within(&self.free_by_ip, &ip))
                .map_err(work)?;
            within(&self.free_by_person, &email).map_err(work)?;
            // Who tries the server out alone asks about the same home again and again.
            let home = attempt.home.filter(|_| ip.is_some());
            home.map_or(Ok(()), |home| within(&self.free_by_home, &home))
                .map_err(work)?;
        }
        let full =
            |wait: u64| ApiError::too_many(say("validation.too_many_leads").with("seconds", wait), wait);
        ip.map_or(Ok(()), |ip| within(&self.leads_by_ip, &ip))
            .map_err(full)?;
        within(&self.leads_by_person, &email).map_err(full)
    }

    fn tidy(&self) {
        self.leads_by_ip.retain_recent();
        self.leads_by_person.retain_recent();
        self.free_by_ip.retain_recent();
        self.free_by_person.retain_recent();
        self.free_by_home.retain_recent();
    }
}

/// Counts one for `key`; else the seconds to wait.
fn within<K: Hash + Eq + Clone>(limiter: &PerHour<K>, key: &K) -> Result<(), u64> {
    limiter
        .check_key(key)
        .map_err(|not_until| not_until.wait_time_from(Wall.now()).as_secs() + 1)
}
