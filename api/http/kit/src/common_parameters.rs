//! Query parameters that every address takes (Spec §7, D76, D130): what the site's applications add to all of their requests.

use std::borrow::Cow;

/// `lang` is the reader's language, which [`RequestContext`](crate::request::RequestContext) reads. `user_auth_token` logs in where
/// the variant takes it from the address ([`caller::tokens`](crate::caller::tokens)). The others change no answer: the API's answers
/// are never cached, so `cache=false` holds for all of them.
const COMMON: [&str; 5] = [
    "lang",
    "is_whitelabel",
    "user_flow_token",
    "user_auth_token",
    "cache",
];

/// Whether every address takes a parameter of this name, as it reads once decoded.
pub fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// A query without the common parameters: what an address reads itself.
pub fn without_common(query: &str) -> String {
    let own = query.split('&').filter(|pair| !is_common(&decoded_name(pair)));
    own.collect::<Vec<_>>().join("&")
}

fn decoded_name(pair: &str) -> Cow<'_, str> {
    let name = pair.split_once('=').map_or(pair, |(name, _)| name);
    percent_encoding::percent_decode_str(name).decode_utf8_lossy()
}

/// A value that begins with a plus sign, such as a phone number: unencoded, the sign arrives as a space.
pub fn with_leading_plus(value: &str) -> Cow<'_, str> {
    match value.strip_prefix(' ') {
        Some(rest) => Cow::Owned(format!("+{}", rest.trim_start())),
        None => Cow::Borrowed(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_parameters_are_left_out_however_they_are_spelt() {
        let query = "lang=en&p=2&cache=false&user%5Fauth_token=a=b&is_whitelabel&only=name&user_flow_token=";
        assert_eq!(without_common(query), "p=2&only=name");
        assert_eq!(without_common("language=en&caches=1"), "language=en&caches=1");
        assert_eq!(without_common(""), "");
    }

    #[test]
    fn unencoded_plus_is_put_back_before_a_number() {
        for (given, read) in [(" 91", "+91"), ("+91", "+91"), ("91", "91"), ("", "")] {
            assert_eq!(with_leading_plus(given), read);
        }
    }
}
