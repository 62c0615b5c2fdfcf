//! The languages that pages and messages may be written in (D3): those of `i18n/languages.json`, from which the build makes the enum.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A language of the table.
struct Row {
    code: &'static str,
    script: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Scripts that set no space between words and sentences, and whose marks are as wide as a character.
const WIDE_SCRIPTS: [&str; 3] = ["Hans", "Hant", "Jpan"];

impl Language {
    /// The word on the wire.
    pub const fn code(self) -> &'static str {
        Self::ROWS[self as usize].code
    }

    /// Its place in [`Self::ALL`].
    pub const fn place(self) -> usize {
        self as usize
    }

    /// Whether it sets no space between words and sentences, and its marks are as wide as a character.
    pub fn is_wide(self) -> bool {
        WIDE_SCRIPTS.contains(&Self::ROWS[self as usize].script)
    }

    /// Several sentences as one text.
    pub fn join_sentences(self, sentences: &[String]) -> String {
        sentences.join(if self.is_wide() { "" } else { " " })
    }

    /// Between two names in a row.
    pub fn comma(self) -> &'static str {
        if self.is_wide() { "，" } else { ", " }
    }

    /// The language of a word on the wire; also of one in which only some topics are written.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The language of the table that is written so, with its script or without: `zh` and `zh-Hans`, not `zh-Hant`.
    pub fn written_as(tag: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|language| {
            let Row { code, script } = Self::ROWS[language.place()];
            tag == code || tag.split_once('-') == Some((code, script))
        })
    }

    /// The served language that a tag asks for, found by shorter and shorter tags (RFC 4647, 3.4): `zh-CN`, `zh_TW` and `zh-Hant-HK` are
    /// answered in Chinese, whose simplified letters a reader of traditional ones reads sooner than English.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let tag = tag.trim().replace('_', "-");
        let mut asked = tag.as_str();
        loop {
            let served = Self::SERVED.into_iter();
            let mut same = served.filter(|language| language.code().eq_ignore_ascii_case(asked));
            if let Some(language) = same.next() {
                return Some(language);
            }
            (asked, _) = asked.rsplit_once('-')?;
        }
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// A stored tag that the table has no more, or that a newer program wrote, is read as the fallback: texts then are in English.
impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tag = String::deserialize(deserializer)?;
        let known = Self::from_code(&tag).or_else(|| Self::from_tag(&tag));
        Ok(known.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::read_to_string;
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    /// The build reads the table line by line.
    #[test]
    fn the_enum_is_the_table_of_languages() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../i18n/languages.json");
        let text = File::open(path).and_then(read_to_string).unwrap();
        let table: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(table["fallback"], Language::default().code());
        let rows = table["languages"].as_object().unwrap();
        assert_eq!(rows.len(), Language::ALL.len());
        for language in Language::ALL {
            let row = &rows[language.code()];
            assert_eq!(row["script"], Language::ROWS[language.place()].script);
            assert_eq!(
                row["complete"],
                Language::SERVED.contains(&language),
                "{language:?}"
            );
            assert_eq!(Language::ALL[language.place()], language);
        }
        assert!(Language::SERVED.contains(&Language::default()));
    }

    #[test]
    fn a_stored_tag_that_is_unknown_is_read_as_english() {
        let read = |tag: &str| serde_json::from_value::<Language>(tag.into()).unwrap();
        assert_eq!([read("tlh"), read("")], [Language::En; 2]);
        assert_eq!(
            [read("zh"), read("zh-Hant"), read("de")],
            [Language::Zh, Language::Zh, Language::De]
        );
        for language in Language::ALL {
            assert_eq!(serde_json::to_value(language).unwrap(), language.code());
            assert_eq!(read(language.code()), language);
        }
    }

    #[test]
    fn sentences_stand_apart_where_the_script_has_spaces() {
        let sentences = ["A.".to_owned(), "B.".to_owned()];
        assert_eq!(Language::De.join_sentences(&sentences), "A. B.");
        assert_eq!(Language::Zh.join_sentences(&sentences), "A.B.");
        assert_eq!([Language::De.comma(), Language::Zh.comma()], [", ", "，"]);
    }

    #[test]
    fn a_language_is_known_by_its_script_too() {
        assert_eq!(
            ["es", "zh", "zh-Hans", "zh-Hant", "ja", "und"].map(Language::written_as),
            [
                Some(Language::Es),
                Some(Language::Zh),
                Some(Language::Zh),
                None,
                None,
                None
            ]
        );
    }

    #[test]
    fn every_kind_of_chinese_is_answered_in_chinese() {
        for tag in [
            "zh",
            "ZH",
            "zh-CN",
            "zh_Hans",
            "zh-Hant",
            "zh-Hant-CN",
            "zh-TW",
            "zh-hk",
        ] {
            assert_eq!(Language::from_tag(tag), Some(Language::Zh), "{tag}");
        }
        for tag in ["tlh", "zhx", "zhx-Hant", "-zh", ""] {
            assert_eq!(Language::from_tag(tag), None, "{tag}");
        }
    }
}
