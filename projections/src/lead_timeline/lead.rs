//! A lead's events in sentences.

use domain::contact::{Email, PersonName};
use domain::correspondence::{LetterOutcome, LetterText, Posted};
use domain::id::UserId;
use domain::lead::{
    AnswerBeside, DeskAct, IdpFormData, LeadEvent, LeadPersonal, LeadStatus, LeadWish, Submission,
};
use domain::money::Money;
use uuid::Uuid;

use super::UNSHOWN;
use super::told::{Told, shown};

/// `place` names the property, where there is one; `before` is the status so far; `actor` is who made it happen.
pub(super) fn tell(event: &LeadEvent, place: Option<&str>, before: LeadStatus, actor: Option<Uuid>) -> Told {
    let after = before.after(event);
    let told = approved(event, actor).unwrap_or_else(|| sentence(event, place));
    if after == before && !matches!(event, LeadEvent::Created { .. }) {
        told
    } else {
        told.set("status", after.key())
    }
}

/// An answer that a second person let happen: the reason is that of the colleague who gave it, and not of the actor.
fn approved(event: &LeadEvent, actor: Option<Uuid>) -> Option<Told> {
    let LeadEvent::ActedOn {
        act:
            DeskAct::RefundAnswered {
                granted: true,
                beside: None,
                otherwise,
                ..
            },
        by,
        why,
        ..
    } = event
    else {
        return None;
    };
    let is_approved = actor.is_some_and(|actor| actor != by.0);
    let kind = if *otherwise {
        "refund_approved_otherwise"
    } else {
        "refund_approved"
    };
    let told = || Told::new(format!("lead_acted.{kind}"));
    is_approved.then(|| told().with("reason", why.get().map_or("", String::as_str)))
}

fn sentence(event: &LeadEvent, place: Option<&str>) -> Told {
    use LeadEvent as E;
    match event {
        E::Created {
            submission, personal, ..
        } => created(submission, personal.get(), place),
        E::Enquired { variant, .. } => Told::new(format!("lead_enquired.{}", variant.key())),
        E::Waitlisted { .. } => Told::new("lead_waitlisted"),
        E::ViewingRequested { viewing, .. } => Told::new("lead_viewing_requested")
            .with("date", viewing.date.as_str())
            .with("slot", viewing.slot.as_str())
            .set(
                "viewing",
                format!("{} {} {}", viewing.date, viewing.slot, viewing.timezone),
            ),
        // The words of version 1 stand in the log unsealed: they are not told, as nothing takes them back.
        E::WishChanged {
            person_id: None,
            wish,
            ..
        } => wish_numbers(Told::new("lead_wish_changed"), wish),
        E::WishChanged { wish, .. } => wish_fields(Told::new("lead_wish_changed"), wish),
        E::ContactChanged { personal, .. } => {
            person_fields(Told::new("lead_contact_changed"), personal.get())
        }
        E::PersonVerified { .. } => Told::new("lead_person_verified").set("verified", "true"),
        E::PersonUnverified { .. } => Told::new("lead_person_unverified").set("verified", "false"),
        E::FormStarted { flow, .. } => {
            Told::new(format!("lead_form_started.{}", flow.key())).set("flow", flow.key())
        }
        E::FormCompleted { .. } => Told::new("lead_form_completed"),
        E::PaymentStarted { .. } => Told::new("lead_payment_started"),
        E::Booked { .. } => Told::new("lead_booked"),
        E::LinkMade { .. } => Told::new("lead_link_made"),
        E::PlaceTaken { .. } => Told::new("lead_place_taken"),
        E::BookingRefunded { .. } => Told::new("lead_booking_refunded").failed(),
        E::MessageSent { .. } => Told::new("lead_message_sent"),
        E::MessageRefused { .. } => Told::new("lead_message_refused").failed(),
        E::Cancelled {
            person_id, reason, ..
        } => closed("lead_cancelled", *person_id, reason),
        E::Lost {
            person_id, reason, ..
        } => closed("lead_lost", *person_id, reason),
        E::Completed { .. } => Told::new("lead_completed"),
        E::Assigned { owner, why, .. } => Told::new(match owner {
            Some(_) => "lead_assigned",
            None => "lead_unassigned",
        })
        .with("reason", why.get().map_or("", String::as_str))
        .set_some("owner", owner.map(|owner| owner.to_string())),
        E::NoteAdded { .. } => Told::new("lead_note_added"),
        E::Rated { score, words, .. } => {
            let words = words.get().filter(|words| !words.is_empty());
            Told::new("lead_rated")
                .with("score", u64::from(*score))
                .set("rating", score.to_string())
                .set_some("rating_words", words.cloned())
        }
        E::LetterPosted { posted, text, .. } => letter(posted, text.get()),
        E::ActedOn { act, why, .. } => acted(act, why.get().map_or("", String::as_str)),
    }
}

