//! Every read of staff as it was at an earlier moment (row N1): the same handlers over the records of that time.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::moment::Moment;
use eventlog::Position;
use http_kit::caller::Caller;
use http_kit::error::{ApiError, ApiResult, FieldError};
use http_kit::said::{Said, say};
use platform::clock;
use platform::sites::Site;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::app::App;

/// Names the moment in a query.
pub const PARAMETER: &str = "as_of";
/// Where staff read.
const STAFF: &str = "/api/v0/workspace/";

/// What answers for the past.
#[derive(Clone)]
pub struct AsOf {
    routes: Router<workspace::Services>,
    app: App,
}

impl AsOf {
    pub const fn new(routes: Router<workspace::Services>, app: App) -> Self {
        Self { routes, app }
    }

    /// The same services over the records of that time, and its moment.
    async fn at(&self, asked: &str) -> ApiResult<(App, Moment)> {
        let past = &self.app.past;
        let (position, moment) = if let Ok(position) = asked.parse::<Position>() {
            (position, None)
        } else {
            let moment = instant(asked)?;
            (past.position_at(moment).await?, Some(moment))
        };
        if position > self.app.records.log.head().await? || moment.is_some_and(|moment| moment > clock::now())
        {
            return Err(refused("in_the_future", say("refusal.as_of_to_come")));
        }
        let (view, moment) = past.view(position, moment).await?;
        Ok((self.app.reading(view.records.clone()), moment))
    }
}

/// Whether an address of the document takes a moment: what staff read, but for streams of what happens now.
pub fn reads_the_past(path: &str, operation: &Value) -> bool {
    let streams = &operation["responses"]["200"]["content"]["text/event-stream"];
    path.starts_with(STAFF) && streams.is_null()
}

/// Answers a read that names a moment from the records of that time. Who may read is judged by today's roles, before this.
pub async fn answer(State(views): State<AsOf>, request: Request, next: Next) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads || !request.uri().path().starts_with(STAFF) {
        return next.run(request).await;
    }
    let (asked, uri) = match taken_out(request.uri()) {
        Ok(Some(found)) => found,
        Ok(None) => return next.run(request).await,
        Err(error) => return error.into_response(),
    };
    match views.at(&asked).await {
        Ok((app, moment)) => {
            let past = workspace::Services::gather(&app);
            let answering = views.routes.with_state(past).oneshot(anew(request, uri));
            clock::shown_at(moment, answering).await.into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// The same request for another address: what the routes found in the first one would stand beside what they find in this.
fn anew(request: Request, uri: Uri) -> Request {
    let (mut parts, body) = request.into_parts();
    let (caller, peer, site) = (
        parts.extensions.remove::<Caller>(),
        parts.extensions.remove::<ConnectInfo<SocketAddr>>(),
        parts.extensions.remove::<Arc<Site>>(),
    );
    parts.extensions.clear();
    site.map(|site| parts.extensions.insert(site));
    caller.map(|caller| parts.extensions.insert(caller));
    peer.map(|peer| parts.extensions.insert(peer));
    parts.uri = uri;
    Request::from_parts(parts, body)
}

/// The moment that an address names, and the address without it.
fn taken_out(uri: &Uri) -> ApiResult<Option<(String, Uri)>> {
    let Ok(Query(given)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return Ok(None);
    };
    let mut asked = given.iter().filter(|(name, _)| name == PARAMETER);
    let Some((_, moment)) = asked.next() else {
        return Ok(None);
    };
    if asked.next().is_some() {
        return Err(refused("invalid", say("refusal.as_of")));
    }
    let rest = uri.query().unwrap_or_default().split('&');
    let rest: Vec<&str> = rest
        .filter(|part| part.split('=').next() != Some(PARAMETER))
        .collect();
    let address = format!("{}?{}", uri.path(), rest.join("&"));
    let address: PathAndQuery = address.parse().map_err(ApiError::broken)?;
    Ok(Some((moment.trim().to_owned(), Uri::from(address))))
}

/// A moment with its offset from UTC.
fn instant(text: &str) -> ApiResult<Moment> {
    text.parse().map_err(|_| refused("invalid", say("refusal.as_of")))
}

fn refused(code: &'static str, message: Said) -> ApiError {
    let errors = vec![FieldError::new(PARAMETER, code, message.clone())];
    let mut error = ApiError::new(StatusCode::BAD_REQUEST, code, message);
    error.errors = errors;
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moment_leaves_the_address() {
        let uri: Uri = "/api/v0/workspace/leads?q=a%26b&as_of=12&p=2".parse().unwrap();
        let (asked, rest) = taken_out(&uri).unwrap().unwrap();
        assert_eq!(asked, "12");
        assert_eq!(rest, "/api/v0/workspace/leads?q=a%26b&p=2");
        let plain: Uri = "/api/v0/workspace/leads?q=as_of".parse().unwrap();
        assert!(taken_out(&plain).unwrap().is_none());
        let twice: Uri = "/api/v0/workspace/leads?as_of=1&as_of=2".parse().unwrap();
        assert!(taken_out(&twice).is_err());
    }
}
