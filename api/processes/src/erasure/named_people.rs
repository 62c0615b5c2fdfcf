//! People that forms and payments name: guarantor, emergency contact, payer. A bank's statement may name them, so its lines are
//! sought by them too. Their own messages and codes stay: nothing here becomes a [`domain::user::Reach`].

use domain::booking_form::definition::FULL_NAME;
use domain::booking_form::{Answer, Answers};
use domain::contact::named_in::KnownPerson;
use domain::contact::{Email, Phone};
use domain::payment::event::Secret;
use serde_json::Value;

/// Parts of a notice of the provider that describe who paid.
const PAYER_PARTS: [&str; 3] = ["billing_details", "customer_details", "shipping"];
/// A notice's address of who gets the provider's receipt.
const RECEIPT_EMAIL: &str = "receipt_email";

/// Adds whom the answers of one section name; `None` once their key is gone.
pub(super) fn add_answers(person: &mut KnownPerson, answers: Option<&Answers>) {
    for (field, answer) in answers.into_iter().flatten() {
        if let Answer::Text(text) = answer {
            add_text(person, text, field == FULL_NAME);
        }
    }
}

/// Adds who paid by a notice as it came; `None` once its key is gone.
pub(super) fn add_payers(person: &mut KnownPerson, notice: Option<&Secret>) {
    let notice = notice.and_then(|notice| serde_json::from_str::<Value>(&notice.0).ok());
    if let Some(notice) = notice {
        add_payers_in(person, &notice);
    }
}

fn add_payers_in(person: &mut KnownPerson, part: &Value) {
    match part {
        Value::Array(parts) => {
            for part in parts {
                add_payers_in(person, part);
            }
        }
        Value::Object(fields) => {
            for (name, part) in fields {
                match part.as_str() {
                    Some(text) if name == RECEIPT_EMAIL => add_text(person, text, false),
                    _ if PAYER_PARTS.contains(&name.as_str()) => add_payer(person, part),
                    _ => add_payers_in(person, part),
                }
            }
        }
        _ => {}
    }
}

fn add_payer(person: &mut KnownPerson, payer: &Value) {
    for field in ["name", "email", "phone"] {
        if let Some(text) = payer[field].as_str() {
            add_text(person, text, field == "name");
        }
    }
}

/// Adds a text where it is a name, an address or a number. Forms keep what was typed, also what is none of them.
fn add_text(person: &mut KnownPerson, text: &str, is_name: bool) {
    if is_name {
        person.add_full_name(text);
    } else if let Ok(email) = Email::parse(text) {
        person.add_email(email.as_str());
    } else if let Ok(phone) = Phone::parse(text) {
        person.add_phone(phone.e164());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn find_in(notice: &Value) -> KnownPerson {
        let mut person = KnownPerson::default();
        add_payers(&mut person, Some(&Secret(notice.to_string())));
        person
    }

    #[test]
    fn payer_is_read_wherever_a_notice_names_them() {
        let payer =
            json!({ "name": "Ana Sousa", "email": "ana.sousa@mail.example", "phone": "+447700900321" });
        for notice in [
            json!({ "data": { "object": { "billing_details": payer } } }),
            json!({ "data": { "object": { "charges": { "data": [{ "billing_details": payer }] } } } }),
            json!({ "data": { "object": { "customer_details": payer, "shipping": null } } }),
        ] {
            let person = find_in(&notice);
            for line in [
                "SOUSA ANA RENT",
                "from ana.sousa@mail.example",
                "tel 07700 900321",
            ] {
                assert!(person.is_named_in(line), "{notice} {line}");
            }
        }
        assert!(
            find_in(&json!({ "receipt_email": "ana.sousa@mail.example" }))
                .is_named_in("ana.sousa@mail.example")
        );
    }

    #[test]
    fn the_house_and_single_words_are_no_payers() {
        for notice in [
            json!({ "account": { "name": "Leeds Rooms", "email": "help@rooms.example" } }),
            json!({ "billing_details": { "name": "Maria", "email": null, "phone": "000" } }),
            json!("text"),
        ] {
            assert!(find_in(&notice).is_empty(), "{notice}");
        }
        let mut person = KnownPerson::default();
        add_answers(&mut person, None);
        add_payers(&mut person, Some(&Secret("no JSON".to_owned())));
        assert!(person.is_empty());
    }
}
