//! Pictures of homes and cities, drawn when first asked for and kept: `/pictures/{seed}/{kind}.svg` for pages, and
//! `/pictures/{seed}/{kind}.{size}.{jpg|png}` in the sizes of Spec §9 for whoever shows no SVG.

use std::path::Path as FolderPath;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::place::is_canonical;
use papaya::HashMap;
use serde_json::json;

use crate::app::App;
use crate::config::Variant;
use crate::drawing::Renderer;
use crate::error::{ApiError, ApiResult};
use crate::said::say;

mod painter;
mod raster;
mod shelf;

use painter::Painter;

/// Milliseconds are usual; a machine at its limits is given time, because a page without its picture looks broken.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// About 3 kB each once compressed: a whole city's homes stay at hand in under 30 MB.
const KEPT_MAX: usize = 9_000;
/// Seeds are names of cities with a number; anything longer is no seed of ours.
const SEED_MAX: usize = 120;
/// Raised when the drawing changes, so that old pictures are not shown from a cache, a browser's or ours.
const EDITION: &str = "art-1";
const ETAG: &str = "\"art-1\"";
/// The best of Spec §9's presets, and the one of the low image quality set (D119), of 100.
const JPEG_QUALITY: u8 = 80;
const JPEG_QUALITY_CHINA: u8 = 40;

/// The drawing engine and what it has drawn, compressed.
pub struct Pictures {
    renderer: Renderer,
    kept: HashMap<String, Bytes>,
    /// City names of the demo catalogue with their countries: façades follow the country.
    countries: std::collections::HashMap<String, &'static str>,
    painter: Painter,
    jpeg_quality: u8,
}

impl Pictures {
    /// Painted pictures are kept in `pictures` below the data folder.
    ///
    /// # Errors
    /// When the demo catalogue's facts cannot be read, or the folder cannot be used.
    pub fn start(data_dir: &FolderPath, variant: Variant) -> Result<Self, String> {
        let facts = catalogue::facts::Facts::load().map_err(|error| error.to_string())?;
        let countries = facts
            .cities
            .iter()
            .map(|city| (city.canonical_name.clone(), city.country.key()))
            .collect();
        let jpeg_quality = match variant {
            Variant::Standard => JPEG_QUALITY,
            Variant::China => JPEG_QUALITY_CHINA,
        };
        let edition = format!("{EDITION}-q{jpeg_quality}");
        Ok(Self {
            renderer: Renderer::start(Some(artwork::SCRIPT), TIME_LIMIT),
            kept: HashMap::new(),
            countries,
            painter: Painter::open(&data_dir.join("pictures"), &edition)?,
            jpeg_quality,
        })
    }

