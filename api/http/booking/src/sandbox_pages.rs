//! The test gateway's own pages: its 3-D Secure page, and the developers' page that shows and drives it (X6).

use axum::Form;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use domain::language::Language;
use domain::money::Money;
use gateway::{GatewayError, PaymentGateway as _, signature};
use gateway_sandbox::cards::CARDS;
use gateway_sandbox::charging::Challenge;
use gateway_sandbox::disputing::DisputeStatus;
use gateway_sandbox::memory::FaultPlan;
use gateway_sandbox::{Intent, Refund, Sandbox};
use http_kit::body::Body;
use http_kit::endpoints::{Endpoints, Method, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::forms::forms_of;
use platform::{clock, texts};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// The page on which a bank asks a payer.
const CHALLENGE: &str = "/sandbox/3ds/{intent}";

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Developer, routes!(show))
        .endpoint(Access::Developer, routes!(change_plan))
        .endpoint(Access::Developer, routes!(repeat))
        .endpoint(Access::Developer, routes!(dispute))
        .undocumented(Access::Open, Method::GET, CHALLENGE, challenge_page)
        .undocumented(Access::Open, Method::POST, CHALLENGE, answer_challenge)
}

/// Rows shown of each list.
const SHOWN: i64 = 5_000;
/// Notices are long and many.
const NOTICES_SHOWN: i64 = 500;

/// The test gateway as its pages reach it.
#[derive(Clone)]
pub struct TestGateway {
    /// `None` with a real gateway.
    sandbox: Option<Sandbox>,
    dev_tools: bool,
}

impl TestGateway {
    pub const fn new(sandbox: Option<Sandbox>, dev_tools: bool) -> Self {
        Self { sandbox, dev_tools }
    }

    fn sandbox(&self) -> ApiResult<&Sandbox> {
        let sandbox = self.sandbox.as_ref();
        sandbox.ok_or_else(|| ApiError::not_found(say("refusal.no_page")))
    }

    /// The same for developers alone.
    fn developers(&self) -> ApiResult<&Sandbox> {
        if self.dev_tools {
            self.sandbox()
        } else {
            Err(ApiError::not_found(say("refusal.no_page")))
        }
    }
}

fn unreachable(error: &GatewayError) -> ApiError {
    match error {
        GatewayError::Unreachable => ApiError::busy(),
        GatewayError::Refused(_) | GatewayError::KeyReused => ApiError::not_found(say("refusal.no_payment")),
    }
}

fn text(lang: Language, key: &str) -> String {
    let key = format!("sandbox.{key}");
    texts::find(lang, &key).unwrap_or_default().to_owned()
}

