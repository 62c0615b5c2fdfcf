//! Pages over HTTP: true status codes, heads and data from Rust always; the body from React in QuickJS when the page is
//! public; the empty shell when rendering fails. Each layer stands without the next.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use domain::language::Language;
use http_kit::caller;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::headers::query_value;
use http_kit::permissions::Access;
use http_kit::request::{Query, RequestContext, bounded};
use http_kit::said::say;
use http_kit::security;
use percent_encoding::{CONTROLS, utf8_percent_encode};
use platform::config::recaptcha::RecaptchaKeys;
use renderer::Renderer;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::brand::face_of;
use crate::pages::head::Head;
use crate::pages::page::{Address, Outcome, Page, PagePayload, Render, written};
use crate::pages::sources::PageSources;
use crate::{Services, pages};

mod assets;
mod html;
mod reference;
mod rendered;

pub use assets::asset;
pub use reference::api_reference;
use rendered::Rendered;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(page_payload))
        .undocumented(Access::Open, Method::GET, "/assets/{*path}", asset)
        .undocumented(Access::Open, Method::GET, "/docs", api_reference)
}

/// A page that takes longer is rendered by the browser instead.
const PAGE_LIMIT: Duration = Duration::from_millis(150);

/// Prints pages, and keeps between requests what they are printed with.
pub struct PagePrinter {
    renderer: Renderer,
    rendered: Rendered,
    entry: assets::Entry,
    with_stripe: bool,
    recaptcha: Option<RecaptchaKeys>,
}

impl PagePrinter {
    /// `with_stripe`: payments are taken by Stripe's own form; `recaptcha`: codes and enquiries are guarded.
    pub fn new(with_stripe: bool, recaptcha: Option<RecaptchaKeys>) -> Self {
        Self {
            renderer: Renderer::start(assets::server_bundle().as_deref(), PAGE_LIMIT),
            rendered: Rendered::default(),
            entry: assets::Entry::read(),
            with_stripe,
            recaptcha,
        }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// A path of this site with its query, as the browser's address bar shows it.
    #[param(pattern = "^/")]
    url: String,
}

/// One page of the site as the browser draws it: the same object that the first HTML embeds.
#[utoipa::path(get, path = "/_page", tag = "pages", params(PageQuery),
    responses((status = 200, body = Success<crate::payload_shapes::PagePayload>), (status = 422)))]
pub async fn page_payload(
    sources: PageSources,
    context: RequestContext,
    Query(query): Query<PageQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    bounded(&query.url, PAGE_QUERY_MAX)?;
    let (path, rest) = query.url.split_once('?').unwrap_or((query.url.as_str(), ""));
    if !path.starts_with('/') {
        return Err(ApiError::invalid_field(
            "url",
            "invalid",
            say("refusal.page_address"),
        ));
    }
    let lang = rest
        .split('&')
        .find_map(|pair| pair.strip_prefix("lang="))
        .and_then(Language::from_tag)
        .unwrap_or(context.lang);
    let logged_in = is_logged_in(&sources, path, rest, &headers).await?;
    let address = Address {
        path,
        query: &caller::without_token(rest),
        lang,
        logged_in,
        ip: context.ip,
    };
    let outcome = pages::resolve(&sources, &address).await?;
    let (payload, extras, render) = payload(&sources, &address, outcome);
    let mut response = Success::new(payload).into_response();
    keep_for_reader(
        response.headers_mut(),
        render == Render::Browser || extras.is_none(),
    );
    Ok(response)
}

/// A page depends on its reader's language and cookies, as HTML and as the browser asks for it; a private one is kept nowhere.
fn keep_for_reader(headers: &mut HeaderMap, is_private: bool) {
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    if is_private {
        security::keep_private(headers);
    }
}

