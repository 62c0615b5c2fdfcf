//! Files for programs that read the site: rules for crawlers, maps of every public page (D16), the feed of the blog, the manifest of the
//! site, and where to report a hole in it.

use axum::extract::Path;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{SecondsFormat, TimeDelta};
use domain::language::Language;
use http_kit::endpoints::Endpoints;
use http_kit::error::ApiError;
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::say;
use platform::clock;
use platform::config::brand::ServedFace;
use serde::Serialize;

use crate::Services;
use crate::brand::{face_of, list_icons};
use crate::pages::sources::PageSources;

mod feed;
mod maps;

/// Files of this resource, and who may read them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .undocumented(Access::Open, Method::GET, "/robots.txt", robots)
        .undocumented(Access::Open, Method::GET, "/sitemap.xml", site_map_index)
        .undocumented(Access::Open, Method::GET, "/sitemaps/{file}", site_map)
        .undocumented(Access::Open, Method::GET, "/blog/feed.xml", blog_feed)
        .undocumented(Access::Open, Method::GET, "/.well-known/security.txt", security)
        .undocumented(Access::Open, Method::GET, "/manifest.webmanifest", manifest)
        .undocumented(Access::Open, Method::GET, "/favicon.ico", favicon)
}

/// Caches keep a file for ten minutes.
const CACHED: &str = "public, max-age=600";
/// How long `security.txt` holds from the moment at which it is read.
const SECURITY_HOLDS: TimeDelta = TimeDelta::days(180);

fn answer(media_type: &'static str, body: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static(CACHED)),
    ];
    (headers, body).into_response()
}

/// `GET /robots.txt`: personal pages are no reading for crawlers, and the index of maps is here.
async fn robots(sources: PageSources, _context: RequestContext) -> Response {
    let rules = [
        "/workspace",
        "/profile",
        "/payments/",
        "/receipts/",
        "/support/",
        "/dev/",
    ]
    .map(|path| format!("Disallow: {path}\n"))
    .concat();
    let url = &sources.site.origin;
    let body = format!("User-agent: *\n{rules}\nSitemap: {url}/sitemap.xml\n");
    answer("text/plain; charset=utf-8", body)
}

/// `GET /sitemap.xml`: the index of the maps.
async fn site_map_index(sources: PageSources, _context: RequestContext) -> Response {
    answer(XML, maps::write_index(&sources))
}

/// `GET /sitemaps/{file}`: one map.
async fn site_map(sources: PageSources, _context: RequestContext, Path(file): Path<String>) -> Response {
    match maps::write_map(&sources, &file) {
        Some(map) => answer(XML, map),
        None => ApiError::not_found(say("refusal.no_address")).into_response(),
    }
}

const XML: &str = "application/xml; charset=utf-8";

/// `GET /blog/feed.xml`: RSS 2.0 in the reader's language.
async fn blog_feed(sources: PageSources, context: RequestContext) -> Response {
    let mut response = answer(
        "application/rss+xml; charset=utf-8",
        feed::write_feed(&sources, context.lang),
    );
    let vary = HeaderValue::from_static("accept-language, cookie");
    response.headers_mut().insert(header::VARY, vary);
    let own = HeaderValue::from_static("private, max-age=600");
    response.headers_mut().insert(header::CACHE_CONTROL, own);
    response
}

/// `GET /.well-known/security.txt` (RFC 9116).
async fn security(sources: PageSources, _context: RequestContext) -> Response {
    let url = &sources.site.origin;
    let email = sources.settings.support_email_of(&face_of(&sources));
    let mail = email.map_or_else(String::new, |email| format!("Contact: mailto:{email}\n"));
    let expires = (clock::now() + SECURITY_HOLDS).to_rfc3339_opts(SecondsFormat::Secs, true);
    let languages = Language::SERVED.map(Language::code).join(", ");
    let body = format!(
        "{mail}Contact: {url}/contact\nExpires: {expires}\nPreferred-Languages: {languages}\nCanonical: {url}/.well-known/security.txt\n"
    );
    answer("text/plain; charset=utf-8", body)
}

/// The site as a phone keeps it on its screen: <https://www.w3.org/TR/appmanifest/>.
#[derive(Serialize)]
struct Manifest<'s> {
    name: &'s str,
    short_name: &'s str,
    start_url: &'static str,
    display: &'static str,
    background_color: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme_color: Option<String>,
    icons: Vec<ManifestIcon>,
}

#[derive(Serialize)]
struct ManifestIcon {
    src: String,
    sizes: String,
    r#type: &'static str,
}

const FAVICON: &str = "/assets/favicon.svg";

/// `GET /manifest.webmanifest`.
async fn manifest(sources: PageSources, _context: RequestContext) -> Response {
    let face = face_of(&sources);
    let palette = face.brand.palette.filter(|_| face.is_own);
    let manifest = Manifest {
        name: &face.name,
        short_name: &face.name,
        start_url: "/",
        display: "browser",
        background_color: "#ffffff",
        theme_color: palette.map(|palette| palette.brand.to_string()),
        icons: list_manifest_icons(&face),
    };
    match serde_json::to_string(&manifest) {
        Ok(body) => answer("application/manifest+json", body),
        Err(error) => ApiError::broken(error).into_response(),
    }
}

fn list_manifest_icons(face: &ServedFace) -> Vec<ManifestIcon> {
    if !face.is_own {
        return vec![ManifestIcon {
            src: FAVICON.to_owned(),
            sizes: "any".to_owned(),
            r#type: "image/svg+xml",
        }];
    }
    let own = list_icons(&face.brand).into_iter();
    let own = own.map(|icon| ManifestIcon {
        sizes: format!("{}x{}", icon.width, icon.height),
        src: icon.url,
        r#type: "image/png",
    });
    own.collect()
}

/// `GET /favicon.ico`: browsers ask for it unasked.
async fn favicon(sources: PageSources, _context: RequestContext) -> Response {
    let place = list_manifest_icons(&face_of(&sources)).into_iter().next();
    let place = place.and_then(|icon| HeaderValue::from_str(&icon.src).ok());
    let place = place.unwrap_or(HeaderValue::from_static(FAVICON));
    (StatusCode::FOUND, [(header::LOCATION, place)]).into_response()
}
