//! Whose a lead is: open to its link until a login claims it, then one account's.

use serde::{Deserialize, Serialize};

use super::Lead;
use crate::contact::Email;
use crate::id::{BookingFormId, UserId};
use crate::moment::Moment;

/// How sure it is that a lead comes from whom it names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// Sent without a login, and nobody has proved since that it is theirs.
    #[default]
    Open,
    /// It belongs to a person, but the address or number it names is not proved to be theirs.
    Held,
    /// The person has proved the address and the number.
    Proved,
}

/// An unclaimed lead names the address of another person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// Whom the address reaches.
    pub person: UserId,
    /// A key that nothing else is sealed under, for a lead that has none of its own.
    pub subject: UserId,
}

/// Form and payment that an account began in a lead since it claimed it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    pub form: bool,
    pub payment: bool,
}

impl Begun {
    /// Nothing is written where there is nothing: most leads are of this kind, and their states fill the cache of the log.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    pub(super) const fn is_nothing(&self) -> bool {
        !self.form && !self.payment
    }
}

impl Lead {
    /// The person has proved the address and the number.
    pub fn is_verified(&self) -> bool {
        self.claim == Claim::Proved
    }

    /// Nobody has proved yet that it is theirs.
    pub fn is_unclaimed(&self) -> bool {
        self.claim == Claim::Open
    }

    /// Whether it belongs to a person who has proved this e-mail address: to the account that sent or claimed it and to no other.
    /// Before a claim it is for the address that it names now: a former address has no part in it. A phone number is typed by
    /// the sender, and makes nobody an owner.
    pub fn belongs_to(&self, person_id: UserId, proved: Option<&Email>) -> bool {
        if let Some(owner) = self.claimed_by {
            return owner == person_id;
        }
        // Claims of before the claimer was written down are of the account that the enquiry was sent for.
        let is_sender = || {
            let sent = self.submission.as_ref();
            !self.is_unclaimed() && sent.is_some_and(|sent| sent.person_id == person_id)
        };
        proved.is_some_and(|proved| self.is_named(proved)) || is_sender()
    }

    /// Whose it is now: of the account that claimed it, before a claim of whom its address reaches.
    pub fn person(&self) -> Option<UserId> {
        let sent = self.submission.as_ref();
        self.claimed_by
            .or(self.corrected_to.map(|to| to.person))
            .or(sent.map(|sent| sent.person_id))
    }

    /// Whose key seals what is personal from now on (decision 0015).
    pub fn sealed_by(&self) -> Option<UserId> {
        let sent = self.submission.as_ref();
        let at_first = sent.map(|sent| sent.subject.unwrap_or(sent.person_id));
        self.corrected_to.map(|to| to.subject).or(at_first)
    }

    /// What a change of the address means: nothing for a claimed lead, and nothing where it reaches the same person.
    pub(super) fn correction(&self, to: Option<Correction>) -> Option<Correction> {
        let to = to.filter(|to| self.is_unclaimed() && Some(to.person) != self.person())?;
        Some(Correction {
            subject: self.own_key().unwrap_or(to.subject),
            ..to
        })
    }

    /// The key of a lead that is sealed under no person's.
    pub fn own_key(&self) -> Option<UserId> {
        let sent = self.submission.as_ref();
        let own = self.corrected_to.map(|before| before.subject);
        own.or_else(|| sent.and_then(|sent| sent.subject))
    }

    /// Whether the link of something that was made at this moment ended, as the lead was taken from the account that had it: only the
    /// student's login opens it from then on.
    pub fn has_ended_links_of(&self, made_at: Moment) -> bool {
        self.handed_over_at
            .is_some_and(|handed_over| made_at <= handed_over)
    }

    /// Whether the link of this form ended with that, too.
    pub fn has_ended_form_link(&self) -> bool {
        self.form_begun_at.is_some_and(|at| self.has_ended_links_of(at))
    }

    /// Whether this form was begun by an account that the lead was taken from: it does not open any more.
    pub fn has_left_form(&self, form_id: BookingFormId) -> bool {
        self.handed_over_at.is_some() && self.form.is_none_or(|(own, _)| own != form_id)
    }

    /// Whether something that was begun at this moment was begun by the account that had claimed the lead.
    pub(super) fn is_since_claim(&self, begun_at: Moment) -> bool {
        self.claimed_at.is_some_and(|claimed| begun_at > claimed)
    }

