//! Reads an error of Stripe as its meaning for a call: send it again, give up, or say that the key was used for another request. Its words
//! are bounded here, before anything writes them down.

use gateway::GatewayError;
use platform::provider_words::bound_provider_words;
use stripe::{ApiErrors, ApiErrorsType, StripeError};

/// Why a call came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Whether it was carried out is unknown, or it certainly was not: the same call under the same key is safe.
    Again(String),
    /// Stripe does not accept the secret key. The call waits until the operator has put that right.
    NoAccess(String),
    /// A restricted key lacks the permission. The call waits as well.
    NotPermitted(String),
    /// Stripe has decided.
    Final(GatewayError),
}

/// Another call under the same key is still under way, or holds the same object.
const UNDER_WAY: [&str; 2] = ["idempotency_key_in_use", "lock_timeout"];

impl From<&StripeError> for Failure {
    fn from(error: &StripeError) -> Self {
        match error {
            StripeError::Stripe(error, status) => by_status(error, *status),
            // A page of a proxy, an answer that was cut, no answer at all.
            StripeError::JSONDeserialize(_) | StripeError::ClientError(_) | StripeError::Timeout => {
                Self::Again(bound_provider_words(&error.to_string()))
            }
            StripeError::ConfigError(why) => Self::NoAccess(bound_provider_words(why)),
        }
    }
}

fn by_status(error: &ApiErrors, status: u16) -> Failure {
    let code = error.code.as_ref().map_or("", stripe::ApiErrorsCode::as_str);
    let said = bound_provider_words(error.message.as_deref().unwrap_or(code));
    match status {
        401 => Failure::NoAccess(said),
        403 => Failure::NotPermitted(said),
        408 | 424 | 429 | 500.. => Failure::Again(format!("{status} {said}")),
        409 if UNDER_WAY.contains(&code) => Failure::Again(format!("{status} {code}")),
        409 => Failure::Final(GatewayError::KeyReused),
        _ if error.type_ == ApiErrorsType::IdempotencyError => Failure::Final(GatewayError::KeyReused),
        // What the card's bank says; Stripe's own code where the bank was not asked.
        402 => Failure::Final(GatewayError::Refused(bound_provider_words(
            error.decline_code.as_deref().unwrap_or(code),
        ))),
        _ => Failure::Final(GatewayError::Refused(said)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Stripe's client reads it from an answer.
    fn failure(status: u16, error: &str) -> Failure {
        let error: stripe::ApiErrors = miniserde::json::from_str(error).unwrap();
        Failure::from(&StripeError::Stripe(Box::new(error), status))
    }

    fn refused(why: &str) -> Failure {
        Failure::Final(GatewayError::Refused(why.to_owned()))
    }

    #[test]
    fn declines_are_refused_with_the_code_of_the_bank() {
        let by_bank = r#"{"type":"card_error","code":"card_declined","decline_code":"insufficient_funds","message":"No."}"#;
        assert_eq!(failure(402, by_bank), refused("insufficient_funds"));
        let by_stripe = r#"{"type":"card_error","code":"incorrect_number","message":"No."}"#;
        assert_eq!(failure(402, by_stripe), refused("incorrect_number"));
        let gone = r#"{"type":"invalid_request_error","code":"resource_missing","message":"No such refund"}"#;
        assert_eq!(failure(404, gone), refused("No such refund"));
    }

    /// Stripe repeats what it was sent, and what a payer typed.
    #[test]
    fn words_of_stripe_name_no_person() {
        let typed = r#"{"type":"invalid_request_error","message":"Invalid email: mei@example.com,\nphone +44 7700 900123"}"#;
        assert_eq!(failure(400, typed), refused("Invalid email: … phone …"));
        assert_eq!(
            failure(503, typed),
            Failure::Again("503 Invalid email: … phone …".to_owned())
        );
    }

    #[test]
    fn reused_keys_are_told_from_calls_under_way() {
        let reused = r#"{"type":"idempotency_error","message":"Keys for idempotent requests …"}"#;
        for status in [400, 409] {
            assert_eq!(failure(status, reused), Failure::Final(GatewayError::KeyReused));
        }
        let under_way = r#"{"type":"invalid_request_error","code":"idempotency_key_in_use"}"#;
        assert!(matches!(failure(409, under_way), Failure::Again(_)));
    }

    #[test]
    fn outages_and_refused_keys_are_no_refusals_of_the_call() {
        let broken = r#"{"type":"api_error","message":"Sorry."}"#;
        for status in [429, 500, 502, 503, 504] {
            assert!(matches!(failure(status, broken), Failure::Again(_)), "{status}");
        }
        assert!(matches!(Failure::from(&StripeError::Timeout), Failure::Again(_)));
        let unreadable = StripeError::JSONDeserialize("a page of a proxy".to_owned());
        assert!(matches!(Failure::from(&unreadable), Failure::Again(_)));
        let no_key = r#"{"type":"invalid_request_error","message":"Invalid API Key provided"}"#;
        assert!(matches!(failure(401, no_key), Failure::NoAccess(_)));
        assert!(matches!(failure(403, no_key), Failure::NotPermitted(_)));
    }
}
