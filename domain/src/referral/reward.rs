//! What a referrer earns: owed from the booking on, paid out after the stay began, and taken back with the booking's money (D123).

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use super::{Referral, ReferralEvent, ReferralRejection};
use crate::id::{PaymentId, UserId};
use crate::moment::Moment;
use crate::money::Currency;
use crate::payment::terms::Terms;

/// After so many days of the stay a reward is paid out.
const DUE_AFTER_DAYS: u64 = 14;

/// A sum for a referrer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reward {
    /// Minor units.
    pub amount_minor: u64,
    pub currency: Currency,
    /// From this day on it may be paid out.
    pub due_on: NaiveDate,
}

impl Reward {
    /// The reward of what so many dollars mean in the booking's currency; `None` where the house pays none.
    pub fn of(terms: &Terms, dollars: u32) -> Option<Self> {
        let currency = terms.quote.currency;
        let amount_minor = currency.minor_of_dollars(u64::from(dollars));
        let due_on = terms.move_in_date.checked_add_days(Days::new(DUE_AFTER_DAYS));
        (amount_minor > 0).then_some(Self {
            amount_minor,
            currency,
            due_on: due_on.unwrap_or(NaiveDate::MAX),
        })
    }
}

/// A reward with what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earned {
    /// The booking that earned it.
    pub payment_id: PaymentId,
    pub reward: Reward,
    pub paid: bool,
    pub reversed: bool,
}

impl Earned {
    /// Owed, and nothing more yet.
    pub const fn with(payment_id: PaymentId, reward: Reward) -> Self {
        Self {
            payment_id,
            reward,
            paid: false,
            reversed: false,
        }
    }
}

impl Referral {
    /// Its booking is paid; a code without an account earns nothing.
    pub(super) fn completed(
        &self,
        payment_id: PaymentId,
        reward: Option<Reward>,
        at: Moment,
    ) -> ReferralEvent {
        ReferralEvent::Completed {
            payment_id,
            reward: self.referrer.and(reward),
            at,
        }
    }

    pub(super) fn pay_reward(&self, by: UserId, at: Moment) -> Result<Vec<ReferralEvent>, ReferralRejection> {
        let earned = self.earned.filter(|earned| !earned.reversed);
        let Earned { reward, paid, .. } = earned.ok_or(ReferralRejection::NoReward)?;
        if paid {
            return Ok(vec![]);
        }
        if at.date_naive() < reward.due_on {
            return Err(ReferralRejection::NotDue(reward.due_on));
        }
        Ok(vec![ReferralEvent::RewardPaid { reward, by, at }])
    }

    /// Once, and by the end of the booking that earned it alone.
    pub(super) fn reverse_reward(&self, payment_id: PaymentId, at: Moment) -> Option<ReferralEvent> {
        let earned = self.earned?;
        let reward = earned.reward;
        let ends = earned.payment_id == payment_id && !earned.reversed;
        ends.then_some(ReferralEvent::RewardReversed { reward, at })
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::aggregate::{Decide as _, fold};
    use crate::id::LeadId;
    use crate::referral::ReferralCommand;
    use crate::sample::assert_kept;

    const PAID: PaymentId = PaymentId(Uuid::from_u128(4));

    fn at(day: &str) -> Moment {
        DateTime::parse_from_rfc3339(&format!("{day}T10:00:00Z"))
            .unwrap()
            .to_utc()
    }

    fn reward() -> Reward {
        Reward {
            amount_minor: 5_000,
            currency: Currency::Gbp,
            due_on: "2027-09-25".parse().unwrap(),
        }
    }

    fn completed() -> Referral {
        let opened = ReferralEvent::Opened {
            code: "MEI7Q".into(),
            referrer: Some(UserId(Uuid::from_u128(1))),
            referred: UserId(Uuid::from_u128(2)),
            lead_id: LeadId(Uuid::from_u128(3)),
            at: at("2027-01-01"),
        };
        let mut referral = fold::<Referral>(&[opened]);
        let complete = ReferralCommand::Complete {
            payment_id: PAID,
            shared: None,
            reward: Some(reward()),
            at: at("2027-01-02"),
        };
        for event in referral.decide(complete).unwrap() {
            referral.evolve(&event);
        }
        referral
    }

    #[test]
    fn reward_is_paid_once_and_when_it_is_due() {
        let mut referral = completed();
        let pay = |day: &str| ReferralCommand::PayReward {
            by: UserId(Uuid::from_u128(5)),
            at: at(day),
        };
        assert_eq!(
            referral.decide(pay("2027-09-24")),
            Err(ReferralRejection::NotDue(reward().due_on))
        );
        let paid = referral.decide(pay("2027-09-25")).unwrap();
        assert_kept::<Referral>(&paid);
        referral.evolve(&paid[0]);
        assert_eq!(referral.decide(pay("2027-09-26")), Ok(vec![]));
        assert_eq!(
            Referral::default().decide(pay("2027-09-26")),
            Err(ReferralRejection::Unknown)
        );
    }

    #[test]
    fn reward_is_reversed_with_its_own_booking() {
        let mut referral = completed();
        let reverse = |payment_id| ReferralCommand::ReverseReward {
            payment_id,
            at: at("2027-02-01"),
        };
        assert_eq!(
            referral.decide(reverse(PaymentId(Uuid::from_u128(9)))),
            Ok(vec![])
        );
        let reversed = referral.decide(reverse(PAID)).unwrap();
        assert_eq!(reversed.len(), 1);
        assert_kept::<Referral>(&reversed);
        referral.evolve(&reversed[0]);
        assert_eq!(referral.decide(reverse(PAID)), Ok(vec![]));
        let pay = ReferralCommand::PayReward {
            by: UserId(Uuid::from_u128(5)),
            at: at("2027-10-01"),
        };
        assert_eq!(referral.decide(pay), Err(ReferralRejection::NoReward));
    }
}
