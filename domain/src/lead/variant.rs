//! Which call to action opened the enquiry (Spec §2, twelve variants).

use serde::{Deserialize, Serialize};

/// The enquiry modal's variants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeadVariant {
    GetHelp,
    AskQuestionFaqCta,
    #[default]
    Enquire,
    VirtualTourEnquiry,
    ReferredByEnquiry,
    PartnerEnquire,
    BookNow,
    ApplyNow,
    ContactUs,
    JoinWaitlist,
    EditDetails,
    GenericForm,
}

impl LeadVariant {
    pub const ALL: [Self; 12] = [
        Self::GetHelp,
        Self::AskQuestionFaqCta,
        Self::Enquire,
        Self::VirtualTourEnquiry,
        Self::ReferredByEnquiry,
        Self::PartnerEnquire,
        Self::BookNow,
        Self::ApplyNow,
        Self::ContactUs,
        Self::JoinWaitlist,
        Self::EditDetails,
        Self::GenericForm,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::GetHelp => "get_help",
            Self::AskQuestionFaqCta => "ask_question_faq_cta",
            Self::Enquire => "enquire",
            Self::VirtualTourEnquiry => "virtual_tour_enquiry",
            Self::ReferredByEnquiry => "referred_by_enquiry",
            Self::PartnerEnquire => "partner_enquire",
            Self::BookNow => "book_now",
            Self::ApplyNow => "apply_now",
            Self::ContactUs => "contact_us",
            Self::JoinWaitlist => "join_waitlist",
            Self::EditDetails => "edit_details",
            Self::GenericForm => "generic_form",
        }
    }

    /// Whether it asks for what an earlier enquiry about the same home asked for: a tour after a question is a first tour.
    pub fn repeats(self, earlier: Self) -> bool {
        match self {
            // Their words tell of any earlier enquiry about the home.
            Self::Enquire
            | Self::ReferredByEnquiry
            | Self::PartnerEnquire
            | Self::EditDetails
            | Self::GenericForm => true,
            Self::BookNow | Self::ApplyNow => matches!(earlier, Self::BookNow | Self::ApplyNow),
            Self::GetHelp
            | Self::AskQuestionFaqCta
            | Self::VirtualTourEnquiry
            | Self::ContactUs
            | Self::JoinWaitlist => self == earlier,
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.key() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_wish_repeats_a_tour_a_wait_or_a_booking() {
        use LeadVariant as V;
        for first in [
            V::VirtualTourEnquiry,
            V::JoinWaitlist,
            V::AskQuestionFaqCta,
            V::ContactUs,
        ] {
            let repeated = V::ALL.into_iter().filter(|earlier| first.repeats(*earlier));
            assert_eq!(repeated.collect::<Vec<_>>(), [first]);
        }
        assert!(V::BookNow.repeats(V::ApplyNow) && !V::BookNow.repeats(V::Enquire));
        assert!(
            V::Enquire.repeats(V::VirtualTourEnquiry),
            "an enquiry says that the home was asked about"
        );
    }
}
