//! The second step of a staff login: a time-based code (RFC 6238), with recovery codes for a lost device. The stream's id is the
//! person's; the secret is sealed under their key. Codes are computed outside: here it is decided which counts, and each counts once.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::aggregate::Decide;
use crate::id::{SessionId, UserId};
use crate::moment::Moment;
use crate::sealed::{Sealable, Sealed};

/// What may be asked.
#[derive(Debug, Clone)]
pub enum SecondFactorCommand {
    /// A fresh secret, shown once and not yet trusted.
    Offer {
        user_id: UserId,
        /// Base32.
        secret: String,
        at: Moment,
    },
    /// The device showed a right code of the offered secret. `recovery`: digests of the recovery codes.
    Enrol {
        session_id: SessionId,
        recovery: BTreeSet<String>,
        /// The time step of the code.
        step: u64,
        at: Moment,
    },
    /// The device showed a right code.
    Pass {
        session_id: SessionId,
        step: u64,
        at: Moment,
    },
    /// A recovery code was typed.
    Recover {
        session_id: SessionId,
        digest: String,
        at: Moment,
    },
    /// Fresh recovery codes in place of those before, asked for by a login that has passed.
    RenewRecovery {
        session_id: SessionId,
        /// Digests of the recovery codes.
        recovery: BTreeSet<String>,
        at: Moment,
    },
    /// The owner takes the device away, by a login that has passed.
    Remove { session_id: SessionId, at: Moment },
    /// The device is lost: the account has no second factor until another is enrolled.
    Reset {
        /// The administrator; `None` for the command line.
        by: Option<UserId>,
        at: Moment,
    },
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SecondFactorEvent {
    Offered {
        user_id: UserId,
        at: Moment,
        #[serde(skip)]
        secret: Sealed<String>,
    },
    Enrolled {
        session_id: SessionId,
        recovery: BTreeSet<String>,
        step: u64,
        at: Moment,
    },
    Passed {
        session_id: SessionId,
        step: u64,
        at: Moment,
    },
    Recovered {
        session_id: SessionId,
        digest: String,
        at: Moment,
    },
    RecoveryRenewed {
        session_id: SessionId,
        recovery: BTreeSet<String>,
        at: Moment,
    },
    Removed {
        session_id: SessionId,
        at: Moment,
    },
    Reset {
        by: Option<UserId>,
        at: Moment,
    },
}

crate::event_names!(SecondFactorEvent {
    Offered => "SecondFactorOffered" 1,
    Enrolled => "SecondFactorEnrolled" 1,
    Passed => "SecondFactorPassed" 1,
    Recovered => "SecondFactorRecovered" 1,
    RecoveryRenewed => "SecondFactorRecoveryRenewed" 1,
    Removed => "SecondFactorRemoved" 1,
    Reset => "SecondFactorReset" 1,
});

impl Sealable for SecondFactorEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Offered { user_id, .. } => Some(*user_id),
            Self::Enrolled { .. }
            | Self::Passed { .. }
            | Self::Recovered { .. }
            | Self::RecoveryRenewed { .. }
            | Self::Removed { .. }
            | Self::Reset { .. } => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Offered { secret, .. } => secret.to_json(),
            Self::Enrolled { .. }
            | Self::Passed { .. }
            | Self::Recovered { .. }
            | Self::RecoveryRenewed { .. }
            | Self::Removed { .. }
            | Self::Reset { .. } => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::Offered { secret, .. } = self {
            secret.reveal(plain);
        }
    }
}

/// Why a step was turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecondFactorRejection {
    #[error("no device is enrolled")]
    NotEnrolled,
    #[error("a device is enrolled already")]
    Enrolled,
    #[error("this login has not passed the second step")]
    NotPassed,
    #[error("this code was used already")]
    Used,
    #[error("this is no recovery code of the account, or it was used")]
    NoSuchCode,
}

/// A person's second factor as the events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// Offered and not yet confirmed; base32.
    pub offered: Option<String>,
    /// The secret of the enrolled device; base32.
    pub secret: Option<String>,
    /// Whether a device is enrolled: also where its secret cannot be read any more.
    pub is_enrolled: bool,
    /// Digests of the recovery codes that are left.
    pub recovery: BTreeSet<String>,
    /// Codes of this time step and before do not count any more.
    pub last_step: u64,
    /// Logins that have passed.
    pub passed: BTreeSet<SessionId>,
}

impl Decide for SecondFactor {
    const KIND: &'static str = "second_factor";
    type Command = SecondFactorCommand;
    type Event = SecondFactorEvent;
    type Rejection = SecondFactorRejection;

    fn decide(&self, command: SecondFactorCommand) -> Result<Vec<SecondFactorEvent>, SecondFactorRejection> {
        use SecondFactorCommand as C;
        use SecondFactorEvent as E;
        use SecondFactorRejection as R;
        match command {
            C::Reset { .. } if !self.is_enrolled && self.offered.is_none() => Ok(vec![]),
            C::Reset { by, at } => Ok(vec![E::Reset { by, at }]),
            C::Offer { .. } | C::Enrol { .. } if self.is_enrolled => Err(R::Enrolled),
            C::Offer { user_id, secret, at } => Ok(vec![E::Offered {
                user_id,
                at,
                secret: Sealed::new(secret),
            }]),
            C::Enrol { .. } if self.offered.is_none() => Err(R::NotEnrolled),
            C::Enrol {
                session_id,
                recovery,
                step,
                at,
            } => Ok(vec![E::Enrolled {
                session_id,
                recovery,
                step,
                at,
            }]),
            C::Pass { .. } | C::Recover { .. } | C::RenewRecovery { .. } | C::Remove { .. }
                if !self.is_enrolled =>
            {
                Err(R::NotEnrolled)
            }
            C::RenewRecovery { session_id, .. } | C::Remove { session_id, .. }
                if !self.passed.contains(&session_id) =>
            {
                Err(R::NotPassed)
            }
            C::RenewRecovery {
                session_id,
                recovery,
                at,
            } => Ok(vec![E::RecoveryRenewed {
                session_id,
                recovery,
                at,
            }]),
            C::Remove { session_id, at } => Ok(vec![E::Removed { session_id, at }]),
            C::Pass { step, .. } if step <= self.last_step => Err(R::Used),
            C::Pass { session_id, step, at } => Ok(vec![E::Passed { session_id, step, at }]),
            C::Recover { ref digest, .. } if !self.recovery.contains(digest) => Err(R::NoSuchCode),
            C::Recover {
                session_id,
                digest,
                at,
            } => Ok(vec![E::Recovered {
                session_id,
                digest,
                at,
            }]),
        }
    }

