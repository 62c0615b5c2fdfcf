//! Reads a JSON body field by field: what has the wrong kind is named by its path, `user/email`, and told in the reader's
//! language which kind is expected (L12); a list is never taken for an object.

use std::fmt::Display;

use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use bytes::Bytes;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

use crate::error::ApiError;
use crate::said::{Said, say};

/// A JSON body; what cannot be read is answered with 400 or 422, naming the place.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let is_json = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(is_json);
        if !is_json {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                say("refusal.unsupported_media_type"),
            ));
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| unread(&rejection))?;
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|_| ApiError::malformed(say("refusal.not_json")))?;
        read(value).map(Self)
    }
}

/// `application/json`, with or without a charset, and the media types that end in `+json`.
fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
        || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// How a body that did not come whole is answered: 413 when it is too large, else 400.
pub fn unread(rejection: &BytesRejection) -> ApiError {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let code = "too_large";
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, code, Said::of_code(code));
    }
    ApiError::malformed(say("refusal.unreadable"))
}

/// # Errors
/// 422 naming the field and the kind it takes.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    T::deserialize(Strict(value)).map_err(|fault| {
        let field = match fault.path.join("/") {
            path if path.is_empty() => "body".to_owned(),
            path => path,
        };
        let said = fault.said.with("field", &field);
        ApiError::invalid_field(field, fault.code, said)
    })
}

/// A value that is read with no indulgence for its kind.
struct Strict(Value);

/// Why a value cannot be read, and where.
#[derive(Debug)]
struct Fault {
    path: Vec<String>,
    code: &'static str,
    said: Said,
}

impl Fault {
    fn new(code: &'static str, said: Said) -> Self {
        let path = Vec::new();
        Self { path, code, said }
    }

    fn of_kind(expected: &str) -> Self {
        Self::new("wrong_type", kind(expected))
    }

    fn below(mut self, name: &str) -> Self {
        // A name that a client made up is said back only in part.
        self.path.insert(0, name.chars().take(40).collect());
        self
    }
}

/// Serde tells what it expects in the words of programmers.
fn kind(expected: &str) -> Said {
    let words = expected.trim_start_matches("a ").trim_start_matches("an ");
    let is_any_of = |kinds: &[&str]| kinds.iter().any(|kind| words.starts_with(kind));
    if is_any_of(&["struct", "map", "object"]) {
        say("refusal.must_be_object")
    } else if is_any_of(&["sequence", "tuple", "array"]) {
        say("refusal.must_be_list")
    } else if is_any_of(&["u8", "u16", "u32", "u64", "usize", "nonzero"]) {
        say("refusal.must_be_count")
    } else if is_any_of(&["i8", "i16", "i32", "i64", "integer"]) {
        say("refusal.must_be_whole_number")
    } else if is_any_of(&["f32", "f64", "number"]) {
        say("refusal.must_be_number")
    } else if is_any_of(&["boolean"]) {
        say("refusal.must_be_yes_or_no")
    } else if is_any_of(&["string", "borrowed string", "str", "UUID", "variant", "enum"]) {
        say("refusal.must_be_text")
    } else {
        say("refusal.must_be_other")
    }
}

impl std::error::Error for Fault {}

impl Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.said.written())
    }
}

impl de::Error for Fault {
    fn custom<T: Display>(_: T) -> Self {
        Self::of_kind("")
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of_kind(&expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of_kind(&expected.to_string())
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let choices = expected.join(", ");
        let said = say("refusal.must_be_one_of").with("choices", choices);
        Self::new("unknown_value", said.with("value", variant))
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self::new("unknown_field", say("refusal.field_unknown")).below(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("required", say("refusal.field_missing")).below(field)
    }
}

/// Text without U+0000, which PostgreSQL's texts cannot hold: what went into the log with it could be in no read model.
fn kept(text: String) -> Result<String, Fault> {
    if text.contains('\0') {
        return Err(Fault::new("sign_not_kept", say("refusal.sign_not_kept")));
    }
    Ok(text)
}

impl<'de> de::Deserializer<'de> for Strict {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(flag),
            Value::String(text) => visitor.visit_string(kept(text)?),
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(Strict))),
            Value::Object(fields) => visitor.visit_map(Fields {
                fields: fields.into_iter(),
                next: None,
            }),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(whole), _, _) => visitor.visit_u64(whole),
                (None, Some(whole), _) => visitor.visit_i64(whole),
                (None, None, Some(part)) => visitor.visit_f64(part),
                (None, None, None) => Err(Fault::of_kind("number")),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Object(_) => self.deserialize_any(visitor),
            _ => Err(Fault::of_kind("object")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(word) => {
                let word: StrDeserializer<'_, Fault> = word.as_str().into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(Fault::of_kind("string")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier
    }
}

impl IntoDeserializer<'_, Fault> for Strict {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The fields of an object; a fault below one is told with its name.
struct Fields {
    fields: serde_json::map::IntoIter,
    next: Option<(String, Value)>,
}

impl<'de> de::MapAccess<'de> for Fields {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((name, value)) = self.fields.next() else {
            return Ok(None);
        };
        let (name, _) = self.next.insert((kept(name)?, value));
        let name: StrDeserializer<'_, Fault> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (name, value) = self.next.take().unwrap_or_default();
        seed.deserialize(Strict(value))
            .map_err(|fault| fault.below(&name))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Order {
        #[expect(dead_code, reason = "only whether it can be read is asked")]
        user: User,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only whether it can be read is asked")]
    struct User {
        email: Option<String>,
        #[serde(default)]
        rooms: Vec<u32>,
    }

    fn refused(body: Value) -> (String, &'static str) {
        let error = read::<Order>(body).unwrap_err();
        let first = error.errors.first().cloned().unwrap();
        (first.field, first.code)
    }

    #[test]
    fn the_field_is_named_by_its_path() {
        assert_eq!(
            refused(json!({ "user": { "email": 5 } })),
            ("user/email".to_owned(), "wrong_type")
        );
        assert_eq!(
            refused(json!({ "user": null })),
            ("user".to_owned(), "wrong_type")
        );
        assert_eq!(
            refused(json!({ "user": { "rooms": [-1] } })),
            ("user/rooms".to_owned(), "wrong_type")
        );
        assert_eq!(
            refused(json!({ "user": { "email": "mei\0@example.com" } })),
            ("user/email".to_owned(), "sign_not_kept")
        );
        assert_eq!(
            refused(json!({ "user": { "\0": 1 } })),
            ("user".to_owned(), "sign_not_kept")
        );
        assert_eq!(refused(json!({})), ("user".to_owned(), "required"));
        assert_eq!(refused(json!(7)), ("body".to_owned(), "wrong_type"));
    }

    #[test]
    fn a_list_is_no_object() {
        assert_eq!(
            refused(json!({ "user": ["a@example.com", []] })),
            ("user".to_owned(), "wrong_type")
        );
        assert_eq!(refused(json!([{}])), ("body".to_owned(), "wrong_type"));
    }
}