/// Every path that no other route takes.
pub async fn page(
    sources: PageSources,
    State(printer): State<Arc<PagePrinter>>,
    method: Method,
    context: RequestContext,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let path = uri.path();
    if path.starts_with("/api/") || path.starts_with("/dev/") {
        return ApiError::not_found(say("refusal.no_address")).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            say("refusal.method_not_allowed"),
        )
        .into_response();
    }
    let query = query.unwrap_or_default();
    let mut response = answered((&sources, &printer), path, &query, &context, &headers).await;
    remember_language(&sources, &query, &mut response);
    response
}

/// The HTML of a path, or the address that it leads to.
async fn answered(
    (sources, printer): (&PageSources, &PagePrinter),
    path: &str,
    query: &str,
    context: &RequestContext,
    headers: &HeaderMap,
) -> Response {
    let logged_in = is_logged_in(sources, path, query, headers).await.unwrap_or(false);
    let query = caller::without_token(query);
    let address = Address {
        path,
        query: &query,
        lang: context.lang,
        logged_in,
        ip: context.ip,
    };
    let short = bounded(address.query, PAGE_QUERY_MAX);
    if let Err(error) = short {
        return refused((sources, printer), &address, error).await;
    }
    let outcome = match pages::resolve(sources, &address).await {
        Ok(Outcome::Redirect { status, to }) => return redirect(status, &to),
        Ok(outcome) => outcome,
        Err(error) if error.status.is_client_error() => {
            return refused((sources, printer), &address, error).await;
        }
        Err(error) => {
            let _logged = error.into_response();
            return html_answer(printer, broken(sources, &address), None).await;
        }
    };
    let (payload, page, render) = payload(sources, &address, outcome);
    html_answer(
        printer,
        payload,
        (render == Render::Server).then_some(()).and(page),
    )
    .await
}

