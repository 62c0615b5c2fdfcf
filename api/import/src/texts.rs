//! Texts of a feed as the house keeps them: each in its language, under the tag that the feed gives it.

use std::collections::BTreeSet;

use domain::contact::{is_blank, shown_name};
use domain::language::Language;
use domain::wording::Wording;
use feeds::{Home, Texts, UNDETERMINED};

/// The texts that show something, by the tags of their languages.
pub(crate) fn write_wording(texts: &Texts) -> Wording {
    texts
        .iter()
        .filter(|(_, text)| !is_blank(text))
        .fold(Wording::default(), |wording, (tag, text)| wording.with(tag, text))
}

/// The one text where the house keeps one: in its first language, else in an unsaid one, else in the first that there is.
pub(crate) fn choose_text(texts: &Texts) -> &str {
    let shown = |text: &&String| !is_blank(text);
    let named = [Language::default().code(), UNDETERMINED].into_iter();
    let mut chosen = named.filter_map(|tag| texts.get(tag)).filter(shown);
    let first = chosen.next().or_else(|| texts.values().find(shown));
    first.map(String::as_str).unwrap_or_default()
}

/// The texts of other languages than the one that [`choose_text`] keeps, each cut to what a page shows.
pub(crate) fn write_other_names(texts: &Texts, most: usize) -> Wording {
    let kept = choose_text(texts);
    let others = texts
        .iter()
        .filter(|(tag, text)| tag.as_str() != UNDETERMINED && text.as_str() != kept);
    let shown = others.map(|(tag, text)| (tag, shown_name(text, most)));
    shown
        .filter(|(_, name)| !is_blank(name))
        .fold(Wording::default(), |names, (tag, name)| names.with(tag, name))
}

/// Everything that a feed says of a home in sentences, language by language: its description, then rules and terms as paragraphs of
/// their own, then the facilities that have no key, as a list in the feed's words.
pub(crate) fn write_description(home: &Home, facilities: &[String]) -> Wording {
    let parts = [
        &home.description,
        &home.house_rules,
        &home.cancellation,
        &home.refund_policy,
        &home.directions,
    ];
    let mut tags: BTreeSet<&str> = parts
        .iter()
        .flat_map(|texts| texts.keys())
        .map(String::as_str)
        .collect();
    let guarantor = home
        .guarantor
        .as_ref()
        .and_then(|guarantor| guarantor.words.as_deref());
    if tags.is_empty() && (!facilities.is_empty() || guarantor.is_some()) {
        tags.insert(UNDETERMINED);
    }
    let list: Vec<String> = facilities.iter().map(|words| format!("- {words}")).collect();
    let list = (!list.is_empty()).then(|| list.join("\n"));
    let mut wording = Wording::default();
    for tag in tags {
        let texts = parts
            .iter()
            .filter_map(|texts| texts.get(tag).map(String::as_str));
        let paragraphs: Vec<&str> = texts
            .chain(guarantor)
            .chain(list.as_deref())
            .filter(|text| !is_blank(text))
            .collect();
        if !paragraphs.is_empty() {
            wording = wording.with(tag, paragraphs.join("\n\n"));
        }
    }
    wording
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(said: &[(&str, &str)]) -> Texts {
        let text = |(tag, text): &(&str, &str)| ((*tag).to_owned(), (*text).to_owned());
        said.iter().map(text).collect()
    }

    #[test]
    fn texts_keep_the_languages_that_the_feed_names() {
        let said = texts(&[("de", "Haus"), ("zh", "木叶居"), ("fr", " ")]);
        let wording = write_wording(&said);
        assert_eq!(wording.written_in("zh"), Some("木叶居"));
        assert!(wording.written_in("fr").is_none() && !wording.is_blank());
        assert_eq!(choose_text(&said), "Haus");
        assert_eq!(choose_text(&texts(&[("de", "Haus"), ("und", "Casa")])), "Casa");
        assert_eq!(choose_text(&texts(&[("de", "Haus"), ("en", "House")])), "House");
        assert_eq!(choose_text(&Texts::new()), "");
    }

    #[test]
    fn description_has_every_sentence_in_its_language() {
        let home = Home {
            description: texts(&[("en", "Bright."), ("zh", "明亮。")]),
            cancellation: texts(&[("en", "Free for a week.")]),
            ..Home::default()
        };
        let wording = write_description(&home, &["LCD TV".to_owned()]);
        assert_eq!(
            wording.written_in("en"),
            Some("Bright.\n\nFree for a week.\n\n- LCD TV")
        );
        assert_eq!(wording.written_in("zh"), Some("明亮。\n\n- LCD TV"));
        let silent = write_description(&Home::default(), &["LCD TV".to_owned()]);
        assert_eq!(silent.written_in("und"), Some("- LCD TV"));
        assert_eq!(write_description(&Home::default(), &[]), Wording::default());
    }
}
