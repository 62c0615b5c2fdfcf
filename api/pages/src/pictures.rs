//! `GET /pictures/{seed}/{file}`: a drawn or painted picture, for any cache, or a size of a photo by its hash.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::photo::ContentHash;
use http_kit::endpoints::{Endpoints, Method};
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::said::say;
use photos::store::PhotoStore;
use pictures::{PictureError, Pictures, expanded};
use records::Records;
use search_index::SearchIndex;

use crate::Services;
use crate::photo_file::answer_photo;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().undocumented(Access::Open, Method::GET, "/pictures/{seed}/{file}", picture)
}

/// Seeds are names of cities with a number; anything longer is no seed of ours.
const SEED_MAX: usize = 120;
/// The edition of the drawings (`pictures::EDITION`), as caches name it.
const ETAG: &str = "\"art-2\"";

/// `GET /pictures/{seed}/{file}`.
pub async fn picture(
    State(catalogue): State<Arc<SearchIndex>>,
    State(pictures): State<Arc<Pictures>>,
    State(photos): State<PhotoStore>,
    State(records): State<Records>,
    Path((seed, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    if let Ok(content) = seed.parse::<ContentHash>() {
        return answer_photo(&records, &photos, content, &file, &headers).await;
    }
    if seed.len() > SEED_MAX || file.len() > SEED_MAX || !catalogue.is_seed(&seed) {
        return ApiError::not_found(say("refusal.no_picture")).into_response();
    }
    if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
        return axum::http::StatusCode::NOT_MODIFIED.into_response();
    }
    let answer = if file.strip_suffix(".svg").is_some() {
        let drawn = pictures.drawn(&seed, &file).await.map_err(refusal);
        drawn.and_then(|drawn| svg_answer(drawn, accepts_brotli(&headers)))
    } else {
        let painted = pictures.painted(&seed, &file).await.map_err(refusal);
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

fn refusal(why: PictureError) -> ApiError {
    match why {
        PictureError::Unknown => ApiError::not_found(say("refusal.no_picture")),
        PictureError::Busy => ApiError::busy(),
        PictureError::Broken(cause) => ApiError::broken(cause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_name_the_edition_of_the_drawings() {
        assert_eq!(ETAG.trim_matches('"'), pictures::EDITION);
    }
}
