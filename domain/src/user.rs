//! A person: found by e-mail or phone, proved by a one-time code, logged in by sessions, trusted by roles (Spec §6,
//! D2, D106), and everything that was looked at about them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::aggregate::Decide;
use crate::contact::{Email, PersonName, Phone, domain_to_ascii};
use crate::correspondence::MessageChoice;
use crate::handle::HandleKind;
use crate::id::{LeadId, SessionId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealed;
use crate::shape::as_it_is;

mod look;
mod sealing;

pub use look::{HistoryRead, Look};

/// What staff may do in the workspace (row F4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Support,
    Finance,
    Admin,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Support, Self::Finance, Self::Admin];

    /// The word on the wire and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Support => "support",
            Self::Finance => "finance",
            Self::Admin => "admin",
        }
    }

    /// Reads the word.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.key() == key)
    }
}

/// An e-mail address or a phone number: what a code is sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Email(Email),
    Phone(Phone),
}

impl Reach {
    pub const fn kind(&self) -> HandleKind {
        match self {
            Self::Email(_) => HandleKind::Email,
            Self::Phone(_) => HandleKind::Phone,
        }
    }
}

/// Why a person's data is erased. A word of a list and no sentence: it stays, and must name nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForgetReason {
    /// The person asked for it.
    Asked,
    /// It was kept longer than it is needed.
    NotNeeded,
    /// It should never have been taken in.
    Unlawful,
}

impl ForgetReason {
    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::NotNeeded => "not_needed",
            Self::Unlawful => "unlawful",
        }
    }
}

/// What a caller may ask of a person's account.
#[derive(Debug, Clone)]
pub enum UserCommand {
    /// First sight: an unproved handle and perhaps a name. Later sights change nothing.
    Register {
        user_id: UserId,
        reach: Reach,
        name: Option<PersonName>,
        at: Moment,
    },
    /// A one-time code sent to `reach` came back.
    Verify {
        user_id: UserId,
        reach: Reach,
        at: Moment,
    },
    OpenSession {
        session_id: SessionId,
        token_digest: String,
        login_type: HandleKind,
        expires_at: Moment,
        at: Moment,
    },
    CloseSession {
        session_id: SessionId,
        at: Moment,
    },
    Grant {
        role: Role,
        by: Option<UserId>,
        at: Moment,
    },
    Revoke {
        role: Role,
        by: Option<UserId>,
        at: Moment,
    },
    /// The person's data is to become unreadable.
    Forget {
        user_id: UserId,
        /// Unsaid where the operator does it by command, who then also erases.
        reason: Option<ForgetReason>,
        at: Moment,
    },
    /// Staff looks at this person's data, and says why; a history is read without a reason.
    Reveal {
        /// Unsaid where it is about no lead.
        lead_id: Option<LeadId>,
        by: UserId,
        what: Look,
        reason: String,
        until: Moment,
        at: Moment,
    },
    /// Which messages the person wants, in which language and by which way (D137).
    ChooseMessages {
        choice: MessageChoice,
        at: Moment,
    },
}

/// What happened to a person's account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UserEvent {
    Registered {
        user_id: UserId,
        kind: HandleKind,
        at: Moment,
        #[serde(skip)]
        personal: Sealed<Registration>,
    },
    Verified {
        user_id: UserId,
        kind: HandleKind,
        at: Moment,
        #[serde(skip)]
        personal: Sealed<Reach>,
    },
    SessionOpened {
        session_id: SessionId,
        token_digest: String,
        login_type: HandleKind,
        expires_at: Moment,
        at: Moment,
    },
    SessionClosed {
        session_id: SessionId,
        at: Moment,
    },
    RoleGranted {
        role: Role,
        by: Option<UserId>,
        at: Moment,
    },
    RoleRevoked {
        role: Role,
        by: Option<UserId>,
        at: Moment,
    },
    PersonalDataRevealed {
        /// Unsaid where it is about no lead, which no event before version 4 says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lead_id: Option<LeadId>,
        by: UserId,
        /// What was looked at; unsaid before version 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Look>,
        /// Whose key seals the reason. Unsaid in events of version 1, whose reason stands in the payload.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person_id: Option<UserId>,
        /// Free words of a member of staff.
        #[serde(default, skip_serializing)]
        reason: String,
        until: Moment,
        at: Moment,
    },
    MessagesChosen {
        choice: MessageChoice,
        at: Moment,
    },
    /// Nothing personal of theirs can be read from here on; what they paid for stays without them.
    Forgotten {
        user_id: UserId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<ForgetReason>,
        at: Moment,
    },
}

