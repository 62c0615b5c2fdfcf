//! Capabilities: names in addresses that open something without a login. Each opens one thing, for a time, until it ends;
//! [`TABLE`] says which, and `docs/capabilities.md` shows it.

use axum::http::StatusCode;
use domain::id::BookingFormId;
use domain::lead::Lead;
use domain::payment::terms::Terms;
use platform::clock;
use serde::Serialize;
use uuid::Uuid;

use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};
use crate::said::say;

/// T12: an unclaimed lead and its form can be changed by their links for this long; afterwards their owner logs in.
const LINK_DAYS: i64 = 30;

/// Which capability: the key of its row in [`TABLE`], and what a route says of itself that asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    LeadUuid,
    FormUuid,
    DocumentLink,
    StaffDocumentLink,
    PaymentToken,
    LoginToken,
    OneTimeCode,
    UnsubscribeLink,
    ReceiptLink,
    CaseLink,
    EnquiryWords,
}

/// One capability as the table of the documentation shows it.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub capability: Capability,
    pub name: &'static str,
    /// Where it stands.
    pub address: &'static str,
    pub opens: &'static str,
    pub lasts: &'static str,
    pub ends: &'static str,
}

/// Every capability there is.
pub const TABLE: [Row; 11] = [
    Row {
        capability: Capability::LeadUuid,
        name: "`lead_uuid`",
        address: "`/api/v0/leads/{id}`, `?lead_uuid=` of pages",
        opens: "reads and changes one unclaimed lead, starts its form and its payment",
        lasts: "30 days from the enquiry",
        ends: "a claim by a login: from then on it shows the lead masked, to read; staff who hand a mistyped enquiry over end it altogether, and so does forgetting",
    },
    Row {
        capability: Capability::FormUuid,
        name: "`form_uuid`",
        address: "`/api/v0/booking_forms/{form_uuid}`",
        opens: "reads and changes the booking form of one unclaimed lead, and adds documents",
        lasts: "30 days from the enquiry",
        ends: "a claim by a login, or staff who hand a mistyped enquiry over: from then on the form opens for its owner's login alone; forgetting",
    },
    Row {
        capability: Capability::DocumentLink,
        name: "document link",
        address: "`/api/v0/booking_forms/{form_uuid}/documents/{id}?expires=…`",
        opens: "shows one document, to whom the form opens",
        lasts: "10 minutes",
        ends: "the same as the form's",
    },
    Row {
        capability: Capability::StaffDocumentLink,
        name: "document link of staff",
        address: "`/documents/{token}`",
        opens: "shows one document once: to a login that may see leads, or, where it was made for the property's provider, to who holds it",
        lasts: "10 minutes for staff, 60 minutes for the provider",
        ends: "its first use, which stays in the log; taking the document back, forgetting",
    },
    Row {
        capability: Capability::PaymentToken,
        name: "payment token",
        address: "`/payments/{token}`, `/api/v0/payments/{token}`",
        opens: "shows amount, home, room, dates and state of one payment, pays it and cancels it before it is paid; shows its receipts, with \
                the payer's name until the payment expires; names neither \
                lead nor form unless the owner's login or the `lead_uuid` of the unclaimed lead comes with it",
        lasts: "to pay: until the payment expires; to read: without end",
        ends: "paying, cancelling, losing the room: from then on it shows the outcome, to read; staff who hand a mistyped enquiry over: from then on the payment opens for its owner's login alone",
    },
    Row {
        capability: Capability::LoginToken,
        name: "login token",
        address: "cookie `user_auth_token` (in the China variant also in the address)",
        opens: "everything of one account, with the roles that the account has at each request",
        lasts: "20 years",
        ends: "logout, forgetting",
    },
    Row {
        capability: Capability::OneTimeCode,
        name: "one-time code with `session_uuid`",
        address: "`/api/v0/users/login_email_otp`, `/api/v0/users/login_phone_otp`; behind the `#` of the link that `latchkey grant` prints",
        opens: "one login with the address that the code was sent to, or made for",
        lasts: "10 minutes; in such a link an hour",
        ends: "its use, a newer code, five wrong tries",
    },
    Row {
        capability: Capability::UnsubscribeLink,
        name: "unsubscribe link",
        address: "`/unsubscribe/{token}`, in reminders",
        opens: "switches off the reminders of one person; shows nothing of them",
        lasts: "90 days from the reminder",
        ends: "forgetting",
    },
    Row {
        capability: Capability::ReceiptLink,
        name: "receipt link",
        address: "`/receipts/{number}?pass=…`, in mails",
        opens: "shows one receipt or credit note with its payer's name, as page, PDF and proof",
        lasts: "90 days from the mail",
        ends: "its time, or staff who hand a mistyped enquiry over; a new one is sent to the address of the booking alone",
    },
    Row {
        capability: Capability::CaseLink,
        name: "case link",
        address: "`/support/{token}`, in mails of a case",
        opens: "reads one conversation with support and writes an answer in it",
        lasts: "30 days from the mail",
        ends: "forgetting",
    },
    Row {
        capability: Capability::EnquiryWords,
        name: "words of an enquiry, or its `Idempotency-Key`",
        address: "`POST /api/v0/leads`",
        opens: "the same lead with its link, while it holds nothing but those words",
        lasts: "10 minutes",
        ends: "a claim, a change, a form or a payment: from then on the answer is masked and names no link",
    },
];