    /// The picture, brotli-compressed.
    ///
    /// # Errors
    /// 404 when there is no such kind, 503 when the engine has too much to draw.
    async fn drawn(&self, seed: &str, file: &str) -> ApiResult<Bytes> {
        let (kind, variant) = file
            .strip_suffix(".svg")
            .and_then(kind_and_variant)
            .filter(|_| is_canonical(seed))
            .ok_or_else(|| ApiError::not_found(say("refusal.no_picture")))?;
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

    /// The picture as pixels, and what they are.
    ///
    /// # Errors
    /// 404 when there is no such kind, size or format, 503 when there is too much to draw.
    async fn painted(&self, seed: &str, file: &str) -> ApiResult<(Bytes, &'static str)> {
        let (stem, size, format) = raster::asked(file, self.jpeg_quality)
            .filter(|(stem, _, _)| kind_and_variant(stem).is_some() && is_canonical(seed))
            .ok_or_else(|| ApiError::not_found(say("refusal.no_picture")))?;
        let drawing = async {
            let squeezed = self.drawn(seed, &format!("{stem}.svg")).await?;
            let svg = expanded(&squeezed).map_err(ApiError::broken)?;
            String::from_utf8(svg).map_err(ApiError::broken)
        };
        let name = format!("{seed}.{file}");
        let picture = self.painter.painted(&name, size, format, drawing).await?;
        Ok((picture, format.media_type()))
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

/// `bedroom` and `bedroom-ensuite-room`.
fn kind_and_variant(stem: &str) -> Option<(&str, &str)> {
    let (kind, variant) = stem.split_once('-').unwrap_or((stem, ""));
    let known = artwork::KINDS.contains(&kind) && (variant.is_empty() || is_canonical(variant));
    known.then_some((kind, variant))
}

fn expanded(picture: &Bytes) -> std::io::Result<Vec<u8>> {
    let mut svg = Vec::new();
    brotli::BrotliDecompress(&mut picture.as_ref(), &mut svg)?;
    Ok(svg)
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
    if seed.len() > SEED_MAX || file.len() > SEED_MAX || !app.catalogue.is_seed(&seed) {
        return ApiError::not_found(say("refusal.no_picture")).into_response();
    }
    if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
        return axum::http::StatusCode::NOT_MODIFIED.into_response();
    }
    let answer = if file.strip_suffix(".svg").is_some() {
        let drawn = app.pictures.drawn(&seed, &file).await;
        drawn.and_then(|drawn| svg_answer(drawn, accepts_brotli(&headers)))
    } else {
        let painted = app.pictures.painted(&seed, &file).await;
        painted.map(|(picture, media_type)| {
            let mut answer = picture.into_response();
            answer
                .headers_mut()
                .insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
            answer
        })
    };
    let mut answer = match answer {
        Ok(answer) => answer,
        Err(error) => return error.into_response(),
    };
    let headers = answer.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=604800"),
    );
    headers.insert(header::ETAG, HeaderValue::from_static(ETAG));
    answer
}

fn svg_answer(drawn: Bytes, as_it_is: bool) -> ApiResult<Response> {
    let mut answer = if as_it_is {
        let mut answer = drawn.into_response();
        answer
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        answer
    } else {
        expanded(&drawn).map_err(ApiError::broken)?.into_response()
    };
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Opened by itself a picture is a document: it may load and run nothing.
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
    );
    Ok(answer)
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

    fn pictures() -> (tempfile::TempDir, Pictures) {
        let folder = tempfile::tempdir().unwrap();
        let pictures = Pictures::start(folder.path(), Variant::Standard).unwrap();
        (folder, pictures)
    }

    #[tokio::test]
    async fn every_kind_is_drawn_in_every_country_and_stays_small() {
        let (_folder, pictures) = pictures();
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
                let text = String::from_utf8(expanded(&drawn).unwrap()).unwrap();
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

    /// The same seed draws the same picture and another seed another.
    #[tokio::test]
    async fn picture_is_a_function_of_its_seed() {
        let ((_one, first), (_two, second)) = (pictures(), pictures());
        let drawn = first.drawn("leeds-3", "bedroom.svg").await.unwrap();
        assert_eq!(drawn, second.drawn("leeds-3", "bedroom.svg").await.unwrap());
        assert_ne!(drawn, second.drawn("leeds-4", "bedroom.svg").await.unwrap());
    }

    #[tokio::test]
    async fn every_kind_can_be_painted_for_a_social_image() {
        let (_folder, pictures) = pictures();
        for kind in artwork::KINDS {
            let file = format!("{kind}.1080x720.jpg");
            let (picture, media_type) = pictures.painted("leeds-3", &file).await.unwrap();
            assert_eq!(media_type, "image/jpeg");
            assert!(
                picture.len() > 10_000 && picture.len() < 200_000,
                "{kind}: {} bytes",
                picture.len()
            );
        }
    }

    #[tokio::test]
    async fn what_is_no_picture_is_not_drawn() {
        let (_folder, pictures) = pictures();
        for file in [
            "bedroom.png",
            "cellar.svg",
            "",
            ".svg",
            "../../etc/passwd",
            "bedroom-../x.svg",
        ] {
            assert!(pictures.drawn("leeds-3", file).await.is_err(), "{file}");
        }
        for file in [
            "cellar.80.jpg",
            "bedroom.81.jpg",
            "bedroom.80.webp",
            "bedroom-..80.jpg",
        ] {
            assert!(pictures.painted("leeds-3", file).await.is_err(), "{file}");
        }
        for seed in ["../leeds-3", "LEEDS", "leeds 3", "leeds.3", ""] {
            assert!(pictures.drawn(seed, "bedroom.svg").await.is_err(), "{seed}");
            assert!(pictures.painted(seed, "bedroom.80.jpg").await.is_err(), "{seed}");
        }
    }
}
