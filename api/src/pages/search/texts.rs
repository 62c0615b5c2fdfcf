//! Texts of the search page's head, from its message catalogues.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::request::Lang;

type Texts = HashMap<String, String>;

static EN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../../../../i18n/en/search_head.json")));
static ZH: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../../../../i18n/zh/search_head.json")));

fn read(file: &str) -> Texts {
    serde_json::from_str(file).unwrap_or_default()
}

/// The text under `key` with `{name}` filled in; English where the language has none.
pub(super) fn text(lang: Lang, key: &str, values: &[(&str, &str)]) -> String {
    let own = match lang {
        Lang::Zh => ZH.get(key),
        Lang::En | Lang::Es | Lang::Fr | Lang::De => None,
    };
    let found = own.or_else(|| EN.get(key)).map_or(key, String::as_str);
    values.iter().fold(found.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts() {
        let keys = |texts: &Texts| texts.keys().cloned().collect::<std::collections::BTreeSet<_>>();
        assert!(!EN.is_empty());
        assert_eq!(keys(&EN), keys(&ZH));
    }
}
