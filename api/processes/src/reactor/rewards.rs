//! What a referral earns when its booking is paid: the sum of the settings, in the booking's currency (D123).

use domain::payment::Payment;
use domain::policy::FollowUp;
use domain::referral::{ReferralCommand, Reward};

use super::{Reactor, ReactorError};

impl Reactor {
    /// The same, with so many whole units for each completed referral.
    #[must_use]
    pub fn rewarding(self, whole_units: u32) -> Self {
        Self {
            reward: whole_units,
            ..self
        }
    }

    /// A referral's completion with what it earns; every other follow-up as it is.
    pub(super) async fn with_reward(&self, follow_up: FollowUp) -> Result<FollowUp, ReactorError> {
        match follow_up {
            FollowUp::Referral(
                referral_id,
                ReferralCommand::Complete {
                    payment_id,
                    shared,
                    at,
                    ..
                },
            ) => {
                let payment = self.log.load::<Payment>(payment_id).await?.state;
                let terms = payment.terms.as_ref();
                let complete = ReferralCommand::Complete {
                    payment_id,
                    shared,
                    reward: terms.and_then(|terms| Reward::of(terms, self.reward)),
                    at,
                };
                Ok(FollowUp::Referral(referral_id, complete))
            }
            other => Ok(other),
        }
    }
}