    /// Whether the enquiry names this e-mail address, in any spelling of it.
    pub fn is_named(&self, email: &Email) -> bool {
        let named = self.personal.as_ref().map(|personal| &personal.email);
        named.is_some_and(|named| named.canonical() == email.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::{Decide as _, fold};
    use crate::country::Flow;
    use crate::id::{InventoryId, PaymentId};
    use crate::lead::tests::{at, id, personal, submission};
    use crate::lead::{LeadCommand, LeadEvent, LeadRejection};
    use crate::sealed::{Sealable as _, Sealed};

    fn unclaimed(subject: Option<UserId>) -> Lead {
        let mut sent = submission();
        (sent.unclaimed, sent.subject) = (true, subject);
        fold::<Lead>(&[LeadEvent::Created {
            submission: sent,
            at: at(0),
            personal: Sealed::new(personal()),
        }])
    }

    fn corrected(lead: &mut Lead) -> Vec<LeadEvent> {
        let mut contact = personal();
        contact.email = Email::parse("li@example.com").unwrap();
        let command = LeadCommand::Change {
            edition: None,
            wish: lead.wish.clone(),
            personal: Some(Box::new(contact)),
            corrected_to: Some(Correction {
                person: UserId(id(5)),
                subject: UserId(id(6)),
            }),
            viewing: None,
            at: at(1),
        };
        let events = lead.decide(command).unwrap();
        for event in &events {
            lead.evolve(event);
        }
        events
    }

    /// The account that an enquiry was sent for has no part in it once it names another address.
    #[test]
    fn unclaimed_lead_is_of_the_address_it_names_now() {
        let [old, new] = ["mei@example.com", "li@example.com"].map(|text| Email::parse(text).unwrap());
        let mut lead = unclaimed(Some(UserId(id(11))));
        assert!(lead.belongs_to(UserId(id(2)), Some(&old)));
        assert!(!lead.belongs_to(UserId(id(2)), None), "a login by phone alone");
        corrected(&mut lead);
        assert!(lead.belongs_to(UserId(id(5)), Some(&new)));
        assert!(!lead.belongs_to(UserId(id(2)), Some(&old)));
        assert_eq!(lead.person(), Some(UserId(id(5))));
    }

    /// A lead without a key of its own gets one, and says its words again under it.
    #[test]
    fn corrected_lead_is_sealed_under_its_own_key() {
        for (first, later) in [(Some(UserId(id(11))), 11), (None, 6)] {
            let mut lead = unclaimed(first);
            let said = corrected(&mut lead);
            assert!(
                said.iter()
                    .all(|event| event.subject() == Some(UserId(id(later))))
            );
            assert_eq!(said.len(), if first.is_some() { 1 } else { 2 });
            assert_eq!(lead.sealed_by(), Some(UserId(id(later))));
        }
    }

    /// A slip takes a claimed lead from its account with what was begun before the claim; what the account began or sealed stays.
    #[test]
    fn claimed_lead_is_handed_over_where_its_key_is_its_own() {
        let [old, new] = ["mei@example.com", "li@example.com"].map(|text| Email::parse(text).unwrap());
        let mut contact = personal();
        contact.email = new.clone();
        let hand_over = LeadCommand::HandOver {
            personal: Box::new(contact),
            to: UserId(id(5)),
            at: at(1),
        };
        let claimed = LeadEvent::PersonVerified {
            by: Some(UserId(id(2))),
            at: at(0),
        };
        let [mut own, mut theirs] = [Some(UserId(id(11))), None].map(unclaimed);
        for lead in [&mut own, &mut theirs] {
            lead.evolve(&claimed);
        }
        let refused = theirs.decide(hand_over.clone());
        assert_eq!(refused, Err(LeadRejection::SealedUnderAccount));
        let form_at = |second| LeadEvent::FormStarted {
            form_id: BookingFormId(id(5)),
            inventory_id: InventoryId(id(4)),
            flow: Flow::Book,
            at: at(second),
        };
        let payment_at = |second| LeadEvent::PaymentStarted {
            payment_id: PaymentId(id(7)),
            inventory_id: InventoryId(id(4)),
            at: at(second),
        };
        for (begun, is_refused, keeps_form) in [
            (vec![payment_at(2)], true, false),
            (vec![form_at(2)], true, false),
            (vec![form_at(0), payment_at(2)], true, true),
            (vec![form_at(0), payment_at(0)], false, true),
            (vec![payment_at(0), form_at(2)], false, false),
        ] {
            let mut lead = own.clone();
            for event in &begun {
                lead.evolve(event);
            }
            let decided = lead.decide(hand_over.clone());
            assert_eq!(decided == Err(LeadRejection::FormBegun), is_refused, "{begun:?}");
            for event in decided.unwrap_or_default() {
                lead.evolve(&event);
                assert_eq!(lead.form.is_some(), keeps_form, "{begun:?}");
                assert!(lead.payment.is_some() && lead.has_ended_links_of(at(1)));
            }
        }
        for event in own.decide(hand_over).unwrap() {
            assert_eq!(event.subject(), Some(UserId(id(11))));
            own.evolve(&event);
        }
        assert!(own.is_unclaimed() && !own.belongs_to(UserId(id(2)), Some(&old)));
        assert!(own.belongs_to(UserId(id(5)), Some(&new)));
        assert_eq!(own.person(), Some(UserId(id(5))));
    }

    /// A claimed lead stays its account's, whatever address it writes.
    #[test]
    fn claimed_lead_is_not_given_away_by_an_address() {
        let mut lead = unclaimed(None);
        lead.evolve(&LeadEvent::PersonVerified {
            by: Some(UserId(id(2))),
            at: at(0),
        });
        corrected(&mut lead);
        assert_eq!(
            (lead.person(), lead.sealed_by()),
            (Some(UserId(id(2))), Some(UserId(id(2))))
        );
    }
}