/// What a member of staff did, and why in their words.
fn acted(act: &DeskAct, why: &str) -> Told {
    let kind = match act {
        DeskAct::Closed { cause } => format!("closed.{}", cause.key()),
        DeskAct::Reopened { .. } => "reopened".to_owned(),
        DeskAct::StayChanged { .. } => "stay_changed".to_owned(),
        DeskAct::RoomChanged { .. } => "room_changed".to_owned(),
        DeskAct::HoldExtended { .. } => "hold_extended".to_owned(),
        DeskAct::CodeSent => "code_sent".to_owned(),
        DeskAct::ContactCorrected => "contact_corrected".to_owned(),
        DeskAct::EnquirySent => "enquiry_sent".to_owned(),
        DeskAct::RefundAsked {
            ends_booking: true, ..
        } => "cancellation_asked".to_owned(),
        DeskAct::RefundAsked { .. } => "refund_asked".to_owned(),
        DeskAct::RefundAnswered {
            beside: Some(AnswerBeside::Refund { .. }),
            ..
        } => "refund_closed_by_refund".to_owned(),
        DeskAct::RefundAnswered {
            beside: Some(AnswerBeside::Cancellation),
            ..
        } => "refund_closed_by_cancellation".to_owned(),
        DeskAct::RefundAnswered {
            granted: true,
            otherwise: true,
            ..
        } => "refund_granted_otherwise".to_owned(),
        DeskAct::RefundAnswered { granted: true, .. } => "refund_granted".to_owned(),
        DeskAct::RefundAnswered { .. } => "refund_declined".to_owned(),
        DeskAct::MarkedDouble { .. } => "marked_double".to_owned(),
        DeskAct::UnmarkedDouble { .. } => "unmarked_double".to_owned(),
        DeskAct::DoubleJoined { .. } => "double_joined".to_owned(),
        DeskAct::DoubleLeft { .. } => "double_left".to_owned(),
        DeskAct::EnquiredAnew { .. } => "enquired_anew".to_owned(),
        DeskAct::MadeFrom { .. } => "made_from".to_owned(),
        DeskAct::Called { reached: true } => "call_answered".to_owned(),
        DeskAct::Called { reached: false } => "call_missed".to_owned(),
        DeskAct::TeamSet { team: Some(_) } => "team_set".to_owned(),
        DeskAct::TeamSet { team: None } => "team_unset".to_owned(),
    };
    let told = Told::new(format!("lead_acted.{kind}")).with("reason", why);
    match act {
        DeskAct::TeamSet { team } => told.set_some("team", team.clone()),
        DeskAct::RefundAnswered {
            beside:
                Some(AnswerBeside::Refund {
                    amount_minor,
                    currency,
                    ..
                }),
            ..
        } => told.with("amount", shown(Money::new(*amount_minor, *currency))),
        DeskAct::MarkedDouble { of } => told.set("double_of", of.to_string()),
        DeskAct::UnmarkedDouble { .. } => told.set_some("double_of", None),
        DeskAct::Closed { .. } | DeskAct::RefundAnswered { granted: false, .. } => told.failed(),
        _ => told,
    }
}

