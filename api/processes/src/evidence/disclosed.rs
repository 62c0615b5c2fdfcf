//! What of a booking's history may leave the house for a bank: kinds of events, and values of their sentences, each by name. What is not
//! listed stays: acts, looks, notes and reasons of staff, data about health, and every kind that is added later.

/// Which of Stripe's fields a kind of event fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Activity,
    Communication,
    Refunds,
    Other,
}

const ACTIVITY: [&str; 28] = [
    "LeadCreated",
    "LeadEnquired",
    "LeadWaitlisted",
    "LeadPlaceTaken",
    "LeadPersonVerified",
    "LeadPersonUnverified",
    "LeadContactChanged",
    "LeadWishChanged",
    "LeadViewingRequested",
    "LeadFormStarted",
    "LeadFormCompleted",
    "LeadPaymentStarted",
    "LeadBooked",
    "LeadBookingRefunded",
    "LeadCompleted",
    "LeadRated",
    "BookingFormStarted",
    "BookingFormSectionSaved",
    "BookingFormDocumentAdded",
    "BookingFormDocumentRemoved",
    "BookingFormRoomChanged",
    "BookingFormPlaceKept",
    "BookingFormSubmitted",
    "UserRegistered",
    "UserVerified",
    "UserSessionOpened",
    "UserSessionClosed",
    "UserMessagesChosen",
];
const COMMUNICATION: [&str; 10] = [
    "LeadLetterPosted",
    "LeadMessageSent",
    "LeadMessageRefused",
    "PaymentMessageSent",
    "PaymentMessageRefused",
    "RefundMessageSent",
    "CaseOpened",
    "CaseMessageWritten",
    "CaseMessagePosted",
    "CaseAttachmentAdded",
];
const REFUNDS: [&str; 6] = [
    "RefundRequested",
    "RefundSent",
    "RefundAcknowledged",
    "RefundFailed",
    "RefundPaidElsewhere",
    "PaymentBookingCancelled",
];
const OTHER: [&str; 19] = [
    "PaymentOpened",
    "PaymentLinkMade",
    "PaymentBegun",
    "PaymentRetried",
    "PaymentHoldNoted",
    "IntentReady",
    "IntentFailed",
    "PaymentSoldOut",
    "PaymentConfirmed",
    "PaymentActionRequired",
    "PaymentSucceeded",
    "PaymentCapturedWithoutRoom",
    "PaymentCapturedAgain",
    "PaymentDeclined",
    "PaymentDelayed",
    "PaymentCancelled",
    "PaymentRoomGivenBack",
    "DisputeOpened",
    "DisputeClosed",
];

/// Values that sentences may show: amounts, days, counts, the home, and masked addresses. Free words are not among them.
const VALUES: [&str; 12] = [
    "amount", "total", "captured", "refunded", "place", "date", "slot", "score", "count", "kind", "code",
    "to",
];

/// The field that takes events of this kind; `None` for what stays in the house.
pub(super) fn field_of(event_type: &str) -> Option<Field> {
    [
        (ACTIVITY.as_slice(), Field::Activity),
        (COMMUNICATION.as_slice(), Field::Communication),
        (REFUNDS.as_slice(), Field::Refunds),
        (OTHER.as_slice(), Field::Other),
    ]
    .into_iter()
    .find_map(|(kinds, field)| kinds.contains(&event_type).then_some(field))
}

/// Whether the bank may read this event: of its kind, and no act of staff under the name of the payer's.
pub(super) fn may_leave(event_type: &str, actor_kind: &str) -> bool {
    field_of(event_type).is_some_and(|field| field != Field::Activity || actor_kind != "staff")
}

/// Whether a sentence may show this value.
pub(super) fn is_disclosed(value: &str) -> bool {
    VALUES.contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_of_staff_and_unknown_kinds_stay_in_the_house() {
        for kind in [
            "LeadActedOn",
            "LeadAssigned",
            "LeadNoteAdded",
            "LeadCancelled",
            "LeadLost",
            "CaseNoteAdded",
            "UserPersonalDataRevealed",
            "DisputeEvidenceNoted",
            "BookingFormMedicalConditionSaved",
            "LeadSomethingNew",
        ] {
            assert_eq!(field_of(kind), None, "{kind}");
        }
        assert_eq!(field_of("LeadCreated"), Some(Field::Activity));
        assert!(is_disclosed("amount") && !is_disclosed("reason"));
    }

    #[test]
    fn acts_of_staff_are_no_acts_of_the_payer() {
        for kind in ["LeadContactChanged", "BookingFormRoomChanged"] {
            assert!(!may_leave(kind, "staff"), "{kind}");
            assert!(may_leave(kind, "student") && may_leave(kind, "visitor"), "{kind}");
        }
        assert!(may_leave("CaseMessageWritten", "staff"));
        assert!(!may_leave("LeadNoteAdded", "student"));
    }

    #[test]
    fn proof_of_a_person_and_its_loss_are_both_told() {
        for kind in ["LeadPersonVerified", "LeadPersonUnverified"] {
            assert_eq!(field_of(kind), Some(Field::Activity), "{kind}");
        }
    }
}
