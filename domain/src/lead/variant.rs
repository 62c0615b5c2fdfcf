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

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.key() == key)
    }
}