/// A page without scripts; only its own style.
fn page(lang: Language, title: &str, body: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>\
         body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1f23}}\
         main.small{{max-width:26rem;margin:4rem auto}}button{{font:inherit;min-height:44px;padding:0 1.25rem;\
         margin:.25rem .5rem .25rem 0;border-radius:8px;border:1px solid #146356;background:#146356;color:#fff}}\
         button.plain{{background:#fff;color:#146356}}table{{border-collapse:collapse;width:100%;font-size:14px}}\
         td,th{{text-align:left;border-bottom:1px solid #ddd;padding:.25rem .5rem .25rem 0}}\
         code,pre{{font-size:13px}}.ids td{{overflow-wrap:anywhere}}\
         pre{{white-space:pre-wrap;overflow-wrap:anywhere}}</style></head>\
         <body>{body}</body></html>",
        lang.code()
    );
    let mut response = Html(html).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
        ),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// `GET /sandbox/3ds/{intent}`: the bank of the test card asks the payer.
///
/// # Errors
/// 404 for an intent the sandbox does not know.
pub async fn challenge_page(
    State(gateway): State<TestGateway>,
    context: RequestContext,
    Path(intent_id): Path<String>,
) -> ApiResult<Response> {
    let intent = gateway
        .sandbox()?
        .intent(&intent_id)
        .await
        .map_err(|error| unreachable(&error))?;
    let lang = context.lang;
    let asked = intent.action_url.is_some();
    let heading = text(
        lang,
        if asked {
            "challenge_title"
        } else {
            "challenge_over"
        },
    );
    let buttons = format!(
        "<form method=\"post\"><button name=\"challenge\" value=\"pass\">{}</button>\
         <button class=\"plain\" name=\"challenge\" value=\"fail\">{}</button></form>",
        text(lang, "challenge_pass"),
        text(lang, "challenge_fail")
    );
    let body = format!(
        "<main class=\"small\"><h1>{heading}</h1><p>{}</p>{}</main>",
        text(lang, "challenge_text"),
        if asked { buttons } else { String::new() }
    );
    Ok(page(lang, &heading, &body))
}

#[derive(Debug, Deserialize)]
pub struct ChallengeForm {
    challenge: Challenge,
}

/// `POST /sandbox/3ds/{intent}`: the payer's answer; back to the shop.
///
/// # Errors
/// 404 for an intent the sandbox does not know.
pub async fn answer_challenge(
    State(gateway): State<TestGateway>,
    Path(intent_id): Path<String>,
    Form(form): Form<ChallengeForm>,
) -> ApiResult<Response> {
    let answered = gateway
        .sandbox()?
        .answer_challenge(&intent_id, form.challenge)
        .await;
    let (_, back) = answered.map_err(|error| unreachable(&error))?;
    let back = back.filter(|url| url.starts_with('/') && !url.starts_with("//"));
    Ok(Redirect::to(back.as_deref().unwrap_or("/")).into_response())
}

/// A notice with a signature that is good right now, so that a test can deliver it itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticeView {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub body: String,
    pub signature: String,
    pub delivered: i64,
    pub remaining: i64,
    pub dropped: bool,
}

/// Everything the sandbox knows.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxView {
    pub plan: FaultPlan,
    #[schema(value_type = Vec<serde_json::Value>)]
    pub intents: Vec<Intent>,
    #[schema(value_type = Vec<serde_json::Value>)]
    pub refunds: Vec<Refund>,
    pub notices: Vec<NoticeView>,
    pub cards: Vec<TestCardView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TestCardView {
    pub number: &'static str,
    pub says: &'static str,
}

async fn everything(sandbox: &Sandbox) -> ApiResult<SandboxView> {
    let memory = sandbox.memory();
    let notices = memory.notices(NOTICES_SHOWN).await?;
    let signed = |body: &str| signature::sign(sandbox.webhook_secret(), clock::now(), body.as_bytes());
    Ok(SandboxView {
        plan: sandbox.plan().await.map_err(ApiError::broken)?,
        intents: memory.intents(SHOWN).await.map_err(ApiError::broken)?,
        refunds: memory.refunds(SHOWN).await.map_err(ApiError::broken)?,
        notices: notices
            .into_iter()
            .map(|notice| NoticeView {
                signature: signed(&notice.body),
                id: notice.id,
                kind: notice.kind,
                body: notice.body,
                delivered: notice.delivered,
                remaining: notice.remaining,
                dropped: notice.dropped.is_set(),
            })
            .collect(),
        cards: CARDS
            .iter()
            .map(|card| TestCardView {
                number: card.number,
                says: card.says,
            })
            .collect(),
    })
}

/// `GET /dev/sandbox`: JSON for programs, a page for people.
///
/// # Errors
/// 404 while the developers' tools are off.
#[utoipa::path(get, path = "/dev/sandbox", operation_id = "show_sandbox", tag = "dev",
    responses((status = 200, body = Success<SandboxView>), (status = 404, body = Failure)))]
pub async fn show(
    State(gateway): State<TestGateway>,
    context: RequestContext,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let view = everything(gateway.developers()?).await?;
    let wants_page = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    Ok(if wants_page {
        people(context.lang, &view)
    } else {
        Success::new(view).into_response()
    })
}

/// A table row of ready-made cells.
fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| ["<td>", cell, "</td>"].concat())
        .collect();
    ["<tr>", &cells.concat(), "</tr>"].concat()
}

fn code(name: &str) -> String {
    ["<code>", name, "</code>"].concat()
}

/// A long name that may go on in the next line after an underscore.
fn breakable(name: &str) -> String {
    escaped(name).replace('_', "_<wbr>")
}

