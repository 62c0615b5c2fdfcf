//! A student's document for support or the provider, by a link that ends at its first use (D93, decision 0026). Looking at the link
//! changes nothing, for programs that check mails open every link; the press on its page opens the document.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use domain::booking_form::document_link::{Audience, DocumentLink, LinkCommand};
use domain::booking_form::{BookingForm, BookingFormCommand, BookingFormRejection};
use domain::id::{BookingFormId, StreamKey as _};
use domain::language::Language;
use domain::lead::Lead;
use domain::user::Role;
use eventlog::{Actor, CommitError, commit};
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::ApiResult;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use platform::clock;
use platform::texts::text;
use processes::document_link::link_of;
use processes::document_store::DocumentStore;
use records::Records;
use uuid::Uuid;

use crate::Services;
use crate::booking_forms::refusal;
use crate::documents::{as_file, file_of};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        Access::Capability(Capability::StaffDocumentLink),
        routes!(ask_document, open_document),
    )
}

/// Nothing runs, and the form leads back here alone.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// States of the page.
#[derive(Clone, Copy)]
enum Shown {
    Asks,
    Used,
    Over,
    Absent,
    /// Made for staff, and no login that may see leads came with it.
    Staff,
}

/// A link of this server and the form it belongs to.
struct Known {
    form_id: BookingFormId,
    form: BookingForm,
    link_id: Uuid,
}

/// The page of a link: what it opens, and a button that does.
#[utoipa::path(get, path = "/documents/{token}", params(("token" = String, Path)),
    responses((status = 200, content_type = "text/html", body = String), (status = 403, content_type = "text/html", body = String),
    (status = 404, content_type = "text/html", body = String), (status = 410, content_type = "text/html", body = String)))]
pub async fn ask_document(
    State(records): State<Records>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let shown = match known(&records, &token).await? {
        Some(known) => match usable(&known, &caller) {
            Ok(_) => Shown::Asks,
            Err(shown) => shown,
        },
        None => Shown::Absent,
    };
    Ok(page(shown, context.lang))
}

/// Opens the document: recorded first, and the link ends with it.
#[utoipa::path(post, path = "/documents/{token}", params(("token" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"),
    (status = 403, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String),
    (status = 410, content_type = "text/html", body = String)))]
pub async fn open_document(
    State(records): State<Records>,
    State(documents): State<DocumentStore>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let Some(known) = known(&records, &token).await? else {
        return Ok(page(Shown::Absent, context.lang));
    };
    let link = match usable(&known, &caller) {
        Ok(link) => link,
        Err(shown) => return Ok(page(shown, context.lang)),
    };
    let Known {
        form_id,
        form,
        link_id,
    } = known;
    let (Some(start), Some(document)) = (form.start.as_deref(), form.documents.get(&link.document_id)) else {
        return Ok(page(Shown::Absent, context.lang));
    };
    // Read before it is recorded: a disk that fails uses no link up.
    let person = start.person_id;
    let Some(bytes) = file_of(&records, &documents, (person, link.document_id)).await? else {
        return Ok(page(Shown::Absent, context.lang));
    };
    let command = BookingFormCommand::Link(LinkCommand::Use {
        link_id,
        at: clock::now(),
    });
    let actor = caller
        .person
        .as_ref()
        .filter(|_| link.audience == Audience::Staff)
        .map_or(Actor::VISITOR, |person| Actor::staff(person.user_id.uuid()));
    let used = eventlog::Context::new(clock::now(), actor).correlated(context.request_id);
    match commit::<BookingForm>(&records.log, form_id, command, &used).await {
        Ok(opened) => records.answers_for(opened.position),
        // Another press was faster.
        Err(CommitError::Rejected(rejection)) => return Ok(page(shown_for(&rejection), context.lang)),
        Err(error) => return Err(refusal(error)),
    }
    let mut response = as_file(&form, document, bytes);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    Ok(response)
}

async fn known(records: &Records, token: &str) -> ApiResult<Option<Known>> {
    let Some((lead_id, link_id)) = link_of(records.log.handles(), token) else {
        return Ok(None);
    };
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let Some((form_id, _)) = lead.form.filter(|_| lead.personal.is_some()) else {
        return Ok(None);
    };
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    Ok(Some(Known {
        form_id,
        form,
        link_id,
    }))
}

/// The link, where it opens its document for this caller now.
fn usable(known: &Known, caller: &Caller) -> Result<DocumentLink, Shown> {
    let link = known
        .form
        .open_link(known.link_id, clock::now())
        .map_err(|rejection| shown_for(&rejection))?;
    let may_see = caller
        .roles()
        .iter()
        .any(|role| matches!(role, Role::Support | Role::Admin));
    if link.audience == Audience::Staff && !may_see {
        return Err(Shown::Staff);
    }
    Ok(link)
}

const fn shown_for(rejection: &BookingFormRejection) -> Shown {
    match rejection {
        BookingFormRejection::LinkUsed => Shown::Used,
        BookingFormRejection::LinkOver => Shown::Over,
        _ => Shown::Absent,
    }
}

fn page(shown: Shown, lang: Language) -> Response {
    let (name, status) = match shown {
        Shown::Asks => ("asks", StatusCode::OK),
        Shown::Used => ("used", StatusCode::GONE),
        Shown::Over => ("over", StatusCode::GONE),
        Shown::Absent => ("absent", StatusCode::NOT_FOUND),
        Shown::Staff => ("staff", StatusCode::FORBIDDEN),
    };
    let said = |part: &str| text(lang, &format!("document_link.{name}_{part}"), &[]);
    let press = match shown {
        Shown::Asks => format!(
            "<form method=\"post\"><button type=\"submit\">{}</button></form>",
            said("press")
        ),
        Shown::Used | Shown::Over | Shown::Absent | Shown::Staff => String::new(),
    };
    let html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>\
         body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 16px;color:#17181C;background:#fff}}\
         h1{{font-size:24px;line-height:1.25}}button{{font:inherit;font-weight:600;padding:12px 20px;border:0;border-radius:8px;\
         background:#17181C;color:#fff;cursor:pointer}}\
         </style></head><body><main><h1>{title}</h1><p>{}</p>{press}</main></body></html>",
        lang.code(),
        said("text"),
        title = said("title"),
    );
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    let put: [(HeaderName, &'static str); 3] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        // The link is a capability: no other site is told of it. With `no-referrer` the press would come without its origin.
        (header::REFERRER_POLICY, "same-origin"),
    ];
    for (name, value) in put {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
