//! By what two people are reached, and what of it is the same (decision 0028).

use crate::contact::{Email, Phone};
use crate::lead::Lead;
use crate::referral::SharedContact;
use crate::user::{Reach, User};

/// By what a person is reached.
#[derive(Debug, Default)]
pub struct Contact {
    inboxes: Vec<String>,
    /// In E.164.
    phones: Vec<String>,
}

impl Contact {
    pub fn add(&mut self, email: Option<&Email>, phone: Option<&Phone>) {
        self.inboxes.extend(email.map(Email::inbox));
        self.phones.extend(phone.map(|phone| phone.e164().to_owned()));
    }

    /// What an account has proved, and how it was first met.
    pub fn add_account(&mut self, user: &User) {
        self.add(user.email.as_ref(), user.phone.as_ref());
        match &user.met_as {
            Some(Reach::Email(email)) => self.add(Some(email), None),
            Some(Reach::Phone(phone)) => self.add(None, Some(phone)),
            None => {}
        }
    }

    /// What an enquiry names.
    pub fn add_lead(&mut self, lead: &Lead) {
        if let Some(personal) = &lead.personal {
            self.add(Some(&personal.email), Some(&personal.phone));
        }
    }

    /// What both are reached by, if anything.
    pub fn shared_with(&self, other: &Self) -> Option<SharedContact> {
        let meet = |own: &[String], theirs: &[String]| own.iter().any(|one| theirs.contains(one));
        if meet(&self.inboxes, &other.inboxes) {
            Some(SharedContact::Inbox)
        } else if meet(&self.phones, &other.phones) {
            Some(SharedContact::Phone)
        } else {
            None
        }
    }
}
