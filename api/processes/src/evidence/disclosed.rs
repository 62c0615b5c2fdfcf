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

const ACTIVITY: [&str; 27] = [
    "LeadCreated",
    "LeadEnquired",
    "LeadWaitlisted",
    "LeadPlaceTaken",
    "LeadPersonVerified",
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

/// Values that sentences may show: amounts, days, counts, the home, and masked addresses. Nobody's free words are among them.
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
}
