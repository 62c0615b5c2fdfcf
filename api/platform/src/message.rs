//! One form of message, as in the browser (`web/src/i18n/message.ts`): `{x}`, and `{n, plural, =0 {…} one {…} other {…}}` with `#` for the
//! number inside a form (decision 0041). Both sides run the cases of `i18n/messages.cases.json`.

use domain::language::Language;

use crate::forms::forms_of;

/// Fills a message. A value is never read as a part of it, and a placeholder without a value stays.
pub fn fill(message: &str, values: &[(&str, &str)], lang: Language) -> String {
    let mut filled = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, from)) = rest.split_once('{') {
        filled.push_str(before);
        let part =
            split_braced(from).and_then(|(inside, after)| Some((fill_part(inside, values, lang)?, after)));
        if let Some((text, after)) = part {
            filled.push_str(&text);
            rest = after;
        } else {
            filled.push('{');
            rest = from;
        }
    }
    filled.push_str(rest);
    filled
}

/// A part between two braces: a placeholder with a value, or a plural.
fn fill_part(inside: &str, values: &[(&str, &str)], lang: Language) -> Option<String> {
    let find_value = |wanted: &str| values.iter().find(|(name, _)| *name == wanted);
    let Some((name, forms)) = inside.split_once(", plural, ") else {
        return find_value(inside).map(|(_, value)| (*value).to_owned());
    };
    let count = find_value(name).map_or("0", |(_, count)| *count);
    let form = choose_form(&read_forms(forms)?, count, lang)?;
    let pieces: Vec<String> = form.split('#').map(|piece| fill(piece, values, lang)).collect();
    Some(pieces.join(count))
}

/// The form that a count takes: its own, then the one that the language's table says.
fn choose_form<'m>(forms: &[(&str, &'m str)], count: &str, lang: Language) -> Option<&'m str> {
    let find_form = |wanted: &str| forms.iter().find(|(form, _)| *form == wanted);
    let exact = find_form(&format!("={count}"));
    let one = forms_of(lang).is_one(count).then(|| find_form("one")).flatten();
    let chosen = exact.or(one).or_else(|| find_form("other"));
    chosen.map(|(_, said)| *said)
}

/// The forms of a plural with their texts, which may hold placeholders.
fn read_forms(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut forms = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (form, from) = rest.split_once(" {")?;
        let (said, after) = split_braced(from)?;
        forms.push((form, said));
        rest = after.trim_start();
    }
    Some(forms)
}

/// Splits at the brace that closes the one opened before `text`, and what follows it.
fn split_braced(text: &str) -> Option<(&str, &str)> {
    let mut open = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// GLOSSARY.md §4; the browser's tests read the same cases.
    #[test]
    fn messages_are_filled_as_in_the_browser() {
        let cases: Vec<Value> =
            serde_json::from_str(include_str!("../../../i18n/messages.cases.json")).unwrap();
        assert!(cases.len() > 10, "{} cases", cases.len());
        for case in &cases {
            let lang = Language::from_code(case["lang"].as_str().unwrap()).unwrap();
            let params = case["params"].as_object().unwrap();
            let values: Vec<(&str, &str)> = params
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
                .collect();
            let filled = fill(case["message"].as_str().unwrap(), &values, lang);
            assert_eq!(Some(filled.as_str()), case["text"].as_str(), "{case}");
        }
    }

    #[test]
    fn a_message_that_is_not_closed_stays_as_it_is() {
        for broken in ["{n, plural, one", "{n", "100 {", "{n, plural, one {# day}"] {
            assert_eq!(fill(broken, &[("n", "1")], Language::default()), broken);
        }
    }
}
