//! Receipts and credit notes over HTTP (row E9): read by the payment's token, its owner or finance, as JSON and as PDF, with the
//! proof that anyone can check.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::payment::receipt::ReceiptFacts;
use domain::payment::terms::Terms;
use domain::user::Role;
use eventlog::EventLog;
use health::integrity::ChainCheck;
use health::notary::Notary;
use http_kit::caller::{Caller, Person, Sessions, Staff};
use http_kit::capability;
use http_kit::capability::Capability;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::headers::named_language;
use http_kit::history_reads::Reading;
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use platform::sites::Sites;
use processes::home_clock::find_home_clock;
use processes::payment_token::digest;
use processes::receipt_link::{self, Document, Pass};
use projections::payment_audit::reference;
use receipts::pages::{Seller, Shown, SignedPages};
use receipts::paper;
use receipts::proof::{ReceiptProof, prove};
use records::Records;
use serde::Deserialize;
use subtle::ConstantTimeEq as _;

use crate::Services;
use crate::payments::{Payments, private};

pub mod renewal;
pub mod verify;
pub mod view;

use view::ReceiptView;

const BY_LINK: Access = Access::Capability(Capability::ReceiptLink);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(BY_LINK, routes!(read_receipt))
        .endpoint(BY_LINK, routes!(receipt_pdf))
        .endpoint(BY_LINK, routes!(receipt_proof))
        .merge(verify::endpoints())
        .merge(renewal::endpoints())
}

/// Services by which receipts are read, written and proved.
#[derive(Clone)]
pub struct ReceiptOffice {
    payments: Payments,
    settings: Arc<Settings>,
    sites: Sites,
    notary: Notary,
    chain: Arc<ChainCheck>,
}

