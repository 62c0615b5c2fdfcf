//! Keys of names: the same for `München`, `MU\u{308}NCHEN` and a name with unseen signs in it. `scripts/pack_places.py` makes the keys of
//! the pack by the same rules, and a test holds both against each other.

use domain::contact::{is_joiner, is_unseen};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The key of a name: compatibility forms composed, lower case, without accents, apostrophes and unseen signs, its words joined by single
/// spaces.
pub fn fold(text: &str) -> String {
    let decomposed: String = text.nfkd().collect();
    let mut plain = String::with_capacity(decomposed.len());
    for letter in decomposed.to_lowercase().chars() {
        if is_combining_mark(letter) || is_apostrophe(letter) || is_unseen(letter) || is_joiner(letter) {
            continue;
        }
        match in_plain_letters(letter) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(letter),
        }
    }
    let composed: String = plain.nfc().collect();
    let words = composed.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

const fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '‘' | 'ʼ' | 'ʻ' | '`' | '´')
}

/// Letters that decompose into none.
const fn in_plain_letters(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ə' => "e",
        '&' => " and ",
        _ => return None,
    })
}

/// The key of a name whose letters are also written as two: `Köln` is typed `koln` and `koeln`. `None` where it has none of them.
pub(crate) fn fold_spelled_out(text: &str) -> Option<String> {
    let lower: String = text.nfc().flat_map(char::to_lowercase).collect();
    let mut spelled = lower.clone();
    for (one, two) in [('ä', "ae"), ('ö', "oe"), ('ø', "oe"), ('ü', "ue"), ('å', "aa")] {
        spelled = spelled.replace(one, two);
    }
    (spelled != lower).then(|| fold(&spelled))
}

/// The key without one of `endings` behind it, or with the last character of a Chinese name that says that it is a city.
pub(crate) fn without_ending(key: &str, endings: &[String]) -> Option<String> {
    if let Some(city) = key.strip_suffix('市').filter(|city| !city.is_empty()) {
        return Some(city.to_owned());
    }
    let shorter = |ending: &String| {
        let rest = key.strip_suffix(ending.as_str())?.strip_suffix(' ')?;
        (!rest.is_empty()).then(|| rest.to_owned())
    };
    // The longest: `united kingdom` before `kingdom`.
    endings.iter().filter_map(shorter).min_by_key(String::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_one_key() {
        for (written, key) in [
            ("München", "munchen"),
            ("MU\u{308}NCHEN", "munchen"),
            ("Mün\u{200B}chen\u{AD}", "munchen"),
            ("Ｌｅｅｄｓ", "leeds"),
            ("Xi’an", "xian"),
            ("St. John's", "st johns"),
            ("A Coruña", "a coruna"),
            ("Łódź", "lodz"),
            ("Texas A&M University", "texas a and m university"),
            ("慕尼黑", "慕尼黑"),
            ("서울", "서울"),
            ("  ", ""),
        ] {
            assert_eq!(fold(written), key, "{written}");
        }
    }

    #[test]
    fn endings_are_taken_off_whole_words_alone() {
        let endings = ["uk", "united kingdom", "kingdom"].map(str::to_owned);
        let shorter = |key: &str| without_ending(key, &endings);
        assert_eq!(shorter("oxford uk").as_deref(), Some("oxford"));
        assert_eq!(shorter("oxford united kingdom").as_deref(), Some("oxford"));
        assert_eq!(shorter("慕尼黑市").as_deref(), Some("慕尼黑"));
        assert_eq!(shorter("ouk"), None);
        assert_eq!(shorter("uk"), None);
    }
}
