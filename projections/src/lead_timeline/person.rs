//! A person's events in sentences.

use domain::handle::HandleKind;
use domain::user::{Look, Reach, UserEvent};

use super::told::Told;

/// Tells one event of a person's stream; nothing of a read of a history, which would grow by being read (T30).
pub(super) fn tell(event: &UserEvent) -> Option<Told> {
    use UserEvent as E;
    Some(match event {
        E::PersonalDataRevealed {
            what: Some(Look::History | Look::Payment | Look::Case),
            ..
        } => return None,
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
    })
}

fn word(kind: HandleKind) -> &'static str {
    match kind {
        HandleKind::Email => "email",
        HandleKind::Phone => "phone",
    }
}

#[cfg(test)]
mod tests {
    use domain::id::UserId;
    use domain::moment::Moment;
    use domain::user::{Look, UserEvent};
    use uuid::Uuid;

    use super::tell;

    #[test]
    fn timeline_tells_looks_but_no_reads_of_histories() {
        let at: Moment = "2026-11-26T10:00:00Z".parse().unwrap();
        let tells = |what| {
            let look = UserEvent::PersonalDataRevealed {
                lead_id: None,
                by: UserId(Uuid::from_u128(7)),
                what: Some(what),
                person_id: None,
                reason: String::new(),
                until: at,
                at,
            };
            tell(&look).is_some()
        };
        let told: Vec<Look> = Look::ALL.into_iter().filter(|what| tells(*what)).collect();
        assert_eq!(
            told,
            [
                Look::Contact,
                Look::Letter,
                Look::Answers,
                Look::Export,
                Look::Payments
            ]
        );
    }
}