    fn evolve(&mut self, event: &SecondFactorEvent) {
        use SecondFactorEvent as E;
        match event {
            E::Offered { secret, .. } => self.offered = secret.get().cloned(),
            E::Enrolled {
                session_id,
                recovery,
                step,
                ..
            } => {
                self.secret = self.offered.take();
                self.is_enrolled = true;
                self.recovery.clone_from(recovery);
                self.last_step = *step;
                self.passed.insert(*session_id);
            }
            E::Passed { session_id, step, .. } => {
                self.last_step = *step;
                self.passed.insert(*session_id);
            }
            E::Recovered {
                session_id, digest, ..
            } => {
                self.recovery.remove(digest);
                self.passed.insert(*session_id);
            }
            E::RecoveryRenewed { recovery, .. } => self.recovery.clone_from(recovery),
            E::Removed { .. } | E::Reset { .. } => *self = Self::default(),
        }
    }
}

crate::aggregate!(SecondFactor);

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::sample::assert_kept;

    fn at() -> Moment {
        DateTime::from_timestamp(1_795_000_000, 0).unwrap()
    }

    fn session(number: u128) -> SessionId {
        SessionId(Uuid::from_u128(number))
    }

    fn story() -> Vec<SecondFactorEvent> {
        vec![
            SecondFactorEvent::Offered {
                user_id: UserId(Uuid::from_u128(1)),
                at: at(),
                secret: Sealed::new("JBSWY3DPEHPK3PXP".to_owned()),
            },
            SecondFactorEvent::Enrolled {
                session_id: session(5),
                recovery: BTreeSet::from(["ab".to_owned(), "cd".to_owned()]),
                step: 100,
                at: at(),
            },
        ]
    }

    fn renewed_and_removed() -> [SecondFactorEvent; 2] {
        [
            SecondFactorEvent::RecoveryRenewed {
                session_id: session(5),
                recovery: BTreeSet::from(["ef".to_owned()]),
                at: at(),
            },
            SecondFactorEvent::Removed {
                session_id: session(5),
                at: at(),
            },
        ]
    }

    #[test]
    fn recovery_and_device_change_for_passed_logins_alone() {
        let factor = crate::aggregate::fold::<SecondFactor>(&story());
        let renew = |login| SecondFactorCommand::RenewRecovery {
            session_id: session(login),
            recovery: BTreeSet::from(["ef".to_owned()]),
            at: at(),
        };
        let remove = |login| SecondFactorCommand::Remove {
            session_id: session(login),
            at: at(),
        };
        for command in [renew(6), remove(6)] {
            assert_eq!(factor.decide(command), Err(SecondFactorRejection::NotPassed));
        }
        let [renewed, removed] = renewed_and_removed();
        assert_eq!(factor.decide(renew(5)).unwrap(), std::slice::from_ref(&renewed));
        assert_eq!(factor.decide(remove(5)).unwrap(), std::slice::from_ref(&removed));
        let mut all = story();
        all.push(renewed);
        let factor = crate::aggregate::fold::<SecondFactor>(&all);
        assert_eq!(factor.recovery, BTreeSet::from(["ef".to_owned()]));
        all.push(removed);
        let factor = crate::aggregate::fold::<SecondFactor>(&all);
        assert_eq!(factor, SecondFactor::default());
        assert_eq!(factor.decide(remove(5)), Err(SecondFactorRejection::NotEnrolled));
    }

    #[test]
    fn codes_count_once() {
        let factor = crate::aggregate::fold::<SecondFactor>(&story());
        let pass = |step| SecondFactorCommand::Pass {
            session_id: session(6),
            step,
            at: at(),
        };
        assert_eq!(factor.decide(pass(100)), Err(SecondFactorRejection::Used));
        let passed = factor.decide(pass(101)).unwrap();
        let recover = |digest: &str| SecondFactorCommand::Recover {
            session_id: session(7),
            digest: digest.to_owned(),
            at: at(),
        };
        assert_eq!(
            factor.decide(recover("xy")),
            Err(SecondFactorRejection::NoSuchCode)
        );
        let recovered = factor.decide(recover("ab")).unwrap();
        let mut all = story();
        all.extend([passed[0].clone(), recovered[0].clone()]);
        let factor = crate::aggregate::fold::<SecondFactor>(&all);
        assert_eq!(
            factor.decide(recover("ab")),
            Err(SecondFactorRejection::NoSuchCode)
        );
        assert_eq!(factor.passed.len(), 3);
        for event in renewed_and_removed() {
            all.push(event);
        }
        let reset = SecondFactorEvent::Reset { by: None, at: at() };
        all.push(reset);
        assert_eq!(
            crate::aggregate::fold::<SecondFactor>(&all),
            SecondFactor::default()
        );
        assert_kept::<SecondFactor>(&all);
    }
}
