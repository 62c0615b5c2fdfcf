//! Words of names, the same for what is stored and what is typed: lower case, without accents, Chinese, Japanese and
//! Korean text by character.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A word somebody typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub cjk: bool,
}

/// Splits typed text into words; a run of CJK characters is one word.
pub(super) fn typed(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut joined = false;
    for char in fold(text) {
        if !char.is_alphanumeric() {
            // "St. John's" is typed "st johns" as often as not.
            joined = joined && matches!(char, '\'' | '’');
            continue;
        }
        let cjk = is_cjk(char);
        match words.last_mut() {
            Some(word) if joined && word.cjk == cjk => word.text.push(char),
            Some(_) | None => words.push(Word {
                text: char.into(),
                cjk,
            }),
        }
        joined = true;
    }
    words
}

/// Words to store for a name: those of [`typed`], and every tail of a CJK run, so that two characters from its middle
/// find it.
pub(super) fn stored(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    for word in typed(name) {
        if word.cjk {
            let starts: Vec<usize> = word.text.char_indices().map(|(at, _)| at).collect();
            all.extend(starts.into_iter().map(|at| word.text[at..].to_owned()));
        } else {
            all.push(word.text);
        }
    }
    all
}

/// Whether this much text is enough to search with: three letters, or two CJK characters (D54).
pub fn is_enough(text: &str) -> bool {
    let letters: Vec<char> = fold(text).filter(|char| char.is_alphanumeric()).collect();
    letters.len() >= 3 || letters.iter().filter(|char| is_cjk(**char)).count() >= 2
}

fn fold(text: &str) -> impl Iterator<Item = char> {
    text.nfkd()
        .filter(|char| !is_combining_mark(*char))
        .flat_map(char::to_lowercase)
        .map(|char| match char {
            // Letters with a stroke do not decompose.
            'ł' => 'l',
            'ø' => 'o',
            'đ' => 'd',
            'ı' => 'i',
            other => other,
        })
}

fn is_cjk(char: char) -> bool {
    matches!(char, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[Word]) -> Vec<&str> {
        words.iter().map(|word| word.text.as_str()).collect()
    }

    #[test]
    fn accents_case_and_apostrophes_do_not_matter() {
        assert_eq!(
            texts(&typed("Universitat  Politècnica—King’s")),
            ["universitat", "politecnica", "kings"]
        );
        assert_eq!(texts(&typed("Łódź")), ["lodz"]);
    }

    #[test]
    fn two_chinese_characters_are_enough_and_two_latin_letters_are_not() {
        assert!(is_enough("伦敦") && !is_enough("lo") && is_enough("lon"));
        assert!(stored("曼彻斯特大学").contains(&"大学".to_owned()));
    }
}
