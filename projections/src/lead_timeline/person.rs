//! A person's events in sentences.

use domain::handle::HandleKind;
use domain::user::{Reach, UserEvent};

use super::told::Told;

/// Tells one event of a person's stream.
pub(super) fn tell(event: &UserEvent) -> Told {
    use UserEvent as E;
    match event {
        E::Registered { kind, .. } => Told::new(format!("user_registered.{}", word(*kind))),
        E::Verified { kind, personal, .. } => {
            let masked = personal.get().map(|reach| match reach {
                Reach::Email(email) => email.masked(),
                Reach::Phone(phone) => phone.masked(),
            });
            let field = match kind {
                HandleKind::Email => "proved_email",
                HandleKind::Phone => "proved_phone",
            };
            Told::new(format!("user_verified.{}", word(*kind))).set_some(field, masked)
        }
        E::SessionOpened { login_type, .. } => {
            Told::new(format!("user_session_opened.{}", word(*login_type)))
                .set("login_type", word(*login_type))
        }
        E::Forgotten { reason: None, .. } => Told::new("user_forgotten"),
        E::Forgotten {
            reason: Some(reason), ..
        } => Told::new(format!("user_forgotten.{}", reason.key())),
        E::MessagesChosen { choice, .. } => Told::new(if choice.reminders {
            "user_messages_chosen.reminders"
        } else {
            "user_messages_chosen.no_reminders"
        }),
        E::SessionClosed { .. } => Told::new("user_session_closed"),
        E::RoleGranted { role, .. } => Told::new("user_role_granted").with("role", role.key()),
        E::RoleRevoked { role, .. } => Told::new("user_role_revoked").with("role", role.key()),
        // The reason of version 1 stands in the log unsealed, and is not told.
        E::PersonalDataRevealed {
            person_id,
            reason,
            until,
            ..
        } => Told::new("user_personal_data_revealed")
            .with("reason", person_id.map_or("", |_| reason.as_str()))
            .set("last_looked_at", until.to_rfc3339()),
    }
}

fn word(kind: HandleKind) -> &'static str {
    match kind {
        HandleKind::Email => "email",
        HandleKind::Phone => "phone",
    }
}
