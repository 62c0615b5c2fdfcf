//! The browser's files, built by Vite and carried inside the binary.

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_kit::error::ApiError;
use http_kit::said::say;
use papaya::HashMap as ConcurrentMap;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Client;

#[derive(RustEmbed)]
#[folder = "../../web/dist-server"]
#[allow_missing = true]
struct Server;

/// The script that renders pages on the server; `None` when the web part was not built.
pub(super) fn server_bundle() -> Option<String> {
    let file = Server::get("server.js")?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// What the first HTML must name, as the web's build wrote it down in `pages.json`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Entry {
    pub(super) font: Option<String>,
    /// By language, as JSON: what is said where nothing more can be loaded.
    #[serde(default)]
    start: HashMap<String, String>,
    #[serde(default)]
    pages: HashMap<String, PageFiles>,
}

/// The first load of one route.
#[derive(Debug, Default, Deserialize)]
struct PageFiles {
    /// The application the route belongs to: the shop, or the workspace.
    entry: String,
    scripts: Vec<String>,
    styles: Vec<String>,
    /// Catalogue chunks per language.
    messages: HashMap<String, Vec<String>>,
}

impl Entry {
    pub(super) fn read() -> Self {
        Client::get("pages.json")
            .and_then(|file| serde_json::from_slice(&file.data).ok())
            .unwrap_or_default()
    }

    /// The texts of a page in its language for when nothing more can be loaded, as JSON.
    pub(super) fn start_texts(&self, lang: &str) -> Option<&str> {
        self.start.get(lang).map(String::as_str)
    }

    /// The module that starts the route's application.
    pub(super) fn script(&self, route: &str) -> Option<String> {
        self.pages.get(route).map(|page| format!("/{}", page.entry))
    }

    /// Style sheets of the entry and of the route's own chunk.
    pub(super) fn styles(&self, route: &str) -> impl Iterator<Item = String> {
        self.pages
            .get(route)
            .into_iter()
            .flat_map(|page| &page.styles)
            .map(|file| format!("/{file}"))
    }

    /// Modules and texts to fetch at once instead of one after the other.
    pub(super) fn modules(&self, route: &str, lang: &str) -> impl Iterator<Item = String> {
        let page = self.pages.get(route);
        let messages = page
            .and_then(|page| page.messages.get(lang))
            .into_iter()
            .flatten();
        let scripts = page
            .into_iter()
            .flat_map(|page| page.scripts.iter().filter(|file| **file != page.entry));
        scripts.chain(messages).map(|file| format!("/{file}"))
    }
}

/// `GET /assets/…`: names carry a hash of their content, so they may be kept for ever.
pub async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let name = format!("assets/{path}");
    let Some(file) = Client::get(&name).or_else(|| Client::get(&path)) else {
        return ApiError::not_found(say("refusal.no_file")).into_response();
    };
    let kind = content_type(&name);
    let cache = if is_hashed(&path) {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=3600"
    };
    let mut answer = if accepts_brotli(&headers) && is_text(kind) {
        let mut answer = brotli(&name, &file).into_response();
        answer
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        answer
    } else {
        Bytes::from(file.data.into_owned()).into_response()
    };
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    answer
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(',').any(|coding| coding.trim().starts_with("br")))
}

/// Each file is compressed once, hard, and kept.
fn brotli(name: &str, file: &EmbeddedFile) -> Bytes {
    static KEPT: OnceLock<ConcurrentMap<String, Bytes>> = OnceLock::new();
    let kept = KEPT.get_or_init(ConcurrentMap::new).pin();
    if let Some(bytes) = kept.get(name) {
        return bytes.clone();
    }
    let mut squeezed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 9,
        ..Default::default()
    };
    let bytes = match brotli::BrotliCompress(&mut file.data.as_ref(), &mut squeezed, &parameters) {
        Ok(_) => Bytes::from(squeezed),
        Err(error) => {
            tracing::error!(%error, "a file could not be compressed");
            return Bytes::new();
        }
    };
    kept.insert(name.to_owned(), bytes.clone());
    bytes
}

fn is_text(kind: &str) -> bool {
    !kind.starts_with("font/") && !kind.starts_with("image/png") && !kind.starts_with("image/webp")
}

/// Vite writes `name-<8 letters>.ext`.
fn is_hashed(path: &str) -> bool {
    path.rsplit_once('.')
        .and_then(|(stem, _)| stem.rsplit_once('-'))
        .is_some_and(|(_, hash)| hash.len() == 8)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "png" => "image/png",
        "webp" => "image/webp",
        "html" => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    }
}
