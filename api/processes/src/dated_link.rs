//! Links that open one thing without a login: its id, the last day the link is good, and a proof that this server wrote both. A link
//! is a capability of one purpose alone: the proof of another purpose does not open it.

use chrono::{DateTime, TimeDelta, Utc};
use eventlog::HandleHasher;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

/// Days since the Unix epoch: an hour's repetition of a message names the same end.
const DAY_S: i64 = 86_400;

/// What a kind of links opens, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Purpose {
    /// Part of the proof: never changes once released.
    pub name: &'static str,
    pub good_for: TimeDelta,
}

impl Purpose {
    /// The last part of a link to `id`, written at `now`.
    pub fn token(self, handles: &HandleHasher, id: Uuid, now: DateTime<Utc>) -> String {
        self.token_for(handles, (id, None), now)
    }

    /// A link that opens its thing for as long as this holder has it.
    pub fn token_for(
        self,
        handles: &HandleHasher,
        (id, holder): (Uuid, Option<Uuid>),
        now: DateTime<Utc>,
    ) -> String {
        let last_day = (now + self.good_for).timestamp() / DAY_S;
        let proof = self.proof(handles, (id, holder), last_day);
        format!("{}-{last_day}-{}", id.simple(), proof.simple())
    }

    /// The id of a link that this server made and that is not at its end; `None` for every other text.
    pub fn opened(self, handles: &HandleHasher, token: &str, now: DateTime<Utc>) -> Option<Uuid> {
        self.opened_for(handles, (token, None), now)
    }

    /// The id that a text names, before its proof is looked at.
    pub fn named_by(token: &str) -> Option<Uuid> {
        Uuid::try_parse(token.split('-').next()?).ok()
    }

    /// As [`opened`](Self::opened), for a link that was made for this holder.
    pub fn opened_for(
        self,
        handles: &HandleHasher,
        (token, holder): (&str, Option<Uuid>),
        now: DateTime<Utc>,
    ) -> Option<Uuid> {
        let mut parts = token.split('-');
        let (id, last_day, given) = (parts.next()?, parts.next()?, parts.next()?);
        let id = Uuid::try_parse(id).ok()?;
        let last_day: i64 = last_day.parse().ok()?;
        let given = Uuid::try_parse(given).ok()?;
        let right: bool = self
            .proof(handles, (id, holder), last_day)
            .as_bytes()
            .ct_eq(given.as_bytes())
            .into();
        let is_over = now.timestamp() / DAY_S > last_day;
        (parts.next().is_none() && right && !is_over).then_some(id)
    }

    fn proof(self, handles: &HandleHasher, (id, holder): (Uuid, Option<Uuid>), last_day: i64) -> Uuid {
        let holder = holder.map_or_else(String::new, |holder| format!(":{holder}"));
        handles.id(self.name, &format!("{id}:{last_day}{holder}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD_FOR: TimeDelta = TimeDelta::days(90);
    const LINKS: Purpose = Purpose {
        name: "unsubscribe",
        good_for: GOOD_FOR,
    };

    #[test]
    fn link_is_good_for_its_id_until_its_end() {
        let handles = HandleHasher::random();
        let id = Uuid::from_u128(5);
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let link = LINKS.token(&handles, id, at);
        assert_eq!(LINKS.opened(&handles, &link, at), Some(id));
        assert_eq!(LINKS.opened(&handles, &link, at + GOOD_FOR), Some(id));
        assert_eq!(
            LINKS.opened(&handles, &link, at + GOOD_FOR + TimeDelta::days(2)),
            None
        );
        let longer = link.replacen("-2", "-3", 1);
        assert_eq!(LINKS.opened(&handles, &longer, at), None);
        for wrong in ["", "x-1-y", &link[1..], &format!("{link}-0")] {
            assert_eq!(LINKS.opened(&handles, wrong, at), None, "{wrong}");
        }
    }

    #[test]
    fn link_of_a_holder_opens_for_no_other() {
        let handles = HandleHasher::random();
        let [id, mei, li] = [5, 6, 7].map(Uuid::from_u128);
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let link = LINKS.token_for(&handles, (id, Some(mei)), at);
        assert_eq!(Purpose::named_by(&link), Some(id));
        let opens = |holder| LINKS.opened_for(&handles, (&link, holder), at).is_some();
        assert_eq!([Some(mei), Some(li), None].map(opens), [true, false, false]);
    }

    #[test]
    fn link_of_another_purpose_opens_nothing() {
        let handles = HandleHasher::random();
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let other = Purpose {
            name: "case",
            good_for: GOOD_FOR,
        };
        let link = LINKS.token(&handles, Uuid::from_u128(5), at);
        assert_eq!(other.opened(&handles, &link, at), None);
    }
}
