//! How much one address or one person may send (D86, T20). In memory: a restart forgives.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::{ApiError, ApiResult};

/// Leads in an hour from one network address: a campus shares one, a script does not stop at this.
const LEADS_PER_IP: NonZeroU32 = NonZeroU32::new(60).unwrap();
/// Leads in an hour with one e-mail address.
const LEADS_PER_PERSON: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// All limits of this server.
#[derive(Debug)]
pub struct Limits {
    leads_by_ip: DefaultKeyedRateLimiter<IpAddr>,
    leads_by_person: DefaultKeyedRateLimiter<String>,
    /// People who try the server out on their own machine share one address.
    spares_loopback: bool,
}

impl Limits {
    pub fn new(spares_loopback: bool) -> Self {
        Self {
            leads_by_ip: RateLimiter::keyed(Quota::per_hour(LEADS_PER_IP)),
            leads_by_person: RateLimiter::keyed(Quota::per_hour(LEADS_PER_PERSON)),
            spares_loopback,
        }
    }

    /// Counts one lead.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn count_lead(&self, ip: IpAddr, email: &str) -> ApiResult<()> {
        if !(self.spares_loopback && ip.is_loopback()) {
            within(&self.leads_by_ip, &ip)?;
        }
        within(&self.leads_by_person, &email.to_owned())
    }
}

fn within<K: std::hash::Hash + Eq + Clone>(limiter: &DefaultKeyedRateLimiter<K>, key: &K) -> ApiResult<()> {
    limiter.check_key(key).map_err(|not_until| {
        let wait = not_until
            .wait_time_from(DefaultClock::default().now())
            .as_secs()
            .max(1);
        ApiError::too_many(
            format!("That was a lot of enquiries. Try again in {wait} seconds"),
            wait,
        )
    })
}
