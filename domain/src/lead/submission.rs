//! What is said when a lead is sent (Spec §3 "Lead payload").

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::LeadVariant;
use crate::attribution::{DeviceMark, SourceDetails};
use crate::contact::{Email, PersonName, Phone};
use crate::id::{InventoryId, LeadId, RegionId, UserId};
use crate::inventory::price_lock::QuoteLock;
use crate::language::Language;
use crate::money::{Currency, Period};
use crate::place::Coordinates;

/// Who asks. Sealed under the person's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadPersonal {
    /// The capability that opens this lead without a login (D80): sealed, because it is as good as a key.
    pub lead_uuid: Uuid,
    pub name: PersonName,
    pub email: Email,
    pub phone: Phone,
    /// Free text may say anything about anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idp_form_data: Option<IdpFormData>,
    /// Who referred them, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referrer_name: Option<String>,
    /// The other address of the payload, `data.email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_email: Option<Email>,
}

impl LeadPersonal {
    /// Whether the other data reach the same person: same e-mail, same phone.
    pub fn is_reached_as(&self, other: &Self) -> bool {
        self.email.canonical() == other.email.canonical() && self.phone == other.phone
    }
}

/// A partner's adviser behind the lead; misspelt as on the wire (D85).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IdpFormData {
    pub councellor_name: Option<String>,
    pub councellor_email: Option<String>,
    pub councellor_country: Option<String>,
    pub councellor_office: Option<String>,
}

/// What they look for. Its free words are sealed in events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeadWish {
    /// Whole units of `budget_currency` per `budget_duration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_currency: Option<Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_duration: Option<Period>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intake: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub filters: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub university: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease_duration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_in_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_of_students: Option<u8>,
}

/// When they would like to see the place (D63, D87).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewingRequest {
    /// `2027-01-18`
    pub date: String,
    /// `09:00` to `18:00`, every half hour.
    pub slot: String,
    pub timezone: String,
    /// `virtual` or `in_person`.
    pub mode: String,
}

/// Everything said when the lead was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own on the wire; no two belong together"
)]
pub struct Submission {
    pub lead_id: LeadId,
    pub person_id: UserId,
    /// Whose key seals what is personal in it: the lead's own, so that it goes with whoever owns the lead (decision 0015). Unsaid:
    /// the person's, who owns it for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<UserId>,
    /// `L-7Q3K9D`: what people say on the phone.
    pub reference: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory_id: Option<InventoryId>,
    /// The property, where `inventory_id` is a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory_root_id: Option<InventoryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region_id: Option<RegionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location_place_name: Option<String>,
    /// A map provider's name of the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location_place_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location_coordinates: Option<Coordinates>,
    pub wish: LeadWish,
    pub variant: LeadVariant,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_source: Option<String>,
    pub payment_before_bookform: bool,
    pub source: SourceDetails,
    /// D137: transactional mails go out always; this is about the rest.
    pub user_notification: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referral_code: Option<String>,
    /// The device that sent it. Unsaid in events before version 5, sealed since version 6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceMark>,
    /// An earlier lead of the same person for the same property (D83).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_of: Option<LeadId>,
    /// Whoever sent this showed the capability of that earlier lead: that it repeats one is no news to them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeat_shown: bool,
    /// An earlier lead that the sender knows of asked for the same ([`LeadVariant::repeats`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats_wish: bool,
    /// The person had proved the e-mail or phone by a one-time code (D86).
    pub verified: bool,
    /// Sent without a login: whoever it names has not said that it is theirs (T5, T12; decision 0026).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unclaimed: bool,
    /// Whether the property could be had at that moment: decides between enquiry and waitlist.
    pub available: bool,
    /// Keyed digest of what was sent: the same again is the same lead (D83).
    pub request_digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key_digest: Option<String>,
    /// What the sender was reading: messages about the lead are written in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// What its home asked at that moment, good until a deadline. Unsaid in leads of before prices were frozen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<QuoteLock>,
    /// The host of the site where it was sent: messages about it lead back there. Unsaid at the house's first site and before version 7.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

/// What people call a lead on the phone: short, and without letters that look alike.
pub fn reference(lead_id: LeadId) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let bytes = lead_id.0.as_bytes();
    let letters = bytes
        .iter()
        .rev()
        .take(6)
        .map(|byte| char::from(LETTERS[usize::from(byte & 31)]));
    format!("L-{}", letters.collect::<String>())
}