impl Capability {
    /// How the table of the documentation calls it.
    pub fn name(self) -> &'static str {
        let row = TABLE.iter().find(|row| row.capability == self);
        row.map_or("", |row| row.name)
    }
}

/// Who reads a thing that a capability opened, and the link of its lead that came along.
#[derive(Debug, Clone)]
pub struct Reader {
    pub caller: Caller,
    pub lead_uuid: Option<Uuid>,
}

impl Reader {
    /// Whether the links of a lead and its form may be told: to its owner, and to who holds the link of the unclaimed lead.
    pub fn sees_links_of(&self, lead: &Lead) -> bool {
        is_owner(&self.caller, lead) || holds_link(self.lead_uuid, lead)
    }
}

/// Whether this is the link of the lead, and opens it still.
pub fn holds_link(lead_uuid: Option<Uuid>, lead: &Lead) -> bool {
    let link = lead.personal.as_ref().map(|personal| personal.lead_uuid);
    lead.is_unclaimed() && link.is_some() && link == lead_uuid
}

/// Whether the caller has proved to be the person of this lead.
pub fn is_owner(caller: &Caller, lead: &Lead) -> bool {
    lead.submission.is_some()
        && lead.personal.is_some()
        && caller
            .person
            .as_ref()
            .is_some_and(|person| lead.belongs_to(person.user_id, person.user.email.as_ref()))
}

/// Whether a form's link still opens it: until its lead has an owner or was taken from one, and as long as the lead's own link; the
/// owner's login opens the lead's form always.
///
/// # Errors
/// 403 where the owner has to log in first.
pub fn by_form(caller: &Caller, lead: &Lead, form_id: BookingFormId) -> ApiResult<()> {
    if lead.has_left_form(form_id) {
        return Err(log_in_first(caller));
    }
    if is_owner(caller, lead) {
        return Ok(());
    }
    if lead.is_unclaimed() && !lead.has_ended_form_link() {
        return in_time(lead);
    }
    Err(log_in_first(caller))
}

/// Whether a payment's token still opens it: until its lead is taken from an account that a mistyped address gave it to. The right
/// student's login opens it always.
///
/// # Errors
/// 403 where the owner has to log in first.
pub fn by_token(caller: &Caller, lead: &Lead, terms: &Terms) -> ApiResult<()> {
    if lead.has_ended_links_of(terms.opened_at) && !is_owner(caller, lead) {
        return Err(log_in_first(caller));
    }
    Ok(())
}

/// 403: this belongs to an account, and not to the one that asks.
pub fn log_in_first(caller: &Caller) -> ApiError {
    let said = if caller.person.is_some() {
        say("refusal.other_account")
    } else {
        say("refusal.log_in_first")
    };
    ApiError::new(StatusCode::FORBIDDEN, "log_in_first", said)
}

/// Whether a lead is young enough to be changed by its link.
///
/// # Errors
/// 403 where it is older than its link lasts.
pub fn in_time(lead: &Lead) -> ApiResult<()> {
    let age = lead
        .created_at
        .map_or(chrono::TimeDelta::zero(), |at| clock::now() - at);
    if age.num_days() < LINK_DAYS {
        return Ok(());
    }
    let message = say("refusal.link_too_old");
    Err(ApiError::new(StatusCode::FORBIDDEN, "link_too_old", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_shows_the_table() {
        let paper = include_str!("../../../../docs/capabilities.md");
        for row in TABLE {
            let Row {
                capability,
                name,
                address,
                opens,
                lasts,
                ends,
            } = row;
            assert_eq!(capability.name(), name, "{capability:?} has two rows");
            let line = format!("| {name} | {address} | {opens} | {lasts} | {ends} |");
            assert!(paper.contains(&line), "docs/capabilities.md lacks\n{line}");
        }
    }
}
