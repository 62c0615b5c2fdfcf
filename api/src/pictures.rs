//! Pictures of homes and cities, drawn when first asked for and kept: `/pictures/{seed}/{kind}.svg`.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use papaya::HashMap;
use serde_json::json;

use crate::app::App;
use crate::drawing::Renderer;
use crate::error::{ApiError, ApiResult};

/// Milliseconds are usual; a machine at its limits is given time, because a page without its picture looks broken.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// About 3 kB each once compressed: a whole city's homes stay at hand in under 30 MB.
const KEPT_MAX: usize = 9_000;
/// Seeds are names of cities with a number; anything longer is no seed of ours.
const SEED_MAX: usize = 120;
/// Raised when the drawing changes, so that old pictures are not shown from a browser's cache.
const ETAG: &str = "\"art-1\"";

/// The drawing engine and what it has drawn, compressed.
pub struct Pictures {
    renderer: Renderer,
    kept: HashMap<String, Bytes>,
    /// City names of the demo catalogue with their countries: façades follow the country.
    countries: std::collections::HashMap<String, &'static str>,
}

impl Pictures {
    /// # Errors
    /// When the demo catalogue's facts cannot be read.
    pub fn start() -> Result<Self, String> {
        let facts = catalogue::facts::Facts::load().map_err(|error| error.to_string())?;
        let countries = facts
            .cities
            .iter()
            .map(|city| (city.canonical_name.clone(), city.country.key()))
            .collect();
        Ok(Self {
            renderer: Renderer::start(Some(artwork::SCRIPT), TIME_LIMIT),
            kept: HashMap::new(),
            countries,
        })
    }

    /// The picture, brotli-compressed.
    ///
    /// # Errors
    /// 404 when there is no such kind, 503 when the engine has too much to draw.
    async fn drawn(&self, seed: &str, file: &str) -> ApiResult<Bytes> {
        let (kind, variant) = kind_and_variant(file).ok_or_else(|| ApiError::not_found("This picture"))?;
        let key = format!("{seed}/{file}");
        if let Some(kept) = self.kept.pin().get(&key) {
            return Ok(kept.clone());
        }
        let (city, country) = self.place(seed);
        let request =
            json!({ "seed": seed, "kind": kind, "variant": variant, "country": country, "city": city });
        let svg = self
            .renderer
            .render(request.to_string())
            .await
            .ok_or_else(ApiError::busy)?;
        let picture = squeezed(&svg).map_err(ApiError::broken)?;
        let kept = self.kept.pin();
        if kept.len() < KEPT_MAX {
            kept.insert(key, picture.clone());
        }
        Ok(picture)
    }

    /// The city a seed names, with or without a number at its end, and the city's country.
    fn place<'s>(&self, seed: &'s str) -> (&'s str, &'static str) {
        let city = seed
            .rsplit_once('-')
            .filter(|(_, number)| number.parse::<u32>().is_ok())
            .map_or(seed, |(city, _)| city);
        (city, self.countries.get(city).copied().unwrap_or("uk"))
    }
}

/// `bedroom.svg` and `bedroom-ensuite-room.svg`.
fn kind_and_variant(file: &str) -> Option<(&str, &str)> {
    let stem = file.strip_suffix(".svg")?;
    let (kind, variant) = stem.split_once('-').unwrap_or((stem, ""));
    artwork::KINDS.contains(&kind).then_some((kind, variant))
}

fn squeezed(svg: &str) -> std::io::Result<Bytes> {
    let mut bytes = Vec::with_capacity(4_096);
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 7,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut svg.as_bytes(), &mut bytes, &parameters)?;
    Ok(Bytes::from(bytes))
}

/// `GET /pictures/{seed}/{file}`.
pub async fn picture(
    State(app): State<App>,
    Path((seed, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
        return axum::http::StatusCode::NOT_MODIFIED.into_response();
    }
    if seed.len() > SEED_MAX || file.len() > SEED_MAX {
        return ApiError::not_found("This picture").into_response();
    }
    let picture = match app.pictures.drawn(&seed, &file).await {
        Ok(picture) => picture,
        Err(error) => return error.into_response(),
    };
    let mut answer = if accepts_brotli(&headers) {
        let mut answer = picture.into_response();
        answer
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        answer
    } else {
        let mut svg = Vec::new();
        match brotli::BrotliDecompress(&mut picture.as_ref(), &mut svg) {
            Ok(()) => svg.into_response(),
            Err(error) => return ApiError::broken(error).into_response(),
        }
    };
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=604800"),
    );
    headers.insert(header::ETAG, HeaderValue::from_static(ETAG));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Opened by itself a picture is a document: it may load and run nothing.
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
    );
    answer
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(',').any(|coding| coding.trim().starts_with("br")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_kind_is_drawn_in_every_country_and_stays_small() {
        let pictures = Pictures::start().unwrap();
        for city in [
            "london",
            "boston",
            "toronto",
            "barcelona",
            "dublin",
            "sydney",
            "berlin",
        ] {
            for kind in artwork::KINDS {
                let drawn = pictures
                    .drawn(&format!("{city}-7"), &format!("{kind}.svg"))
                    .await
                    .unwrap();
                let mut svg = Vec::new();
                brotli::BrotliDecompress(&mut drawn.as_ref(), &mut svg).unwrap();
                let text = String::from_utf8(svg).unwrap();
                assert!(
                    text.starts_with("<svg ") && text.ends_with("</svg>"),
                    "{city} {kind}"
                );
                assert!(
                    text.len() <= artwork::BYTES_MAX,
                    "{city} {kind}: {} bytes",
                    text.len()
                );
            }
        }
    }

    #[tokio::test]
    async fn the_same_seed_draws_the_same_picture_and_another_seed_another() {
        let (one, two) = (Pictures::start().unwrap(), Pictures::start().unwrap());
        let first = one.drawn("leeds-3", "bedroom.svg").await.unwrap();
        assert_eq!(first, two.drawn("leeds-3", "bedroom.svg").await.unwrap());
        assert_ne!(first, two.drawn("leeds-4", "bedroom.svg").await.unwrap());
    }

    #[tokio::test]
    async fn what_is_no_picture_is_not_drawn() {
        let pictures = Pictures::start().unwrap();
        for file in ["bedroom.png", "cellar.svg", "", ".svg", "../../etc/passwd"] {
            assert!(pictures.drawn("leeds-3", file).await.is_err(), "{file}");
        }
    }
}
