//! Collects the tokens that a lead is found by: of its person and of words that a person typed, which go with the person, and of names
//! of homes, ids and references of payments, which stay.

use std::collections::BTreeSet;

use chrono::{Datelike as _, Months, NaiveDate};
use domain::id::{BookingFormId, PaymentId};
use domain::lead::{LeadPersonal, Submission};
use domain::payment::{Captured, PaymentEvent};
use eventlog::HandleHasher;
use sqlx::AnyConnection;
use uuid::Uuid;

use super::rows::LeadRow;
use super::words::{Tokens, plain_token, token};
use super::{form_uuid, personal_token};
use crate::payment_audit;

/// Shortest beginning of a word that is searched for: desks type first names and an initial.
const PREFIX_MIN: usize = 1;
/// Longer beginnings are found by their first letters.
pub(super) const PREFIX_MAX: usize = 12;

/// A lead that was taken from an account has another link, and its former one is known as such; one whose words are gone keeps what it
/// is found by.
pub(super) async fn take_link(
    hasher: &HandleHasher,
    connection: &mut AnyConnection,
    (row, personal): (&mut LeadRow, Option<&LeadPersonal>),
) -> Result<(), sqlx::Error> {
    let Some(personal) = personal else { return Ok(()) };
    let link = super::lead_uuid_hash(hasher, personal.lead_uuid);
    if link == row.lead_uuid_hash {
        return Ok(());
    }
    let former = std::mem::replace(&mut row.lead_uuid_hash, link);
    sqlx::query(
        "insert into lead_former_link (lead_uuid_hash, lead_id) values ($1, $2)
         on conflict (lead_uuid_hash) do nothing",
    )
    .bind(former)
    .bind(&row.lead_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// The person's masked values to show, and the hashes of name, e-mail, phone and of the partner's adviser.
pub(super) fn name_person(hasher: &HandleHasher, row: &mut LeadRow, personal: Option<&LeadPersonal>) {
    let Some(personal) = personal else { return };
    let (email, phone) = (personal.email.canonical(), personal.phone.e164());
    row.name_masked = personal.name.masked();
    row.email_masked = personal.email.masked();
    row.phone_masked = personal.phone.masked();
    row.email_hash = Some(personal_token(hasher, "email", &email));
    row.phone_hash = Some(personal_token(hasher, "phone", phone));
    let tokens = &mut row.tokens.personal;
    for word in personal.name.words() {
        tokens.extend(beginnings(&word).map(|part| token(hasher, "name", &part)));
    }
    let local = email.split('@').next().unwrap_or_default().to_owned();
    tokens.extend([&email, &local].map(|part| token(hasher, "email", part)));
    tokens.extend(phone_spellings(personal).map(|part| token(hasher, "phone", &part)));
    let adviser = personal.idp_form_data.iter().flat_map(|adviser| {
        [
            &adviser.councellor_name,
            &adviser.councellor_email,
            &adviser.councellor_office,
            &adviser.councellor_country,
        ]
    });
    for text in adviser.flatten() {
        let words = words_of(text);
        tokens.extend(words.iter().map(|word| token(hasher, "partner", word)));
    }
}

/// Words of the enquiry: where it came from, the partner, and the place that it names. The log seals them, so they are hashed here.
pub(super) fn take_words(hasher: &HandleHasher, row: &mut LeadRow, submission: &Submission) {
    let mut add = |kind: &str, text: Option<&str>| {
        let words = words_of(text.unwrap_or_default());
        let tokens = &mut row.tokens.personal;
        tokens.extend(words.iter().map(|word| token(hasher, kind, word)));
    };
    add("source", submission.source.label());
    add("partner", submission.lead_source.as_deref());
    add("partner", submission.referral_code.as_deref());
    add("place", submission.location_place_name.as_deref());
}

/// The lead's id, its reference, and the beginnings of the words of its place.
pub(super) fn tokens_of_lead(hasher: &HandleHasher, names: [&str; 2], place: &str) -> Tokens {
    let mut words = words_of(place);
    words.extend(names.map(str::to_lowercase));
    Tokens {
        plain: words.iter().map(|word| plain_token(hasher, word)).collect(),
        ..Tokens::default()
    }
}

/// The form's id, and its name in addresses.
pub(super) fn take_form(hasher: &HandleHasher, row: &mut LeadRow, form_id: BookingFormId) {
    row.form_id = Some(form_id.to_string());
    let names = [form_id.to_string(), form_uuid(hasher, form_id).to_string()];
    let tokens = names.map(|name| plain_token(hasher, &name));
    row.tokens.plain.extend(tokens);
}

/// Ids of a payment and of what the gateway calls its charge, its intent, its refunds and its disputes.
pub(super) fn take_payment(hasher: &HandleHasher, row: &mut LeadRow, payment_id: Uuid, event: &PaymentEvent) {
    use PaymentEvent as E;
    let mut add = |id: &str| {
        let token = plain_token(hasher, &id.to_lowercase());
        row.tokens.plain.insert(token)
    };
    match event {
        E::PaymentOpened { terms, .. } => {
            add(&payment_id.to_string());
            add(&payment_audit::reference(PaymentId(payment_id)));
            add(&terms.token_digest);
        }
        E::IntentReady { intent_id, .. } => {
            add(intent_id);
        }
        E::PaymentSucceeded { capture, .. }
        | E::PaymentCapturedWithoutRoom { capture, .. }
        | E::PaymentCapturedAgain { capture, .. } => {
            let Captured {
                charge_id, intent_id, ..
            } = capture;
            add(charge_id);
            add(intent_id);
        }
        E::RefundSent {
            gateway_refund_id, ..
        }
        | E::RefundAcknowledged {
            gateway_refund_id, ..
        } => {
            add(gateway_refund_id);
        }
        E::DisputeOpened { dispute_id, .. } => {
            add(dispute_id);
        }
        _ => {}
    }
}

/// The days on which the person may move in: a day, a month, or a quarter of the next year that has one.
pub(super) fn take_move_in(row: &mut LeadRow, said: Option<&str>) {
    let year: Option<i32> = row.created_at.get(..4).and_then(|year| year.parse().ok());
    let created = row.created_at.get(..10).and_then(|day| day.parse().ok());
    let span = said.and_then(|said| move_in_span(said, created, year?));
    row.move_in_from = span.map(|(from, _)| from.to_string());
    row.move_in_to = span.map(|(_, to)| to.to_string());
}

fn move_in_span(said: &str, created: Option<NaiveDate>, year: i32) -> Option<(NaiveDate, NaiveDate)> {
    if let Ok(day) = said.parse::<NaiveDate>() {
        return Some((day, day));
    }
    let month = match said {
        "january_to_march" => 1,
        "april_to_june" => 4,
        "july_to_september" => 7,
        "october_to_december" => 10,
        month => {
            let first = format!("{month}-01").parse::<NaiveDate>().ok()?;
            return Some((first, last_day(first, 1)?));
        }
    };
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    // A quarter that was over when the enquiry came is that of the year after.
    let first = if created.is_some_and(|day| last_day(first, 3).is_some_and(|last| last < day)) {
        first.with_year(year + 1)?
    } else {
        first
    };
    Some((first, last_day(first, 3)?))
}

fn last_day(first: NaiveDate, months: u32) -> Option<NaiveDate> {
    first.checked_add_months(Months::new(months))?.pred_opt()
}

/// The beginnings of every word of a text.
fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words
        .flat_map(|word| beginnings(&word).collect::<Vec<_>>())
        .collect()
}

/// `me`, `mei`: the beginnings of a word by which it is found; one letter of a script with many letters is enough.
fn beginnings(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    let shortest = if letters.first().is_some_and(|letter| !letter.is_ascii()) {
        1
    } else {
        PREFIX_MIN
    };
    let longest = letters.len().min(PREFIX_MAX);
    (shortest.min(longest)..=longest)
        .filter(|&length| length > 0)
        .map(move |length| letters.iter().take(length).collect())
}

/// Whole, without the country code, and the last digits people read out.
fn phone_spellings(personal: &LeadPersonal) -> impl Iterator<Item = String> {
    let digits = personal.phone.e164().trim_start_matches('+').to_owned();
    let national = personal.phone.national().to_owned();
    let tail = |length: usize| {
        national
            .get(national.len().saturating_sub(length)..)
            .unwrap_or_default()
            .to_owned()
    };
    [tail(4), tail(6), digits, format!("0{national}"), national.clone()].into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_in_span_reads_days_months_and_quarters() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let span = |said| move_in_span(said, Some(day("2026-11-26")), 2026);
        assert_eq!(span("2027-09-04"), Some((day("2027-09-04"), day("2027-09-04"))));
        assert_eq!(span("2027-02"), Some((day("2027-02-01"), day("2027-02-28"))));
        assert_eq!(
            span("july_to_september"),
            Some((day("2027-07-01"), day("2027-09-30")))
        );
        assert_eq!(
            span("october_to_december"),
            Some((day("2026-10-01"), day("2026-12-31")))
        );
        assert_eq!(span("soon"), None);
    }
}