impl ReceiptOffice {
    /// Of the services that a receipt and its proof need.
    pub fn new(
        payments: &Payments,
        (settings, sites): (&Arc<Settings>, &Sites),
        notary: &Notary,
        chain: &Arc<ChainCheck>,
    ) -> Self {
        Self {
            payments: payments.clone(),
            settings: settings.clone(),
            sites: sites.clone(),
            notary: notary.clone(),
            chain: chain.clone(),
        }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct ReceiptQuery {
    /// The payment's token; the owner and finance need none.
    token: Option<String>,
    /// Of a mail's link: opens this one document for a while.
    pass: Option<String>,
}

/// A document that its reader may see, with what stands on its pages.
pub struct Opened {
    pub facts: ReceiptFacts,
    pub shown: Shown,
    /// Staff read it, of another person: by their role, or by a link that they saw.
    by_staff: bool,
}

/// A document with its payment's terms and its enquiry.
struct Booked {
    facts: ReceiptFacts,
    terms: Terms,
    lead: Lead,
}

impl ReceiptOffice {
    fn log(&self) -> &EventLog {
        &self.payments.records.log
    }

    /// The document of a number with the booking that it is about.
    async fn find(&self, number: &str) -> ApiResult<Option<Booked>> {
        let found = receipts::find(self.log(), number)
            .await
            .map_err(ApiError::broken)?;
        let Some(facts) = found else {
            return Ok(None);
        };
        let payment = self.log().load::<Payment>(facts.payment_id).await?.state;
        let Some(terms) = payment.terms else {
            return Ok(None);
        };
        let lead = self.log().load::<Lead>(terms.lead_id).await?.state;
        Ok(Some(Booked { facts, terms, lead }))
    }

    /// The document of a number, for who may read it; 404 for everyone else, which counts as a guess (T14).
    async fn open(&self, asked: &Asked) -> ApiResult<Opened> {
        let Asked {
            context,
            caller,
            number,
            query,
            lang,
            ..
        } = asked;
        let found = self.find(number).await?;
        let document = Document {
            number,
            handed_over_at: found.as_ref().and_then(|found| found.lead.handed_over_at),
        };
        let pass = query.pass.as_deref().map_or(Pass::Wrong, |pass| {
            receipt_link::look_at(self.log().handles(), document, pass, clock::now())
        });
        if let Some(Booked { facts, terms, lead }) = found {
            let passed = (pass == Pass::Good).then_some(true);
            let names_payer = passed.or_else(|| reads(caller, query.token.as_deref(), &terms, &lead));
            if let Some(names_payer) = names_payer {
                let is_staff = caller.person.as_ref().is_some_and(Person::is_staff);
                let by_staff = is_staff && !capability::is_owner(caller, &lead);
                let shown = self.shown(*lang, &facts, &terms, lead, names_payer).await?;
                return Ok(Opened {
                    facts,
                    shown,
                    by_staff,
                });
            }
        }
        if pass == Pass::Over {
            let over = say("refusal.receipt_link_over");
            return Err(ApiError::new(StatusCode::GONE, "receipt_link_over", over));
        }
        self.payments.limits.count_guess(context.ip).await?;
        Err(ApiError::not_found(say("refusal.no_receipt")))
    }

    /// The same where the document is shown, which names the payer: a read by staff is recorded first (T30). Support reads a payment's
    /// token in the list of links, and opens the receipt with it.
    async fn open_recorded(&self, asked: &Asked) -> ApiResult<Opened> {
        let opened = self.open(asked).await?;
        let reader = asked.caller.person.clone().filter(|_| opened.by_staff);
        if let Some(person) = reader {
            let roles = person.roles();
            let staff = Staff { person, roles };
            let reading = Reading::by(&asked.sessions, &asked.context, &staff);
            reading.payment(opened.facts.payment_id).await?;
        }
        Ok(opened)
    }

    async fn shown(
        &self,
        lang: Language,
        facts: &ReceiptFacts,
        terms: &Terms,
        lead: Lead,
        names_payer: bool,
    ) -> ApiResult<Shown> {
        let home = self.log().load::<Inventory>(terms.inventory_root_id).await?.state;
        let room = home.rooms.iter().find(|room| room.details.id == terms.room_id);
        let room = room.map(|room| room.details.name.in_language(lang.code()).to_owned());
        let settings = &self.settings;
        let (name, address) = (settings.seller(), settings.seller_address_now());
        let seller = Seller {
            name: &name,
            address: &address,
            verify_url: format!("{}/verify", self.sites.find_kept(lead.site()).origin),
        };
        let mut shown = Shown::new(lang, &seller, reference(facts.payment_id));
        shown.clock = find_home_clock(self.log(), lang, home.property.as_deref()).await?;
        shown.home = home.property.map(|property| property.name).unwrap_or_default();
        shown.room = room.unwrap_or_default();
        let payer = lead.personal.filter(|_| names_payer);
        shown.payer = payer.map(|person| person.name.as_str().to_owned());
        Ok(shown)
    }

    /// The document's proof with what its pages show, signed.
    async fn signed(&self, opened: &Opened) -> Result<(ReceiptProof, SignedPages), String> {
        let proof = self.proof(&opened.facts).await?;
        let notary = &self.notary;
        let pages = SignedPages::sign(&opened.facts.number, &opened.shown, |purpose, text| {
            notary.sign_text(purpose, text)
        })?;
        Ok((proof, pages))
    }

    /// The document's proof. Where the end of the log is not signed yet, it is signed now.
    async fn proof(&self, facts: &ReceiptFacts) -> Result<ReceiptProof, String> {
        if let Ok(proof) = prove(self.log(), facts).await {
            return Ok(proof);
        }
        self.notary.sign(self.log()).await;
        prove(self.log(), facts).await.map_err(|error| error.to_string())
    }
}

/// Whether the caller may read a payment's documents, and then whether they name the payer: to the owner and finance always, to who
/// holds the token until the payment expires.
fn reads(caller: &Caller, token: Option<&str>, terms: &Terms, lead: &Lead) -> Option<bool> {
    if capability::is_owner(caller, lead) || is_finance(caller) {
        return Some(true);
    }
    let holds = |token: &str| bool::from(digest(token).as_bytes().ct_eq(terms.token_digest.as_bytes()));
    let is_open = capability::by_token(caller, lead, terms).is_ok();
    let holds = token.is_some_and(holds) && is_open;
    holds.then(|| clock::now() <= terms.expires_at)
}

fn is_finance(caller: &Caller) -> bool {
    let roles = caller.roles();
    roles.contains(&Role::Finance) || roles.contains(&Role::Admin)
}

/// One request for a document: who asks, for which number, by which link.
pub struct Asked {
    /// Today's records, where a read by staff is recorded.
    sessions: Sessions,
    context: RequestContext,
    caller: Caller,
    number: String,
    query: ReceiptQuery,
    /// Of the paper: receipts are written in more languages than pages.
    lang: Language,
}

impl<S: Send + Sync> FromRequestParts<S> for Asked
where
    Records: FromRef<S>,
    Arc<Settings>: FromRef<S>,
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let context = RequestContext::from_request_parts(parts, state).await?;
        let Path(number) = Path::from_request_parts(parts, state).await?;
        let Query(query) = Query::from_request_parts(parts, state).await?;
        let language = named_language(parts.uri.query());
        Ok(Self {
            sessions: Sessions::from_ref(state),
            caller: Caller::from_request_parts(parts, state).await?,
            number,
            query,
            lang: language.unwrap_or(context.lang),
            context,
        })
    }
}

