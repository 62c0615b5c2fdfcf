//! Payment links that support and finance make for a booking: an instalment of the rent, or another sum due by a day (D38,
//! D100). The payer finds the breakdown with the processing fee behind the link, and pays like any other payment.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{NaiveDate, TimeDelta};
use domain::calendar;
use domain::contact::seen_length;
use domain::id::PaymentId;
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::money::{Currency, Money};
use domain::payment::fee::FeeRate;
use domain::payment::link::{DEFAULT_DAYS, LinkTerms, LinkWords, MOST_DAYS, link_quote, most_minor};
use domain::payment::link_state::LinkState;
use domain::payment::price::{PaymentType, PriceRejection, Quote};
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentCommand};
use eventlog::{EventLog, commit, done_before_on};
use gateway::PaymentGateway;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{PaymentLinkStateWord, PaymentTypeWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::ANY_STAFF;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::config::Settings;
use platform::sites::{Site, Sites};
use processes::{accepted_terms, payment_token};
use projections::payment_audit::{instant, reference};
use projections::payment_page;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::leads::board_row;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ANY_STAFF, routes!(list_links))
        .endpoint(ANY_STAFF, routes!(make_link))
        .endpoint(ANY_STAFF, routes!(withdraw_link))
}

/// A note is a paragraph, a reason a sentence or two.
const WORDS_MAX: usize = 500;

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewPaymentLink, example = json!({ "lead_id": "01923456-789a-7bcd-8ef0-123456789abc", "type": "rent",
    "amount_minor": 115_600, "due_on": "2027-10-01", "note": "October", "reason": "Asked to pay by the month" }))]
pub struct NewLink {
    lead_id: String,
    #[serde(rename = "type")]
    #[schema(value_type = PaymentTypeWord)]
    kind: String,
    /// Before the processing fee, in minor units of the property's currency.
    amount_minor: u64,
    /// The day by which it is to be paid.
    due_on: Option<String>,
    /// How many days the link is good; unsaid: 14.
    expires_in_days: Option<u16>,
    /// For the payer.
    #[serde(default)]
    note: String,
    /// For colleagues: why the link is made.
    reason: String,
}

/// A payment link with how it stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentLinkRow)]
pub struct LinkRow {
    pub payment_id: String,
    pub reference: String,
    #[serde(rename = "type")]
    #[schema(value_type = PaymentTypeWord)]
    pub kind: &'static str,
    #[schema(value_type = PaymentLinkStateWord)]
    pub state: &'static str,
    pub amount_minor: u64,
    pub processing_fee_minor: u64,
    pub total_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
    pub due_on: Option<String>,
    pub expires_at: String,
    pub made_at: String,
    pub made_by: String,
    pub note: String,
    pub reason: String,
    /// The address to hand on; null once nothing can be paid with it.
    pub path: Option<String>,
}

/// The links of one lead.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentLinks)]
pub struct Links {
    /// True where links can be made: the lead is booked, and its person was not forgotten.
    pub can_make: bool,
    pub currency: Option<&'static str>,
    pub decimals: u32,
    /// The largest amount of a link, in minor units.
    pub most_minor: u64,
    /// Newest first.
    pub links: Vec<LinkRow>,
    /// Scheme and host of the further site where the lead was sent: its links are handed on with it. Null at the first site.
    pub origin: Option<String>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct LinksQuery {
    lead_id: String,
}

/// `GET /api/v0/workspace/payment_links?lead_id=…`.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/payment_links", tag = "finance", params(LinksQuery),
    responses((status = 200, body = Success<Links>), (status = 404, body = Failure)))]
pub async fn list_links(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(sites): State<Sites>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<LinksQuery>,
) -> ApiResult<Success<Links>> {
    let (lead_id, _) = board_row(&records, &query.lead_id).await?;
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let booking = booking_of(&records.log, &lead).await?;
    let currency = booking.as_ref().map(|(_, terms)| terms.quote.currency);
    let mut links = Vec::new();
    let mut names = HashMap::new();
    for id in payment_page::of_lead(records.heard().await?, lead_id).await? {
        let payment = records.log.load::<Payment>(id).await?.state;
        links.extend(row(&records, &settings, (id, &payment), &mut names).await?);
    }
    links.reverse();
    Ok(Success::new(Links {
        can_make: booking.is_some() && !lead.is_forgotten(),
        currency: currency.map(Currency::code),
        decimals: currency.map_or(2, Currency::decimals),
        most_minor: currency.map_or(0, most_minor),
        links,
        origin: further_origin(sites.find_kept(lead.site())),
    }))
}

/// The first site is named by the address where staff work: behind a proxy that passes no name on, they know it better than the settings.
fn further_origin(site: &Site) -> Option<String> {
    site.kept_name().map(|_| site.origin.clone())
}

