//! The browser's files, built by Vite and carried inside the binary.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use papaya::HashMap as ConcurrentMap;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;

use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Client;

#[derive(RustEmbed)]
#[folder = "../web/dist-server"]
#[allow_missing = true]
struct Server;

/// The script that renders pages on the server; `None` when the web part was not built.
pub(super) fn server_bundle() -> Option<String> {
    let file = Server::get("server.js")?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// What the first HTML must name, read once from Vite's manifest.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) script: Option<String>,
    pub(super) fonts: Vec<String>,
    styles: Vec<String>,
    by_route: HashMap<String, Chunk>,
}

#[derive(Debug, Default)]
struct Chunk {
    styles: Vec<String>,
    modules: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ManifestChunk {
    file: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    assets: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    is_entry: bool,
}

type Manifest = BTreeMap<String, ManifestChunk>;

impl Entry {
    pub(super) fn read() -> Self {
        Client::get(".vite/manifest.json")
            .and_then(|file| serde_json::from_slice::<Manifest>(&file.data).ok())
            .map(|manifest| Self::from_manifest(&manifest))
            .unwrap_or_default()
    }

    fn from_manifest(manifest: &Manifest) -> Self {
        let Some((entry_key, entry)) = manifest.iter().find(|(_, chunk)| chunk.is_entry) else {
            return Self::default();
        };
        let mut entry_chunk = Chunk::default();
        collect(manifest, entry_key, &mut entry_chunk);
        // The route names of the page payload, by the module that holds the page.
        let routes: BTreeMap<String, String> = Client::get("routes.json")
            .and_then(|file| serde_json::from_slice(&file.data).ok())
            .unwrap_or_default();
        let by_route = routes
            .into_iter()
            .map(|(route, module)| {
                let mut chunk = Chunk::default();
                collect(manifest, &module, &mut chunk);
                chunk
                    .modules
                    .retain(|module| !entry_chunk.modules.contains(module));
                chunk.styles.retain(|style| !entry_chunk.styles.contains(style));
                (route, chunk)
            })
            .collect();
        let fonts = manifest
            .values()
            .flat_map(|chunk| &chunk.assets)
            .filter(|asset| asset.ends_with(".woff2") && asset.contains("latin-wght-normal"))
            .map(|asset| format!("/{asset}"))
            .take(1)
            .collect();
        Self {
            script: Some(format!("/{}", entry.file)),
            fonts,
            styles: entry_chunk.styles,
            by_route,
        }
    }

    /// Style sheets of the entry and of the route's own chunk.
    pub(super) fn styles<'a>(&'a self, route: &str) -> impl Iterator<Item = &'a str> {
        let own = self.by_route.get(route).map_or(&[][..], |chunk| &chunk.styles);
        self.styles.iter().chain(own).map(String::as_str)
    }

    /// Modules the route needs beyond the entry.
    pub(super) fn modules<'a>(&'a self, route: &str) -> impl Iterator<Item = &'a str> {
        self.by_route
            .get(route)
            .map_or(&[][..], |chunk| &chunk.modules)
            .iter()
            .map(String::as_str)
    }
}

fn collect(manifest: &Manifest, key: &str, into: &mut Chunk) {
    let Some(chunk) = manifest.get(key) else { return };
    let file = format!("/{}", chunk.file);
    if into.modules.contains(&file) {
        return;
    }
    into.modules.push(file);
    for import in &chunk.imports {
        collect(manifest, import, into);
    }
    for style in &chunk.css {
        let style = format!("/{style}");
        if !into.styles.contains(&style) {
            into.styles.push(style);
        }
    }
}

/// `GET /assets/…`: names carry a hash of their content, so they may be kept for ever.
pub async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let name = format!("assets/{path}");
    let Some(file) = Client::get(&name).or_else(|| Client::get(&path)) else {
        return ApiError::not_found("This file").into_response();
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