/// `GET /api/v0/receipts/{number}`.
///
/// # Errors
/// 404 for a number that is none, or that the caller may not read; 410 for a mail's link that is over.
#[utoipa::path(get, path = "/api/v0/receipts/{number}", tag = "payments",
    params(("number" = String, Path), ReceiptQuery),
    responses((status = 200, body = Success<ReceiptView>), (status = 404, body = Failure), (status = 410, body = Failure), (status = 429, body = Failure)))]
pub async fn read_receipt(State(office): State<ReceiptOffice>, asked: Asked) -> ApiResult<Response> {
    let opened = office.open_recorded(&asked).await?;
    Ok(private(Success::new(ReceiptView::of(opened))))
}

/// `GET /api/v0/receipts/{number}/pdf`: in the reader's language, with the proof inside.
///
/// # Errors
/// As [`read_receipt`].
#[utoipa::path(get, path = "/api/v0/receipts/{number}/pdf", tag = "payments",
    params(("number" = String, Path), ReceiptQuery),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = 404, body = Failure), (status = 410, body = Failure), (status = 429, body = Failure)))]
pub async fn receipt_pdf(State(office): State<ReceiptOffice>, asked: Asked) -> ApiResult<Response> {
    let opened = office.open_recorded(&asked).await?;
    let signed = match office.signed(&opened).await {
        Ok(signed) => Some(signed),
        Err(problem) => {
            tracing::warn!(problem, "a receipt is given out without its proof");
            None
        }
    };
    let Opened { facts, shown, .. } = opened;
    let name = format!("{}.pdf", facts.number);
    // Fonts are cut and pages compressed: off the threads that answer.
    let written = tokio::task::spawn_blocking(move || {
        let proof = signed.as_ref().map(|(proof, pages)| (proof, pages));
        paper::write(&facts, &shown, proof)
    });
    let bytes = written
        .await
        .map_err(ApiError::broken)?
        .map_err(ApiError::broken)?;
    Ok(download("application/pdf", &name, bytes))
}

/// `GET /api/v0/receipts/{number}/proof`: the proof alone, with nothing personal in it.
///
/// # Errors
/// As [`read_receipt`]; 409 where the log keeps no signed heads or was changed.
#[utoipa::path(get, path = "/api/v0/receipts/{number}/proof", tag = "payments",
    params(("number" = String, Path), ReceiptQuery),
    responses((status = 200, content_type = "application/json", body = String), (status = 404, body = Failure), (status = 409, body = Failure), (status = 410, body = Failure), (status = 429, body = Failure)))]
pub async fn receipt_proof(State(office): State<ReceiptOffice>, asked: Asked) -> ApiResult<Response> {
    let facts = office.open(&asked).await?.facts;
    let proof = office.proof(&facts).await.map_err(|problem| {
        tracing::warn!(problem, "a receipt cannot be proved");
        ApiError::conflict("no_proof", say("refusal.no_proof"))
    })?;
    let file = proof.file().map_err(ApiError::broken)?;
    let name = format!("{}.proof.json", facts.number);
    Ok(download("application/json", &name, file.into_bytes()))
}

/// A file for one reader. Its name is made of a document's number: letters, digits and hyphens.
fn download(media_type: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    let mut response = (StatusCode::OK, [(header::CONTENT_TYPE, media_type)], bytes).into_response();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    if let Ok(value) = disposition {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    private(response)
}