/// How the person was first met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    pub reach: Reach,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonName>,
}

crate::event_names!(UserEvent {
    Registered => "UserRegistered" 1,
    Verified => "UserVerified" 1,
    SessionOpened => "UserSessionOpened" 1,
    SessionClosed => "UserSessionClosed" 1,
    RoleGranted => "UserRoleGranted" 1,
    RoleRevoked => "UserRoleRevoked" 1,
    PersonalDataRevealed => "UserPersonalDataRevealed" 4,
    MessagesChosen => "UserMessagesChosen" 1,
    Forgotten => "SubjectForgotten" 2,
} upcasts {
    "UserPersonalDataRevealed" 1 => "UserPersonalDataRevealed" 2: as_it_is,
    "UserPersonalDataRevealed" 2 => "UserPersonalDataRevealed" 3: as_it_is,
    "UserPersonalDataRevealed" 3 => "UserPersonalDataRevealed" 4: as_it_is,
    "SubjectForgotten" 1 => "SubjectForgotten" 2: as_it_is,
});

/// Why an account turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserRejection {
    #[error("there is no such person")]
    Unknown,
    #[error("the person was forgotten")]
    Forgotten,
}

/// One open login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub token_digest: String,
    pub login_type: HandleKind,
    /// When the code was typed; unsaid in states that were kept before it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_at: Option<Moment>,
    pub expires_at: Moment,
}

/// A person as the events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub user_id: Option<UserId>,
    pub name: Option<PersonName>,
    /// The address or number at first sight, proved or not.
    #[serde(default)]
    pub met_as: Option<Reach>,
    /// Proved by a one-time code.
    pub email: Option<Email>,
    /// Proved by a one-time code.
    pub phone: Option<Phone>,
    pub verified: BTreeSet<HandleKind>,
    pub roles: BTreeSet<Role>,
    pub sessions: BTreeMap<SessionId, Session>,
    /// What they chose about messages.
    #[serde(default)]
    pub messages: MessageChoice,
    /// Of staff: reads of this person's histories that were recorded a short while ago.
    #[serde(default)]
    pub history_reads: Vec<HistoryRead>,
    /// Nothing happens to this account any more.
    #[serde(default)]
    pub forgotten: bool,
}

impl Decide for User {
    const KIND: &'static str = "user";
    type Command = UserCommand;
    type Event = UserEvent;
    type Rejection = UserRejection;

    fn decide(&self, command: UserCommand) -> Result<Vec<UserEvent>, UserRejection> {
        use UserCommand as C;
        use UserEvent as E;
        match command {
            _ if self.forgotten => over(&command),
            C::Forget { user_id, reason, at } => Ok(vec![E::Forgotten { user_id, reason, at }]),
            // Later sights of a known person change nothing.
            C::Register { .. } if self.user_id.is_some() => Ok(vec![]),
            C::Register {
                user_id,
                reach,
                name,
                at,
            } => {
                let kind = reach.kind();
                Ok(vec![E::Registered {
                    user_id,
                    kind,
                    at,
                    personal: Sealed::new(Registration { reach, name }),
                }])
            }
            _ if self.user_id.is_none() => Err(UserRejection::Unknown),
            C::Verify { user_id, reach, at } => Ok(unless(
                self.has_proved(&reach),
                E::Verified {
                    user_id,
                    kind: reach.kind(),
                    at,
                    personal: Sealed::new(reach),
                },
            )),
            C::OpenSession {
                session_id,
                token_digest,
                login_type,
                expires_at,
                at,
            } => Ok(vec![E::SessionOpened {
                session_id,
                token_digest,
                login_type,
                expires_at,
                at,
            }]),
            C::CloseSession { session_id, at } => Ok(self.close_session(session_id, at)),
            C::Grant { role, by, at } => Ok(unless(
                self.roles.contains(&role),
                E::RoleGranted { role, by, at },
            )),
            C::Revoke { role, by, at } => Ok(unless(
                !self.roles.contains(&role),
                E::RoleRevoked { role, by, at },
            )),
            C::ChooseMessages { choice, at } => Ok(self.choose_messages(choice, at)),
            C::Reveal {
                lead_id,
                by,
                what,
                reason,
                until,
                at,
            } => Ok(self.unless_just_read(E::PersonalDataRevealed {
                lead_id,
                by,
                what: Some(what),
                person_id: self.user_id,
                reason,
                until,
                at,
            })),
        }
    }

