//! A payment's steps over HTTP, each answered once for each Idempotency-Key (RELIABILITY R8, decision 0008).

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use domain::id::UserId;
use domain::payment::Payment;
use eventlog::{Append, Appended, Context, Position, commit_together, done_before};
use http_kit::caller::Caller;
use http_kit::capability::Reader;
use http_kit::envelope::{POSITION, Success};
use http_kit::error::{ApiError, ApiResult};
use http_kit::request::RequestContext;
use serde::Serialize;
use uuid::Uuid;

use super::{Found, Payments, private, view};

/// One press: which payment, who asks, and under which key.
pub struct Step<'s> {
    payments: &'s Payments,
    request: &'s RequestContext,
    found: &'s Found,
    caller: &'s Caller,
    /// The context of the step's own command.
    pub context: Context,
}

/// The first answer under a key, to the byte.
struct Said {
    position: Position,
    body: Vec<u8>,
}

impl<'s> Step<'s> {
    /// `asked` is what the request says: under a key that was used for something else it is refused.
    pub fn new(
        payments: &'s Payments,
        request: &'s RequestContext,
        found: &'s Found,
        caller: &'s Caller,
        asked: &impl Serialize,
    ) -> Self {
        Self {
            payments,
            request,
            found,
            caller,
            context: request.command(caller.actor(), asked),
        }
    }

    /// What this press was answered before: nothing is done for it again.
    ///
    /// # Errors
    /// 422 where the key stood for something else.
    pub async fn answered(&self) -> ApiResult<Option<Response>> {
        let Some((kept, id, payer)) = self.kept() else {
            return Ok(None);
        };
        match done_before::<ApiError>(&self.payments.records.log, &kept).await? {
            Some(appended) => self.opened(appended, id, payer).await,
            None => Ok(None),
        }
    }

    /// Answers with the payment as it stands now, and keeps that for the key. Of many presses at once one is first; what it says
    /// is what all of them say.
    ///
    /// # Errors
    /// When the log cannot be read or written.
    pub async fn answer(&self) -> ApiResult<Response> {
        let said = self.said().await?;
        let Some((kept, id, payer)) = self.kept() else {
            return Ok(said.response());
        };
        // Whoever was forgotten in this very moment has no key left to seal it with.
        let Some(sealed) = self
            .payments
            .records
            .log
            .seal_file(payer, id, said.to_bytes())
            .await?
        else {
            return Ok(said.response());
        };
        let reply = |append: Append| {
            let sealed = sealed.clone();
            async move { Ok(append.reply(sealed)) }
        };
        let appended = commit_together::<ApiError, _>(&self.payments.records.log, &kept, reply).await?;
        if !appended.repeated {
            return Ok(said.response());
        }
        let first = self.opened(appended, id, payer).await?;
        Ok(first.unwrap_or_else(|| said.response()))
    }

    /// By what the answer is kept, and under whose key it is sealed: it holds the token and the gateway's secret. `None` without an
    /// Idempotency-Key.
    fn kept(&self) -> Option<(Context, Uuid, UserId)> {
        let kept = self.context.step("answer");
        let id = kept.command_id?;
        let payer = self.found.loaded.state.terms.as_ref()?.seal();
        Some((kept, id, payer))
    }

    async fn said(&self) -> ApiResult<Said> {
        let Found {
            payment_id, token, ..
        } = self.found;
        let loaded = self.payments.records.log.load::<Payment>(*payment_id).await?;
        let position = self.payments.records.log.head().await?;
        let reader = Reader {
            caller: self.caller.clone(),
            lead_uuid: None,
        };
        let view = view::of(
            self.payments,
            (self.request.lang, &reader),
            *payment_id,
            token,
            &loaded,
        )
        .await?;
        let body = serde_json::to_vec(&Success::at(view, position)).map_err(ApiError::broken)?;
        Ok(Said { position, body })
    }

    async fn opened(&self, appended: Appended, id: Uuid, payer: UserId) -> ApiResult<Option<Response>> {
        let Some(sealed) = appended.reply else {
            return Ok(None);
        };
        let plain = self.payments.records.log.open_file(payer, id, sealed).await?;
        Ok(plain.as_deref().and_then(Said::from_bytes).map(Said::response))
    }
}

impl Said {
    fn to_bytes(&self) -> Vec<u8> {
        [self.position.to_be_bytes().as_slice(), &self.body].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (position, body) = bytes.split_first_chunk()?;
        Some(Self {
            position: Position::from_be_bytes(*position),
            body: body.to_vec(),
        })
    }

    fn response(self) -> Response {
        let mut response = private(Bytes::from(self.body).into_response());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(POSITION.clone(), HeaderValue::from(self.position));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_comes_back_to_the_byte() {
        let said = Said {
            position: 7,
            body: b"{}".to_vec(),
        };
        let back = Said::from_bytes(&said.to_bytes()).expect("readable");
        assert_eq!((back.position, back.body), (7, b"{}".to_vec()));
        assert!(Said::from_bytes(b"short").is_none());
    }
}
