//! Whether a text that others wrote, such as a line of a bank's statement, names a person. Banks write in capitals and without marks, turn
//! names around, cut them and break them at the end of a field.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Letters of a name, written together, from which on a part of a text is that name and no word that holds it.
const TOGETHER_MIN: usize = 8;
/// Letters that banks leave of a long name.
const CUT_TO: usize = 16;
/// Letters of a name that somebody else typed, from which on it tells a person apart.
const LETTERS_MIN: usize = 4;
/// Digits of a phone number that tell it from any other: its country code may be left out.
const PHONE_DIGITS: usize = 9;

/// Names and contacts of a person, made ready to be sought in many texts.
#[derive(Debug, Clone, Default)]
pub struct KnownPerson {
    /// Words of each name.
    names: Vec<Vec<String>>,
    /// Each name and address as letters and digits alone.
    together: HashSet<String>,
    phones: HashSet<String>,
}

impl KnownPerson {
    /// Adds a name; every spelling that banks make of it.
    pub fn add_name(&mut self, name: &str) {
        for spelled in [fold_letters(name), fold_letters(&transliterate(name))] {
            let words: Vec<String> = split_words(&spelled).map(str::to_owned).collect();
            let turned: String = words.iter().rev().map(String::as_str).collect();
            for whole in [words.concat(), turned] {
                let letters = whole.chars().count();
                if letters >= TOGETHER_MIN || !whole.is_ascii() {
                    self.together.insert(whole.chars().take(CUT_TO).collect());
                }
            }
            if !words.is_empty() && !self.names.contains(&words) {
                self.names.push(words);
            }
        }
    }

    /// Adds a name from a form or a notice of a payment, where it tells a person apart: two words, or two letters of a script without
    /// spaces. A first name alone stands in lines about others, and form fields hold texts such as `n/a`.
    pub fn add_full_name(&mut self, name: &str) {
        let parts = name.split(|c: char| c.is_whitespace() || c == ',');
        let words: HashSet<String> = parts
            .map(|part| split_words(&fold_letters(part)).collect())
            .filter(|word: &String| !word.is_empty())
            .collect();
        let letters: usize = words.iter().map(|word| word.chars().count()).sum();
        let unspaced: HashSet<char> = name.chars().filter(|c| is_unspaced(*c)).collect();
        if unspaced.len() > 1 || (words.len() > 1 && letters >= LETTERS_MIN) {
            self.add_name(name);
        }
    }

    /// Adds an e-mail address.
    pub fn add_email(&mut self, email: &str) {
        let whole: String = split_words(&fold_letters(email)).collect();
        if whole.len() >= TOGETHER_MIN {
            self.together.insert(whole);
        }
    }

    /// Adds a phone number in any form.
    pub fn add_phone(&mut self, phone: &str) {
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        let start = digits.len().saturating_sub(PHONE_DIGITS);
        if start > 0 || digits.len() == PHONE_DIGITS {
            self.phones.insert(digits[start..].to_owned());
        }
    }

    /// Whether nothing is known: then no text names the person.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.together.is_empty() && self.phones.is_empty()
    }

    /// Whether a text names the person: by all words of a name in any order, by name or address written together, or by number.
    pub fn is_named_in(&self, text: &str) -> bool {
        let folded = fold_letters(text);
        let words: HashSet<&str> = split_words(&folded).collect();
        let is_whole = |name: &Vec<String>| name.iter().all(|word| words.contains(word.as_str()));
        if self.names.iter().any(is_whole) {
            return true;
        }
        let together: String = split_words(&folded).collect();
        if self
            .together
            .iter()
            .any(|known| together.contains(known.as_str()))
        {
            return true;
        }
        let digits: String = folded.chars().filter(char::is_ascii_digit).collect();
        self.phones.iter().any(|known| digits.contains(known.as_str()))
    }
}

/// Small letters without marks; wide and joined forms as usual ones.
fn fold_letters(text: &str) -> String {
    let plain = text.nfkd().filter(|c| !is_combining_mark(*c));
    plain
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'ß' => 's',
            'ø' => 'o',
            'ł' => 'l',
            'đ' | 'ð' => 'd',
            'ı' => 'i',
            other => other,
        })
        .collect()
}

/// As banks write letters that their own sets lack.
fn transliterate(name: &str) -> String {
    let mut spelled = String::new();
    for c in name.to_lowercase().nfc() {
        match c {
            'ä' | 'æ' => spelled.push_str("ae"),
            'ö' | 'ø' | 'œ' => spelled.push_str("oe"),
            'ü' => spelled.push_str("ue"),
            'å' => spelled.push_str("aa"),
            'ß' => spelled.push_str("ss"),
            other => spelled.push(other),
        }
    }
    spelled
}

/// Whether a letter is of a script that writes a name as one word: Chinese, Japanese, Korean.
const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}')
}

fn split_words(folded: &str) -> impl Iterator<Item = &str> {
    folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_person() -> KnownPerson {
        let mut person = KnownPerson::default();
        person.add_name("Aïsha Müller-Førde");
        person.add_email("aisha.m@uni.example");
        person.add_phone("+447700900123");
        person
    }

    #[test]
    fn person_is_found_however_banks_write_them() {
        for text in [
            "AISHA MULLER-FORDE RENT P-01",
            "MUELLER FOERDE, AISHA",
            "/NAME/AISHA MUELLER FOER",
            "FPS AISHAMUEL LERFOERDE",
            "ref aisha.m@uni.example",
            "tel 0 7700 900123",
        ] {
            assert!(make_person().is_named_in(text), "{text}");
        }
    }

    #[test]
    fn others_are_not_found() {
        for text in [
            "STRIPE PO_1A2B AISHA",
            "MUELLER GMBH INVOICE 7700",
            "",
            "0044 7700 900 124",
        ] {
            assert!(!make_person().is_named_in(text), "{text}");
        }
        assert!(KnownPerson::default().is_empty());
    }

    #[test]
    fn names_without_spaces_are_found() {
        let mut person = KnownPerson::default();
        person.add_name("王小明");
        assert!(person.is_named_in("转账 王小明 学费"));
        assert!(person.is_named_in("付款人王小明"));
        assert!(!person.is_named_in("王小红"));
    }

    #[test]
    fn full_names_alone_are_taken_from_others() {
        for (name, line) in [
            ("Bo Li", "LI BO RENT"),
            ("A Khan", "KHAN A"),
            ("Tan, Wei-Ming", "WEI MING TAN"),
            ("李明", "付款人李明"),
            ("김민수", "김민수 송금"),
        ] {
            let mut person = KnownPerson::default();
            person.add_full_name(name);
            assert!(person.is_named_in(line), "{name}");
        }
        for name in [
            "Maria",
            "Jean-Luc",
            "n/a N/A",
            "- -",
            "a b",
            "妈妈",
            "  ",
            "Guarantor",
        ] {
            let mut person = KnownPerson::default();
            person.add_full_name(name);
            assert!(person.is_empty(), "{name}");
        }
    }
}
