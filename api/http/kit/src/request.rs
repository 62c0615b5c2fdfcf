//! What every request carries: its id, its language, its idempotency key, how fresh its reads must be; and the
//! extractors that answer bad input with the envelope.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{ConnectInfo, FromRef, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use domain::attribution::DeviceMark;
use domain::id::{LeadId, UserId};
use domain::language::Language;
use eventlog::planted::Fault;
use eventlog::{Actor, Context, HandleHasher, Position};
use platform::clock;
use platform::config::Settings;
use platform::config::proxies::TrustedProxies;
use platform::network::forwarded;
use platform::sites::Site;
use records::Records;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::answering;
use crate::caller::Caller;
use crate::common_parameters::without_common;
use crate::counters;
use crate::envelope::POSITION;
use crate::error::ApiError;
use crate::headers::language_of;
use crate::request_site::site_of;
use crate::said::say;

/// How long a read waits for its own client's last write before it answers with what there is.
const FRESH_PATIENCE: Duration = Duration::from_secs(5);
/// Longer keys are refused: they would be stored with every command.
const IDEMPOTENCY_KEY_MAX: usize = 200;
/// Longer proofs of work are none.
const PROOF_MAX: usize = 300;

/// Values of a parameter between commas; gaps count for nothing.
pub fn listed(given: &str) -> impl Iterator<Item = &str> {
    given.split(',').map(str::trim).filter(|word| !word.is_empty())
}

/// Reads `%00` in an address as other bytes are read that are no text, as U+FFFD: a database may hold no text with it, so
/// it names nothing.
pub fn readable(mut request: Request) -> Request {
    let asked = request.uri().path_and_query();
    if asked.is_some_and(|asked| asked.as_str().contains("%00"))
        && let Ok(readable) = request.uri().to_string().replace("%00", "%EF%BF%BD").parse()
    {
        *request.uri_mut() = readable;
    }
    request
}

/// Gives each request its id and its language, and writes one log line for it: no query, no headers, no body, so no personal data.
pub async fn identify(request: Request, next: Next) -> Response {
    let id = clock::new_id();
    let (method, route) = (request.method().clone(), route_of(&request));
    let started = std::time::Instant::now();
    let site = request.extensions().get::<Arc<Site>>();
    let usual = site.map_or_else(Language::default, |site| site.language);
    let language = language_of(request.uri().query(), request.headers(), usual);
    // At the highest level, so that whatever is logged within says whose it is.
    let span = tracing::error_span!("request", request.id = %id, correlation.id = %id);
    let answering = next.run(request).instrument(span.clone());
    let mut response = answering::of(id, language, answering).await;
    let _within = span.entered();
    let (status, took) = (response.status().as_u16(), started.elapsed());
    // A number in JSON too: what has 128 bits is written as a text.
    let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    counters::answered(method.as_str(), &route, status, took);
    tracing::info!(%method, route, status, duration_ms, "answered");
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// How long answers may take (D131).
#[derive(Debug, Clone, Copy)]
pub struct AnswerBudget {
    pub answer: Duration,
    /// Of a request that brings a file which may be large: the line decides how long it takes.
    pub file: Duration,
    /// The routes of such requests.
    pub file_routes: &'static [&'static str],
}

impl AnswerBudget {
    fn find(self, request: &Request) -> Duration {
        if self.file_routes.contains(&route_of(request).as_str()) {
            self.file
        } else {
            self.answer
        }
    }
}

/// Gives up on an answer that takes longer than its budget (D131): whoever waits hears so, and when to ask again. What was
/// committed by then stays; the same request under the same key finds it.
pub async fn in_time(State(budget): State<AnswerBudget>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(budget.find(&request), next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::busy().into_response(),
    }
}

/// The route's pattern, never the path itself: paths can hold tokens.
fn route_of(request: &Request) -> String {
    request
        .extensions()
        .get::<axum::extract::MatchedPath>()
        .map_or_else(|| "page".to_owned(), |path| path.as_str().to_owned())
}

/// Who sent the request, technically. Who *asks* is in `caller`.
#[derive(Debug, Clone)]
pub struct RequestContext {
    pub request_id: Uuid,
    pub ip: IpAddr,
    pub lang: Language,
    /// The site that it is served under.
    pub site: Arc<Site>,
    /// Derived from the `Idempotency-Key` header: the same key of the same asker makes the same command id (decision 0008).
    pub command_id: Option<Uuid>,
    /// User agent of the browser; empty where it sends none.
    pub browser: String,
    /// `x-latchkey-proof`: work that was done for a challenge (T20).
    pub proof: Option<String>,
}

