//! Texts of the message catalogues that the server itself says: validation sentences and messages to people.

use std::collections::HashMap;
use std::sync::LazyLock;

use domain::contact::FaultCode;
use domain::language::Language;

use crate::carried::find_carried;
use crate::forms::forms_of;

type Catalogue = HashMap<String, String>;

/// Texts by language, in the order of [`Language::ALL`]. A language that is not complete has some topics, each of them whole:
/// receipts are papers for banks and tax offices at home, the stories of leads are read by staff of every office (M12).
static CATALOGUES: LazyLock<[Catalogue; Language::ALL.len()]> = LazyLock::new(|| Language::ALL.map(read));

/// A file that is not a flat object of texts would fail the test below; at run time it only loses its texts.
fn read(lang: Language) -> Catalogue {
    let files = find_carried(lang).into_iter().flat_map(|carried| carried.texts);
    let texts = files.flat_map(|(_, file)| serde_json::from_str::<Catalogue>(file).unwrap_or_default());
    texts.collect()
}

/// The text under `key` as it is written, with its placeholders, and its language; English where the language has none.
fn find_written(lang: Language, key: &str) -> Option<(&'static str, Language)> {
    [lang, Language::default()].into_iter().find_map(|lang| {
        let text = CATALOGUES[lang.place()].get(key)?;
        Some((text.as_str(), lang))
    })
}

/// The text under `key` as it is written, with its placeholders; English where the language has none.
pub fn find(lang: Language, key: &str) -> Option<&'static str> {
    find_written(lang, key).map(|(text, _)| text)
}

/// The text under `key` with `{name}` filled in; English where the language has none, the key where nobody has.
pub fn text(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    // A sentence that falls back to English has English plurals.
    let (found, spoken) = find_written(lang, key).unwrap_or((key, lang));
    let mut text = found.to_owned();
    for (name, value) in values {
        text = fill_plural(&text, name, value, spoken);
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}

/// The form that a count takes, from `{count, plural, =0 {no answer} one {# answer} other {# answers}}`; any other text stays.
fn fill_plural(text: &str, name: &str, value: &str, lang: Language) -> String {
    let opening = format!("{{{name}, plural,");
    let Some((before, rest)) = text.split_once(&opening) else {
        return text.to_owned();
    };
    let Some((forms, after)) = plural_forms(rest) else {
        return text.to_owned();
    };
    let find_form = |wanted: &str| forms.iter().find(|(form, _)| *form == wanted);
    let exact = find_form(&format!("={value}"));
    let one = if forms_of(lang).is_one(value) {
        find_form("one")
    } else {
        None
    };
    let Some((_, chosen)) = exact.or(one).or_else(|| find_form("other")) else {
        return text.to_owned();
    };
    format!("{before}{}{after}", chosen.replace('#', value))
}

/// The forms of a plural with their texts, which may hold placeholders, and what follows it.
fn plural_forms(text: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let mut forms = Vec::new();
    let mut rest = text.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix('}') {
            return Some((forms, after));
        }
        let (form, from) = rest.split_once(" {")?;
        let end = closing_brace(from)?;
        forms.push((form, from.get(..end)?));
        rest = from.get(end + 1..)?.trim_start();
    }
}

/// Where the brace closes that was opened before `text`.
fn closing_brace(text: &str) -> Option<usize> {
    let mut open = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// What an operator is told of a bad value: what to write instead.
pub fn way_out(code: FaultCode) -> String {
    text(Language::default(), &format!("validation.{}", code.key()), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_sentence_in_each_served_language() {
        for code in FaultCode::ALL {
            let key = format!("validation.{}", code.key());
            for lang in Language::SERVED {
                assert!(CATALOGUES[lang.place()].contains_key(&key), "{lang:?} {key}");
            }
        }
    }

    #[test]
    fn served_languages_say_the_same_things() {
        let keys = |lang: Language| {
            let mut keys: Vec<_> = CATALOGUES[lang.place()].keys().collect();
            keys.sort();
            keys
        };
        assert!(keys(Language::default()).len() > 1_000);
        for lang in Language::SERVED {
            assert_eq!(keys(Language::default()), keys(lang), "{lang:?}");
        }
    }

    #[test]
    fn plurals_follow_the_count() {
        let saved = |count: &str| {
            let key = "timeline.form_section_saved.personal_form";
            text(Language::En, key, &[("count", count)])
        };
        assert_eq!(saved("1"), "Saved 1 answer of the personal details");
        assert_eq!(saved("3"), "Saved 3 answers of the personal details");
    }

    /// French 0 is `one`, `=0` comes before both, a form may hold a placeholder.
    #[test]
    fn plurals_follow_the_language() {
        let message = "{n, plural, one {# jour, {who}} other {# jours, {who}}}.";
        let french = |n| fill_plural(message, "n", n, Language::Fr);
        assert_eq!(french("0"), "0 jour, {who}.");
        assert_eq!(french("2"), "2 jours, {who}.");
        assert_eq!(fill_plural(message, "n", "0", Language::En), "0 jours, {who}.");
        let none = "{n, plural, =0 {none} one {#} other {# of them}}";
        assert_eq!(fill_plural(none, "n", "0", Language::Fr), "none");
        assert_eq!(fill_plural(none, "n", "1", Language::Zh), "1 of them");
        assert_eq!(
            fill_plural("{n, plural, one", "n", "1", Language::En),
            "{n, plural, one"
        );
    }

    #[test]
    fn values_are_filled_in() {
        let subject = text(
            Language::En,
            "mail.otp.subject",
            &[("code", "123456"), ("brand", "Amber")],
        );
        assert!(subject.contains("123456") && !subject.contains('{'), "{subject}");
    }
}
