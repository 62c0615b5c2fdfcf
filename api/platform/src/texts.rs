//! Texts of the message catalogues that the server itself says: validation sentences and messages to people.

use std::collections::HashMap;
use std::sync::LazyLock;

use domain::contact::FaultCode;
use domain::language::Language;

use crate::forms::forms_of;

type Catalogue = HashMap<String, String>;

static EN: LazyLock<Catalogue> = LazyLock::new(|| {
    catalogue(&[
        include_str!("../../../i18n/en/validation.json"),
        include_str!("../../../i18n/en/refusal.json"),
        include_str!("../../../i18n/en/legal.json"),
        include_str!("../../../i18n/en/mail.json"),
        include_str!("../../../i18n/en/receipt.json"),
        include_str!("../../../i18n/en/verify.json"),
        include_str!("../../../i18n/en/unsubscribe.json"),
        include_str!("../../../i18n/en/document_link.json"),
        include_str!("../../../i18n/en/search_head.json"),
        include_str!("../../../i18n/en/template.json"),
        include_str!("../../../i18n/en/lead_words.json"),
        include_str!("../../../i18n/en/story.json"),
        include_str!("../../../i18n/en/timeline.json"),
        include_str!("../../../i18n/en/export.json"),
        include_str!("../../../i18n/en/desk.json"),
    ])
});
static ZH: LazyLock<Catalogue> = LazyLock::new(|| {
    catalogue(&[
        include_str!("../../../i18n/zh/validation.json"),
        include_str!("../../../i18n/zh/refusal.json"),
        include_str!("../../../i18n/zh/legal.json"),
        include_str!("../../../i18n/zh/mail.json"),
        include_str!("../../../i18n/zh/receipt.json"),
        include_str!("../../../i18n/zh/verify.json"),
        include_str!("../../../i18n/zh/unsubscribe.json"),
        include_str!("../../../i18n/zh/document_link.json"),
        include_str!("../../../i18n/zh/search_head.json"),
        include_str!("../../../i18n/zh/template.json"),
        include_str!("../../../i18n/zh/lead_words.json"),
        include_str!("../../../i18n/zh/story.json"),
        include_str!("../../../i18n/zh/timeline.json"),
        include_str!("../../../i18n/zh/export.json"),
        include_str!("../../../i18n/zh/desk.json"),
    ])
});

/// Languages in which some topics are written, each of them whole: receipts are papers for banks and tax offices at home, the
/// stories of leads are read by staff of every office (M12).
static ES: LazyLock<Catalogue> = LazyLock::new(|| {
    catalogue(&[
        include_str!("../../../i18n/es/receipt.json"),
        include_str!("../../../i18n/es/story.json"),
    ])
});
static FR: LazyLock<Catalogue> = LazyLock::new(|| {
    catalogue(&[
        include_str!("../../../i18n/fr/receipt.json"),
        include_str!("../../../i18n/fr/story.json"),
    ])
});
static DE: LazyLock<Catalogue> = LazyLock::new(|| {
    catalogue(&[
        include_str!("../../../i18n/de/receipt.json"),
        include_str!("../../../i18n/de/story.json"),
    ])
});

/// A file that is not a flat object of texts would fail the test below; at run time it only loses its texts.
fn catalogue(files: &[&str]) -> Catalogue {
    let texts = files
        .iter()
        .flat_map(|file| serde_json::from_str::<Catalogue>(file).unwrap_or_default());
    texts.collect()
}

/// The text under `key` with `{name}` filled in; English where the language has none, the key where nobody has.
pub fn text(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    let own = match lang {
        Language::Zh => ZH.get(key),
        Language::Es => ES.get(key),
        Language::Fr => FR.get(key),
        Language::De => DE.get(key),
        Language::En => None,
    };
    // A sentence that falls back to English has English plurals.
    let (found, spoken) = match own {
        Some(own) => (Some(own), lang),
        None => (EN.get(key), Language::En),
    };
    let mut text = found.cloned().unwrap_or_else(|| key.to_owned());
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
    text(Language::En, &format!("validation.{}", code.key()), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_sentence_in_both_languages() {
        for code in FaultCode::ALL {
            let key = format!("validation.{}", code.key());
            assert!(EN.contains_key(&key) && ZH.contains_key(&key), "{key}");
        }
    }

    #[test]
    fn both_languages_say_the_same_things() {
        let keys = |texts: &Catalogue| {
            let mut keys: Vec<_> = texts.keys().cloned().collect();
            keys.sort();
            keys
        };
        assert_eq!(keys(&EN), keys(&ZH));
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