fn people(lang: Language, view: &SandboxView) -> Response {
    let title = text(lang, "title");
    let cards: String = view
        .cards
        .iter()
        .map(|card| row(&[&code(card.number), &breakable(card.says)]))
        .collect();
    let intents: String = view
        .intents
        .iter()
        .map(|intent| {
            let decimal = Money::new(intent.amount_minor, intent.currency).decimal();
            let amount = forms_of(lang).write_books_money(&decimal, intent.currency.code());
            row(&[&code(&intent.id), &format!("{:?}", intent.status), &amount])
        })
        .collect();
    let dropped = text(lang, "dropped");
    let notices: String = view
        .notices
        .iter()
        .map(|notice| {
            let fate = if notice.dropped { dropped.as_str() } else { "" };
            row(&[
                &code(&notice.id),
                &breakable(&notice.kind),
                &notice.delivered.to_string(),
                fate,
            ])
        })
        .collect();
    let plan = serde_json::to_string_pretty(&view.plan).unwrap_or_default();
    let body = format!(
        "<h1>{title}</h1><h2>{}</h2><table>{cards}</table><h2>{}</h2><p>{}</p><pre>{}</pre>\
         <h2>{}</h2><table class=\"ids\">{intents}</table><h2>{}</h2><table class=\"ids\">{notices}</table>",
        text(lang, "cards"),
        text(lang, "plan"),
        text(lang, "plan_how"),
        escaped(&plan),
        text(lang, "intents"),
        text(lang, "notices"),
    );
    page(lang, &title, &body)
}

/// `POST /dev/sandbox/plan`: how the gateway misbehaves from now on. Fields left out are as on a good day.
///
/// # Errors
/// 404 while the developers' tools are off.
#[utoipa::path(post, path = "/dev/sandbox/plan", tag = "dev", request_body = FaultPlan,
    responses((status = 200, body = Success<FaultPlan>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn change_plan(
    State(gateway): State<TestGateway>,
    Body(plan): Body<FaultPlan>,
) -> ApiResult<Response> {
    gateway.developers()?.set_plan(&plan).await?;
    Ok(Success::new(plan).into_response())
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "notices": ["evt_1"] }))]
pub struct RepeatBody {
    /// Notices to deliver once more, dropped ones included.
    pub notices: Vec<String>,
    /// Under other ids, as if each had happened twice.
    #[serde(default)]
    pub as_new: bool,
}

/// `POST /dev/sandbox/repeat`: delivers notices again.
///
/// # Errors
/// 404 while the developers' tools are off.
#[utoipa::path(post, path = "/dev/sandbox/repeat", tag = "dev", request_body = RepeatBody,
    responses((status = 200, body = Success<u64>), (status = 404, body = Failure)))]
pub async fn repeat(
    State(gateway): State<TestGateway>,
    Body(body): Body<RepeatBody>,
) -> ApiResult<Success<u64>> {
    let sandbox = gateway.developers()?;
    let mut repeated = 0;
    for id in &body.notices {
        repeated += u64::from(if body.as_new {
            sandbox
                .memory()
                .repeat_as_new(id)
                .await
                .map_err(|_| ApiError::busy())?
        } else {
            sandbox.memory().repeat(id).await?
        });
    }
    Ok(Success::new(repeated))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "intent": "pi_1", "status": "needs_response" }))]
pub struct DisputeBody {
    /// The charged intent, `pi_…`.
    pub intent: String,
    /// `needs_response` opens a dispute, `won` and `lost` decide it.
    pub status: DisputeStatus,
}

/// `POST /dev/sandbox/disputes`: the cardholder's bank takes a charge back, or decides.
///
/// # Errors
/// 404 while the developers' tools are off or for an unknown intent, 409 where nothing can be disputed or decided.
#[utoipa::path(post, path = "/dev/sandbox/disputes", tag = "dev", request_body = DisputeBody,
    responses((status = 200, body = Success<serde_json::Value>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn dispute(
    State(gateway): State<TestGateway>,
    Body(body): Body<DisputeBody>,
) -> ApiResult<Response> {
    let disputed = gateway.developers()?.dispute(&body.intent, body.status).await;
    let intent = disputed.map_err(|error| match error {
        GatewayError::Unreachable => ApiError::busy(),
        GatewayError::Refused(why) => ApiError::conflict(
            "nothing_to_dispute",
            say("refusal.nothing_to_dispute").with("why", why),
        ),
        GatewayError::KeyReused => ApiError::broken(error),
    })?;
    Ok(Success::new(intent).into_response())
}