/// `POST /api/v0/workspace/payment_links`: makes a link, once for each Idempotency-Key, and mails it to the payer.
///
/// # Errors
/// 404 for an unknown lead, 409 where it has no booking, 422 with the field for amounts, days and words out of bounds.
#[utoipa::path(post, path = "/api/v0/workspace/payment_links", tag = "finance", request_body = NewLink,
    responses((status = 201, body = Success<LinkRow>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn make_link(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(gateway): State<Arc<dyn PaymentGateway>>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<NewLink>,
) -> ApiResult<Response> {
    let asked = context.command(staff.actor(), &body);
    let payment_id = PaymentId(context.command_id.unwrap_or_else(clock::new_id));
    // The repeated request gets its link, though by now the booking may be over or the day be past.
    let before = done_before_on::<Payment>(&records.log, payment_id, &asked).await?;
    let (payment, position) = if let Some(before) = before {
        (records.log.load::<Payment>(payment_id).await?.state, before.last)
    } else {
        let command = new_link(&records, &settings, &staff, &body, asked.at).await?;
        must_be_charged(&*gateway, &command)?;
        let committed = commit::<Payment>(&records.log, payment_id, command, &asked).await?;
        (committed.state, committed.position)
    };
    records.answers_for(position);
    let made = row(&records, &settings, (payment_id, &payment), &mut HashMap::new()).await?;
    let made = made.ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    Ok((StatusCode::CREATED, Success::at(made, position)).into_response())
}

/// The command that opens a link, checked against the booking that it is for.
async fn new_link(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    body: &NewLink,
    at: Moment,
) -> ApiResult<PaymentCommand> {
    let (lead_id, _) = board_row(records, &body.lead_id).await?;
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let (booking_id, booking) = booking_of(&records.log, &lead)
        .await?
        .ok_or_else(|| ApiError::conflict("no_booking", say("refusal.link_needs_booking")))?;
    let mut making = Making {
        body,
        lead: &lead,
        booking_id,
        fee_rate: settings.fee_rate(booking.country),
        booking,
        terms_of_use: String::new(),
    };
    making.terms_of_use = accepted_terms::find_version(&records.log, making.language()).await?;
    let link = LinkTerms {
        by: staff.person.user_id,
        due_on: due_on(body)?,
    };
    making.command(link, at)
}

/// A link that its provider would refuse is not made.
fn must_be_charged(gateway: &dyn PaymentGateway, command: &PaymentCommand) -> ApiResult<()> {
    let PaymentCommand::OpenLink { terms, .. } = command else {
        return Ok(());
    };
    let total = terms.quote.total();
    if gateway.charges(total) {
        return Ok(());
    }
    let says = say("refusal.link_not_charged").with_amount("amount", total);
    Err(ApiError::invalid_field("amount_minor", "not_charged", says))
}

/// `{}`: a withdrawal says nothing more than which link.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WithdrawLink, example = json!({}))]
pub struct WithdrawBody {}

/// `POST /api/v0/workspace/payment_links/{id}/withdraw`: takes back a link that was not paid; asked twice it is taken back once.
///
/// # Errors
/// 404, 409 where it is being paid or was paid.
#[utoipa::path(post, path = "/api/v0/workspace/payment_links/{id}/withdraw", tag = "finance", params(("id" = String, Path)),
    request_body = WithdrawBody,
    responses((status = 200, body = Success<LinkRow>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn withdraw_link(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(_body): Body<WithdrawBody>,
) -> ApiResult<Success<LinkRow>> {
    let asked = context.command(staff.actor(), &("withdraw", id));
    let command = PaymentCommand::Withdraw { at: asked.at };
    let committed = commit::<Payment>(&records.log, id, command, &asked).await?;
    records.answers_for(committed.position);
    let link = row(&records, &settings, (id, &committed.state), &mut HashMap::new()).await?;
    let link = link.ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    Ok(Success::at(link, committed.position))
}

/// The payment that booked a lead, with its terms.
async fn booking_of(log: &EventLog, lead: &Lead) -> ApiResult<Option<(PaymentId, Terms)>> {
    let Some(payment_id) = lead.booked_by else {
        return Ok(None);
    };
    let terms = log.load::<Payment>(payment_id).await?.state.terms;
    Ok(terms.map(|terms| (payment_id, terms)))
}

/// Everything a link is made of.
struct Making<'m> {
    body: &'m NewLink,
    lead: &'m Lead,
    booking_id: PaymentId,
    booking: Terms,
    fee_rate: FeeRate,
    /// The version that its payer accepts.
    terms_of_use: String,
}

impl Making<'_> {
    fn command(self, link: LinkTerms, at: Moment) -> ApiResult<PaymentCommand> {
        let quote = self.quote()?;
        let words = LinkWords {
            note: words(&self.body.note, "note", 0)?,
            reason: words(&self.body.reason, "reason", 3)?,
        };
        let until_due = link.due_on.map_or(0, |day| (day - at.date_naive()).num_days());
        let until_due = u16::try_from(until_due).unwrap_or(u16::MAX);
        let days = self
            .body
            .expires_in_days
            .unwrap_or_else(|| DEFAULT_DAYS.max(until_due).min(MOST_DAYS));
        if !(1..=MOST_DAYS).contains(&days) {
            let says = say("refusal.link_days").with("max", MOST_DAYS);
            return Err(ApiError::invalid_field("expires_in_days", "range", says));
        }
        if until_due > days {
            let says = say("refusal.link_due_after").with("days", days);
            return Err(ApiError::invalid_field("due_on", "range", says));
        }
        let subject = self.lead.person();
        let subject = subject.ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
        let token = payment_token::fresh();
        let terms = Terms {
            subject,
            sealed_by: self.lead.sealed_by().filter(|key| *key != subject),
            quote,
            token_digest: payment_token::digest(&token),
            opened_at: at,
            expires_at: at + TimeDelta::days(i64::from(days)),
            continues: Some(self.booking_id),
            language: Some(self.language()),
            terms_of_use: Some(self.terms_of_use),
            link: Some(link),
            ..self.booking
        };
        Ok(PaymentCommand::OpenLink {
            terms: Box::new(terms),
            token,
            words,
            at,
        })
    }

    fn quote(&self) -> ApiResult<Quote> {
        let name = &self.body.kind;
        let kind = PaymentType::from_code(name)
            .ok_or_else(|| ApiError::invalid_field("type", "unknown", unknown_value("type", name)))?;
        let currency = self.booking.quote.currency;
        link_quote(currency, kind, self.body.amount_minor, self.fee_rate).map_err(|rejection| match rejection
        {
            PriceRejection::NotDue(kind) => {
                ApiError::invalid_field("type", "not_due", say("refusal.not_due").with("kind", kind))
            }
            PriceRejection::NothingDue | PriceRejection::TooSmall | PriceRejection::TooLarge => {
                let least = Money::new(currency.least_charge_minor(), currency);
                let most = Money::new(most_minor(currency), currency);
                let says = say("refusal.link_amount")
                    .with_amount("least", least)
                    .with_amount("most", most);
                ApiError::invalid_field("amount_minor", "range", says)
            }
            PriceRejection::Uneven { step_minor } => {
                let says =
                    say("refusal.link_amount_uneven").with_amount("step", Money::new(step_minor, currency));
                ApiError::invalid_field("amount_minor", "uneven", says)
            }
        })
    }

    /// What the payer reads: the booking's language, else the enquiry's.
    fn language(&self) -> Language {
        let enquiry = self.lead.submission.as_ref().and_then(|sent| sent.language);
        self.booking.language.or(enquiry).unwrap_or_default()
    }
}

fn due_on(body: &NewLink) -> ApiResult<Option<NaiveDate>> {
    let wrong = || ApiError::invalid_field("due_on", "format", say("refusal.link_due_on"));
    let text = body.due_on.as_deref().filter(|text| !text.is_empty());
    let day = text
        .map(|text| calendar::read_day(text).ok_or_else(wrong))
        .transpose()?;
    match day {
        Some(day) if day < clock::now().date_naive() => Err(wrong()),
        day => Ok(day),
    }
}

/// Words of a member of staff: at least `least` characters, without control characters but line ends.
fn words(text: &str, field: &'static str, least: usize) -> ApiResult<String> {
    let is_kept = |c: &char| !c.is_control() || *c == '\n';
    let kept: String = text.trim().chars().filter(is_kept).collect();
    match seen_length(&kept) {
        length if length < least => Err(ApiError::invalid_field(field, "required", say("refusal.say_why"))),
        _ if kept.chars().count() > WORDS_MAX => Err(ApiError::invalid_field(
            field,
            "too_long",
            say("validation.too_long"),
        )),
        0 => Ok(String::new()),
        _ => Ok(kept),
    }
}

/// A link as staff read it; `None` for every other payment.
async fn row(
    records: &Records,
    settings: &Settings,
    (payment_id, payment): (PaymentId, &Payment),
    names: &mut HashMap<String, String>,
) -> ApiResult<Option<LinkRow>> {
    let (Some(terms), Some(link)) = (&payment.terms, &payment.link) else {
        return Ok(None);
    };
    let Some(made) = terms.link else {
        return Ok(None);
    };
    let Some(state) = LinkState::of(payment, clock::now()) else {
        return Ok(None);
    };
    let words = link.words.clone();
    let path = payment.token.as_ref().map(|token| format!("/payments/{token}"));
    Ok(Some(LinkRow {
        payment_id: payment_id.to_string(),
        reference: reference(payment_id),
        kind: terms.quote.lines.first().map_or("rent", |line| line.kind.code()),
        state: state.name(),
        amount_minor: terms.quote.subtotal_minor,
        processing_fee_minor: terms.quote.processing_fee_minor,
        total_minor: terms.quote.total_minor,
        currency: terms.quote.currency.code(),
        decimals: terms.quote.currency.decimals(),
        due_on: made.due_on.map(|day| day.to_string()),
        expires_at: instant(terms.expires_at),
        made_at: instant(link.made_at),
        made_by: staff_name(&records.log, settings, &made.by.to_string(), names).await?,
        note: words.as_ref().map(|words| words.note.clone()).unwrap_or_default(),
        reason: words.map(|words| words.reason).unwrap_or_default(),
        path: path.filter(|_| state.is_payable()),
    }))
}