impl RequestContext {
    /// The device of this request, as it is marked for one enquiry.
    pub fn device(&self, hasher: &HandleHasher, lead_id: LeadId) -> DeviceMark {
        let network = match self.ip {
            IpAddr::V4(address) => address.to_string(),
            // Browsers change the other half of the address by themselves.
            IpAddr::V6(address) => format!("{:x?}", &address.segments()[..4]),
        };
        let mark = |kind, said: &str| {
            let hash = hasher.hash(kind, &format!("{lead_id}:{said}"));
            u16::from_be_bytes([hash[0], hash[1]])
        };
        DeviceMark {
            network: mark("device network", &network),
            browser: mark("device browser", &self.browser),
        }
    }

    /// The context of a command that `actor` gives in this request. `asked` is what the request says: an
    /// Idempotency-Key used again for something else is refused by it.
    pub fn command(&self, actor: Actor, asked: &impl Serialize) -> Context {
        let context = Context::new(clock::now(), actor).correlated(self.request_id);
        match (self.command_id, serde_json::to_vec(asked)) {
            (Some(id), Ok(body)) => context.command(id, &body),
            _ => context,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for RequestContext
where
    Records: FromRef<S>,
    Arc<Settings>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let settings = Arc::<Settings>::from_ref(state);
        let site = site_of(&parts.extensions, &settings);
        let context = Self {
            request_id: answering::request_id().unwrap_or_else(clock::new_id),
            ip: address_of(parts, &settings.trusted_proxy),
            lang: language_of(parts.uri.query(), &parts.headers, site.language),
            site,
            command_id: command_id(&parts.headers, parts.uri.path(), asker(parts))?
                .filter(|_| !Fault::KeyForgotten.is_planted()),
            browser: browser_of(&parts.headers),
            proof: proof_of(&parts.headers),
        };
        wait_for_own_writes(&parts.headers, &Records::from_ref(state)).await;
        Ok(context)
    }
}

fn browser_of(headers: &HeaderMap) -> String {
    let said = headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok());
    said.unwrap_or_default().to_owned()
}

/// Who is at the other end. Only a trusted proxy is believed about somebody behind it, and only its own word, the last: where that
/// names another trusted proxy, that one's word stands before it. What stands before the first stranger was written by anybody.
fn address_of(parts: &Parts, proxies: &TrustedProxies) -> IpAddr {
    let peer = parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0.ip());
    let peer = peer.to_canonical();
    let words = parts.headers.get_all("x-forwarded-for").iter().rev();
    let mut words = words.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
    let mut nearest = peer;
    while proxies.has(nearest) {
        match words.next().and_then(forwarded) {
            Some(behind) => nearest = behind,
            None => break,
        }
    }
    nearest
}

/// Who is logged in, as `permissions` found before.
fn asker(parts: &Parts) -> Option<UserId> {
    let caller = parts.extensions.get::<Caller>()?;
    caller.person.as_ref().map(|person| person.user_id)
}

fn command_id(headers: &HeaderMap, path: &str, asker: Option<UserId>) -> Result<Option<Uuid>, ApiError> {
    let Some(key) = key_of(headers)? else {
        return Ok(None);
    };
    // Two resources may see the same key of one client, and two people choose the same one; within one resource, of one
    // person, it names one command. No header holds a zero, so nobody writes another's id into their key.
    let mut digest = Sha256::new_with_prefix(path.trim_end_matches('/'));
    digest.update([0]);
    digest.update(key);
    if let Some(person) = asker {
        digest.update([0]);
        digest.update(person.0);
    }
    let digest = digest.finalize();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    Ok(Some(uuid::Builder::from_custom_bytes(bytes).into_uuid()))
}

fn proof_of(headers: &HeaderMap) -> Option<String> {
    let proof = headers.get("x-latchkey-proof")?.to_str().ok()?;
    (proof.len() <= PROOF_MAX).then(|| proof.to_owned())
}

/// Refuses a position that is no number (an answer that had not waited for it would pass for one that had) and an
/// idempotency key that is none.
pub async fn headers_are_readable(request: Request, next: Next) -> Response {
    if request.headers().contains_key(&POSITION) && position_of(request.headers()).is_none() {
        return ApiError::malformed(say("refusal.position")).into_response();
    }
    if let Err(refusal) = key_of(request.headers()) {
        return refusal.into_response();
    }
    next.run(request).await
}

