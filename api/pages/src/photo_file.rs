//! One size of a photo, which never changes under its address: browsers keep it for good, caches between for a minute, so that a photo that
//! is taken down is gone from them too.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::photo::ContentHash;
use http_kit::error::ApiError;
use http_kit::said::say;
use photos::store::PhotoStore;
use projections::photo::is_shown;
use records::Records;

const CACHED: &str = "public, max-age=31536000, s-maxage=60, immutable";
/// Letters of the longest name: `1080x720.webp`.
const NAME_MAX: usize = 16;

/// Answers with `720.webp` of a photo, or 404 where it is not shown or has no such size.
pub(crate) async fn answer_photo(
    records: &Records,
    photos: &PhotoStore,
    content: ContentHash,
    file: &str,
    headers: &HeaderMap,
) -> Response {
    let Some(media_type) = find_media_type(file) else {
        return refuse();
    };
    match is_shown(records.read.readers(), content).await {
        Ok(true) => {}
        Ok(false) => return refuse(),
        Err(error) => return ApiError::broken(error).into_response(),
    }
    let tag = format!("\"{content}\"");
    let is_known = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == tag.as_str());
    let mut answer = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match photos.get_size(content, file).await {
            Ok(Some(bytes)) => bytes.into_response(),
            Ok(None) => return refuse(),
            Err(error) => return ApiError::broken(error).into_response(),
        }
    };
    let told = answer.headers_mut();
    told.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    told.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHED));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        told.insert(header::ETAG, tag);
    }
    answer
}

fn refuse() -> Response {
    ApiError::not_found(say("refusal.no_picture")).into_response()
}

/// The media type of a file whose name is a size: nothing else is looked for in the store.
fn find_media_type(file: &str) -> Option<&'static str> {
    let (size, ending) = file.split_once('.')?;
    let is_size = |letter: u8| letter.is_ascii_digit() || letter == b'x';
    if file.len() > NAME_MAX || size.is_empty() || !size.bytes().all(is_size) {
        return None;
    }
    match ending {
        "webp" => Some("image/webp"),
        "jpg" => Some("image/jpeg"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_alone_are_files() {
        assert_eq!(find_media_type("720.webp"), Some("image/webp"));
        assert_eq!(find_media_type("1080x720.jpg"), Some("image/jpeg"));
        for wrong in [
            "720",
            "720.png",
            ".jpg",
            "../720.jpg",
            "720.jpg.jpg",
            "a.jpg",
            "1111111111111111111.jpg",
        ] {
            assert_eq!(find_media_type(wrong), None, "{wrong}");
        }
    }
}