/// Which message, by which way, and what its carrier said; its text is asked for apart.
fn letter(posted: &Posted, text: Option<&LetterText>) -> Told {
    let refused = match posted.outcome {
        LetterOutcome::Delivered => None,
        LetterOutcome::Refused { code } => Some(code),
    };
    let key = match refused {
        None => "lead_letter_sent",
        Some(Some(_)) => "lead_letter_refused",
        Some(None) => "lead_letter_given_up",
    };
    let told = Told::new(format!("{key}.{}", posted.letter.key()))
        .with(
            "code",
            refused.flatten().map(|code| code.to_string()).unwrap_or_default(),
        )
        .with(
            "to",
            text.map_or_else(|| UNSHOWN.to_owned(), LetterText::masked_recipient),
        )
        .set("message_way", posted.channel.key());
    if refused.is_some() { told.failed() } else { told }
}

fn created(submission: &Submission, personal: Option<&LeadPersonal>, place: Option<&str>) -> Told {
    let repeat = submission.repeat_of.is_some();
    let key = match (repeat, place) {
        (true, Some(_)) => "lead_created_again",
        (true, None) => "lead_created_again_anywhere",
        (false, Some(_)) => "lead_created",
        (false, None) => "lead_created_anywhere",
    };
    let told = Told::new(key)
        .with("place", place.unwrap_or_default())
        .set("reference", submission.reference.as_str())
        .set_some("property", place.map(str::to_owned))
        .set("verified", submission.verified.to_string())
        .set("repeat", repeat.to_string())
        .set_some("source", submission.source.label().map(str::to_owned))
        .set_some("referral_code", submission.referral_code.clone());
    let told = person_fields(wish_fields(told, &submission.wish), personal);
    counsellor_fields(
        told,
        personal.and_then(|personal| personal.idp_form_data.as_ref()),
    )
}

/// A partner's adviser (C9): a person of their own, masked as the student is.
fn counsellor_fields(told: Told, counsellor: Option<&IdpFormData>) -> Told {
    let Some(counsellor) = counsellor else {
        return told;
    };
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let name = filled(&counsellor.councellor_name).and_then(|name| PersonName::parse(&name).ok());
    let email = filled(&counsellor.councellor_email).and_then(|email| Email::parse(&email).ok());
    told.set_some("counsellor_name", name.map(|name| name.masked()))
        .set_some("counsellor_email", email.map(|email| email.masked()))
        .set_some("counsellor_country", filled(&counsellor.councellor_country))
        .set_some("counsellor_office", filled(&counsellor.councellor_office))
}

/// A reason of version 1 stands in the log unsealed, and is not told.
fn closed(key: &str, person_id: Option<UserId>, reason: &str) -> Told {
    let reason = person_id.map_or("", |_| reason);
    Told::new(key)
        .with("reason", reason)
        .set_some("reason", (!reason.is_empty()).then(|| reason.to_owned()))
        .failed()
}

fn wish_fields(told: Told, wish: &LeadWish) -> Told {
    wish_numbers(told, wish)
        .set_some("configuration", wish.configuration.clone())
        .set_some("university", wish.university.clone())
        .set_some("intake", wish.intake.clone())
}

/// The fields of a wish without free words.
fn wish_numbers(told: Told, wish: &LeadWish) -> Told {
    let budget = wish.budget.map(|budget| {
        let currency = wish.budget_currency.map_or("", domain::money::Currency::symbol);
        format!("{currency}{budget}")
    });
    told.set_some("move_in_date", wish.move_in_date.clone())
        .set_some("lease_duration", wish.lease_duration.clone())
        .set_some("budget", budget)
        .set_some(
            "no_of_students",
            wish.no_of_students.map(|number| number.to_string()),
        )
}

fn person_fields(told: Told, personal: Option<&LeadPersonal>) -> Told {
    let asked = personal.and_then(|personal| personal.user_query.as_ref());
    told.set_some("name", personal.map(|personal| personal.name.masked()))
        .set_some("email", personal.map(|personal| personal.email.masked()))
        .set_some("phone", personal.map(|personal| personal.phone.masked()))
        .set_some("question", asked.map(|_| UNSHOWN.to_owned()))
}