/// Spec D3: a language asked for by `?lang=` is the visitor's choice and stays for a year; any other answer leaves the choice alone.
fn remember_language(sources: &PageSources, query: &str, response: &mut Response) {
    let Some(chosen) = query_value(query, "lang").and_then(Language::from_tag) else {
        return;
    };
    let secure = sources.site.secure_word();
    let cookie = format!(
        "lang={}; Path=/; Max-Age={LANGUAGE_SECONDS}; HttpOnly; SameSite=Lax{secure}",
        chosen.code()
    );
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// A year.
const LANGUAGE_SECONDS: u32 = 365 * 24 * 60 * 60;

/// Asked for guarded paths only, so that public pages cost no look-up.
async fn is_logged_in(
    sources: &PageSources,
    path: &str,
    query: &str,
    headers: &HeaderMap,
) -> ApiResult<bool> {
    if !pages::is_guarded(path) {
        return Ok(false);
    }
    let tokens = caller::tokens(&sources.sessions, headers, Some(query));
    let caller = caller::who(&sources.sessions, &sources.site, &tokens).await?;
    Ok(caller.person.is_some())
}

fn redirect(status: StatusCode, to: &str) -> Response {
    // Names keep the letters of their script; a header does not.
    let to = utf8_percent_encode(to, CONTROLS).to_string();
    match HeaderValue::from_str(&to) {
        Ok(location) => (status, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Parts of a page besides its payload.
struct Extras {
    json_ld: Vec<Value>,
    preload_image: Option<String>,
}

fn payload(
    sources: &PageSources,
    address: &Address<'_>,
    outcome: Outcome,
) -> (PagePayload, Option<Extras>, Render) {
    let chrome = pages::chrome(sources, address);
    let url = address.url();
    let status = match outcome {
        Outcome::Missing(_) => 404,
        Outcome::Gone(_) => 410,
        Outcome::Page(_) | Outcome::Redirect { .. } | Outcome::NotFound { .. } => 200,
    };
    match outcome {
        Outcome::Page(page) | Outcome::Missing(page) | Outcome::Gone(page) => {
            let Page {
                route,
                head,
                data: shown,
                json_ld,
                render,
                preload_image,
            } = *page;
            let payload = PagePayload {
                route,
                url,
                status,
                redirect: None,
                head,
                chrome,
                data: shown,
            };
            (
                payload,
                Some(Extras {
                    json_ld,
                    preload_image,
                }),
                render,
            )
        }
        Outcome::Redirect { status, to } => {
            let payload = PagePayload {
                route: "not_found",
                url,
                status: status.as_u16(),
                redirect: Some(to),
                head: Head::private(sources, ""),
                chrome,
                data: nowhere(sources, None),
            };
            (payload, None, Render::Browser)
        }
        Outcome::NotFound { message } => {
            let payload = PagePayload {
                route: "not_found",
                url,
                status: 404,
                redirect: None,
                head: Head::private(sources, "404 Page Not Found"),
                chrome,
                data: nowhere(sources, message.as_deref()),
            };
            (
                payload,
                Some(Extras {
                    json_ld: Vec::new(),
                    preload_image: None,
                }),
                Render::Server,
            )
        }
    }
}

/// The page of 404.
fn nowhere(sources: &PageSources, message: Option<&str>) -> Box<RawValue> {
    let email = sources.settings.support_email_of(&face_of(sources));
    written(&serde_json::json!({ "support_email": email, "message": message }))
}

fn broken(sources: &PageSources, address: &Address<'_>) -> PagePayload {
    PagePayload {
        route: "server_error",
        url: address.url(),
        status: 500,
        redirect: None,
        head: Head::private(sources, "500 Something went wrong."),
        chrome: pages::chrome(sources, address),
        data: written(
            &serde_json::json!({ "support_email": sources.settings.support_email_of(&face_of(sources)) }),
        ),
    }
}

/// The longest query of a page, in bytes: every link of its filters repeats it.
const PAGE_QUERY_MAX: usize = 4 * 1024;

/// A page that is refused, with what to do about it and when to ask again.
async fn refused(
    (sources, printer): (&PageSources, &PagePrinter),
    address: &Address<'_>,
    error: ApiError,
) -> Response {
    let message = error.message.written();
    let status = error.status.as_u16();
    let told = error.into_response();
    let payload = PagePayload {
        route: "not_found",
        url: address.path.to_owned(),
        status,
        redirect: None,
        head: Head::private(sources, &message),
        chrome: pages::chrome(sources, address),
        data: nowhere(sources, Some(&message)),
    };
    let mut response = html_answer(printer, payload, None).await;
    if let Some(wait) = told.headers().get(header::RETRY_AFTER) {
        response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
    }
    response
}

/// Asks the printer for the grey frame of a page that the browser draws. The store keeps the frame for all readers, so neither the
/// page's own data nor its address goes in.
fn frame_of(payload: &PagePayload) -> String {
    serde_json::json!({ "frame_of": payload.route, "chrome": payload.chrome }).to_string()
}

/// The page as HTML. `extras` are given for pages whose body is rendered here; of the others the frame is.
async fn html_answer(printer: &PagePrinter, payload: PagePayload, extras: Option<Extras>) -> Response {
    let status = StatusCode::from_u16(payload.status).unwrap_or(StatusCode::OK);
    let json = match serde_json::to_string(&payload) {
        Ok(json) => json,
        Err(error) => return ApiError::broken(error).into_response(),
    };
    let framed = if extras.is_some() {
        json.clone()
    } else {
        frame_of(&payload)
    };
    let print = printer.renderer.render(framed.clone());
    let body = printer.rendered.body(&framed, print).await;
    let is_private = extras.is_none();
    let reach = html::reach(printer.with_stripe, printer.recaptcha.is_some(), payload.route);
    let document = html::document(&html::Parts {
        payload: &payload,
        json: &json,
        body: body.as_deref().unwrap_or_default(),
        json_ld: extras.as_ref().map_or(&[][..], |extras| &extras.json_ld),
        preload_image: extras.as_ref().and_then(|extras| extras.preload_image.as_deref()),
        entry: &printer.entry,
        recaptcha: printer.recaptcha.as_ref().filter(|_| reach.asks_google),
    });
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(reach.policy),
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            HeaderValue::from_static(reach.opener),
        ),
    ];
    let mut response = (status, headers, document).into_response();
    keep_for_reader(response.headers_mut(), is_private);
    response
}