/// The idempotency key of a request.
fn key_of(headers: &HeaderMap) -> Result<Option<&[u8]>, ApiError> {
    let key = headers.get("idempotency-key").map(HeaderValue::as_bytes);
    if key.is_some_and(|key| key.is_empty() || key.len() > IDEMPOTENCY_KEY_MAX) {
        return Err(ApiError::malformed(
            say("refusal.idempotency_key").with("max", IDEMPOTENCY_KEY_MAX),
        ));
    }
    Ok(key)
}

fn position_of(headers: &HeaderMap) -> Option<Position> {
    let position: i64 = headers.get(&POSITION)?.to_str().ok()?.parse().ok()?;
    Position::try_from(position).ok()
}

async fn wait_for_own_writes(headers: &HeaderMap, records: &Records) {
    if let Some(position) = position_of(headers) {
        // A position from the future (another data folder, a forged header) must not hold the connection.
        let position = position.min(records.log.head().await.unwrap_or_default());
        let patience = records.patience(FRESH_PATIENCE);
        records.applied.wait_for(position, patience).await;
        records.catalogue.wait_for(position, patience).await;
    }
}

/// A query string; what cannot be read is a 422 that says so.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let own = without_common(parts.uri.query().unwrap_or_default());
        let uri = Uri::try_from(format!("/?{own}")).map_err(ApiError::broken)?;
        axum::extract::Query::<T>::try_from_uri(&uri)
            .map(|axum::extract::Query(query)| Self(query))
            .map_err(|rejection: QueryRejection| query_error(&rejection.body_text()))
    }
}

/// How many rows of a list an answer has: as many as were asked for, or as usual.
///
/// # Errors
/// 422 naming `limit` for more than `most`: a list that is cut in silence is taken for the whole.
pub fn limit_of(given: Option<u64>, usual: u64, most: u64) -> Result<u64, ApiError> {
    let limit = given.unwrap_or(usual).max(1);
    if limit > most {
        let said = say("refusal.at_most").with("field", "limit").with("max", most);
        return Err(ApiError::invalid_field("limit", "too_large", said));
    }
    Ok(limit)
}

/// The longest query of an address of the API, in bytes (T35).
const QUERY_MAX: usize = 8 * 1024;

/// 414 for an address whose query is longer than `most` bytes: what it asks for is written into the answer, some of it many times.
///
/// # Errors
/// As said.
pub fn bounded(query: &str, most: usize) -> Result<(), ApiError> {
    if query.len() <= most {
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::URI_TOO_LONG,
        "too_long",
        say("refusal.address_too_long"),
    ))
}

/// Refuses queries that no route needs. Pages bound theirs themselves, and say it in HTML.
pub async fn bounded_query(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_page = !path.starts_with("/api/") && path != "/_page";
    match bounded(request.uri().query().unwrap_or_default(), QUERY_MAX) {
        Err(error) if !is_page => error.into_response(),
        _ => next.run(request).await,
    }
}

/// Names the parameter that `sentence`, the reader's own, is about.
fn query_error(sentence: &str) -> ApiError {
    let reason = sentence
        .strip_prefix("Failed to deserialize query string: ")
        .unwrap_or(sentence);
    let quoted = || reason.split('`').nth(1).unwrap_or("query");
    let (field, code, said) = if reason.contains("missing field") {
        (quoted(), "required", say("refusal.field_missing"))
    } else if reason.contains("unknown field") {
        (quoted(), "unknown_parameter", say("refusal.unknown_parameter"))
    } else if reason.contains("duplicate field") {
        (quoted(), "invalid", say("refusal.given_twice"))
    } else {
        let field = reason.split_once(": ").map_or("query", |(field, _)| field);
        (field, "invalid", say("refusal.query_value"))
    };
    ApiError::invalid_field(field, code, said.with("field", field))
}

/// Path parameters; an id that cannot be one is simply not found.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(path)| Self(path))
            .map_err(|_: PathRejection| ApiError::not_found(say("refusal.no_address")))
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body as Bytes;
    use axum::http::header;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tower::ServiceExt as _;

    use super::*;

    /// An answer that does not come in time is said to be late and when to ask again.
    #[tokio::test]
    async fn request_over_its_time_budget_is_told_late_with_retry_after() {
        let never = get(std::future::pending::<()>);
        let budget = AnswerBudget {
            answer: Duration::from_millis(20),
            file: Duration::from_hours(1),
            file_routes: &["/files"],
        };
        let router = Router::new()
            .route("/", never)
            .layer(from_fn_with_state(budget, in_time));
        let request = axum::http::Request::get("/").body(Bytes::empty()).unwrap();
        let answer = router.oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers()[header::RETRY_AFTER], "1");
        let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["message"]["code"], "busy");
    }
}