    fn evolve(&mut self, event: &UserEvent) {
        use UserEvent as E;
        match event {
            E::Registered {
                user_id, personal, ..
            } => {
                self.user_id = Some(*user_id);
                self.met_as = personal.get().map(|registration| registration.reach.clone());
                self.name = personal.get().and_then(|registration| registration.name.clone());
            }
            E::Verified { kind, personal, .. } => {
                self.verified.insert(*kind);
                match personal.get() {
                    Some(Reach::Email(email)) => self.email = Some(email.clone()),
                    Some(Reach::Phone(phone)) => self.phone = Some(phone.clone()),
                    None => {}
                }
            }
            E::SessionOpened {
                session_id,
                token_digest,
                login_type,
                expires_at,
                at,
            } => {
                let session = Session {
                    token_digest: token_digest.clone(),
                    login_type: *login_type,
                    opened_at: Some(*at),
                    expires_at: *expires_at,
                };
                self.sessions.insert(*session_id, session);
            }
            E::SessionClosed { session_id, .. } => {
                self.sessions.remove(session_id);
            }
            E::RoleGranted { role, .. } => {
                self.roles.insert(*role);
            }
            E::RoleRevoked { role, .. } => {
                self.roles.remove(role);
            }
            E::PersonalDataRevealed { .. } => self.note_read(event),
            E::MessagesChosen { choice, .. } => self.messages = *choice,
            E::Forgotten { user_id, .. } => {
                *self = Self {
                    user_id: Some(*user_id),
                    forgotten: true,
                    ..Self::default()
                };
            }
        }
    }
}

impl User {
    /// D2: staff is who proved an address at exactly the company's domain; nothing else counts (T7).
    pub fn is_internal(&self, staff_domain: Option<&str>) -> bool {
        let domain = staff_domain.and_then(|domain| domain_to_ascii(domain.trim()));
        match (&self.email, domain) {
            (Some(email), Some(domain)) => email.domain() == domain,
            (_, None) | (None, Some(_)) => false,
        }
    }

    fn choose_messages(&self, choice: MessageChoice, at: Moment) -> Vec<UserEvent> {
        unless(self.messages == choice, UserEvent::MessagesChosen { choice, at })
    }

    fn close_session(&self, session_id: SessionId, at: Moment) -> Vec<UserEvent> {
        let closed = !self.sessions.contains_key(&session_id);
        unless(closed, UserEvent::SessionClosed { session_id, at })
    }

    fn has_proved(&self, reach: &Reach) -> bool {
        match reach {
            Reach::Email(email) => self
                .email
                .as_ref()
                .is_some_and(|proved| proved.canonical() == email.canonical()),
            Reach::Phone(phone) => self.phone.as_ref() == Some(phone),
        }
    }
}

/// What can still be asked of the account of somebody who was forgotten: what is done already.
fn over(command: &UserCommand) -> Result<Vec<UserEvent>, UserRejection> {
    use UserCommand as C;
    match command {
        C::Forget { .. } | C::CloseSession { .. } | C::Revoke { .. } => Ok(vec![]),
        C::Register { .. }
        | C::Verify { .. }
        | C::OpenSession { .. }
        | C::Grant { .. }
        | C::ChooseMessages { .. }
        | C::Reveal { .. } => Err(UserRejection::Forgotten),
    }
}

/// The event, unless it is no news.
fn unless(known: bool, event: UserEvent) -> Vec<UserEvent> {
    if known { vec![] } else { vec![event] }
}

crate::aggregate!(User);

#[cfg(test)]
mod story;
