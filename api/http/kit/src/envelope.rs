//! The envelope of every answer (X4).

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use eventlog::{Position, Revision};
use serde::Serialize;
use utoipa::ToSchema;

/// Header that carries the log position of an answer to a command; sent back, the next read waits for it (X9).
pub static POSITION: HeaderName = HeaderName::from_static("x-latchkey-position");

/// `{"message":"success","data":…}`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Success<T> {
    #[schema(inline, example = "success")]
    message: &'static str,
    pub data: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Version that a change of it names in If-Match (D82).
    #[serde(skip)]
    pub version: Option<Revision>,
}

impl<T> Success<T> {
    pub fn new(answer: T) -> Self {
        Self {
            message: "success",
            data: answer,
            position: None,
            version: None,
        }
    }

    /// The same, with its version as the ETag.
    #[must_use]
    pub fn versioned(self, version: Revision) -> Self {
        Self {
            version: Some(version),
            ..self
        }
    }

    /// The answer to a command: carries where in the log it ended.
    pub fn at(answer: T, position: Position) -> Self {
        Self {
            position: Some(position),
            ..Self::new(answer)
        }
    }

    /// The same, as 201.
    pub fn created(self) -> (StatusCode, Self) {
        (StatusCode::CREATED, self)
    }
}

impl<T: Serialize> IntoResponse for Success<T> {
    fn into_response(self) -> Response {
        let (position, version) = (self.position, self.version);
        let mut response = Json(self).into_response();
        let tag = version.and_then(|version| HeaderValue::from_str(&format!("\"{version}\"")).ok());
        if let Some(tag) = tag {
            response.headers_mut().insert(header::ETAG, tag);
        }
        if let Some(position) = position {
            response
                .headers_mut()
                .insert(POSITION.clone(), HeaderValue::from(position));
        }
        response
    }
}

/// `{"meta":…,"result":[…]}`.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    pub meta: Meta,
    pub result: Vec<T>,
}

/// Where a page stands in its list. Pages count from 1.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ListMeta)]
pub struct Meta {
    pub prev: Option<u64>,
    pub next: Option<u64>,
    pub count: u64,
    pub limit: u64,
    pub pages: u64,
    pub current_page: u64,
}

impl Meta {
    pub fn new(count: u64, limit: u64, current_page: u64) -> Self {
        let pages = count.div_ceil(limit.max(1));
        Self {
            prev: (current_page > 1).then(|| (current_page - 1).min(pages.max(1))),
            next: (current_page < pages).then(|| current_page + 1),
            count,
            limit,
            pages,
            current_page,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_page_has_no_next() {
        let meta = Meta::new(21, 10, 3);
        assert_eq!((meta.pages, meta.prev, meta.next), (3, Some(2), None));
    }

    #[test]
    fn a_page_far_beyond_the_end_leads_back_to_the_last_one() {
        let meta = Meta::new(21, 10, u64::MAX);
        assert_eq!((meta.prev, meta.next), (Some(3), None));
    }

    #[test]
    fn an_empty_list_has_no_pages_and_no_neighbours() {
        let meta = Meta::new(0, 10, 1);
        assert_eq!((meta.pages, meta.prev, meta.next), (0, None, None));
    }
}
