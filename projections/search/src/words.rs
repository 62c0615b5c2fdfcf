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

/// Letters that are also written as two: `Köln` is typed `koln` and `koeln`, `Århus` `arhus` and `aarhus`. `None` where the text
/// has none of them.
pub(super) fn spelled_out(text: &str) -> Option<String> {
    let mut changed = false;
    let spelled = text
        .nfc()
        .flat_map(char::to_lowercase)
        .fold(String::new(), |mut spelled, char| {
            let two = match char {
                'ä' => "ae",
                'ö' | 'ø' => "oe",
                'ü' => "ue",
                'å' => "aa",
                other => {
                    spelled.push(other);
                    return spelled;
                }
            };
            changed = true;
            spelled.push_str(two);
            spelled
        });
    changed.then_some(spelled)
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

/// A long Latin word is also found by an ending of this many letters: `wharf` finds Gunwharf.
const ENDING: usize = 5;
/// Shorter words are found by their beginnings alone.
const LONG: usize = 8;

/// Words to store for a name: those of [`typed`], every tail of a CJK run, so that two characters from its middle find
/// it, the longer endings of long words, and all Latin words as one, because `New York` is also typed `newyork`; once more for
/// the name spelled out.
pub(super) fn stored(name: &str) -> Vec<String> {
    let mut all = spellings(name);
    all.extend(spelled_out(name).iter().flat_map(|name| spellings(name)));
    all
}

fn spellings(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    let words = typed(name);
    let latin: Vec<&str> = words
        .iter()
        .filter(|word| !word.cjk)
        .map(|word| word.text.as_str())
        .collect();
    if latin.len() > 1 {
        all.push(latin.concat());
    }
    for word in latin {
        let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        if starts.len() >= LONG {
            let endings = starts.iter().skip(1).take(starts.len() - ENDING);
            all.extend(endings.map(|at| word[*at..].to_owned()));
        }
    }
    for word in words {
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
        .flat_map(|char| match char {
            // Ligatures do not decompose.
            'ß' => ['s', 's'].into_iter().take(2),
            'æ' => ['a', 'e'].into_iter().take(2),
            'œ' => ['o', 'e'].into_iter().take(2),
            'þ' => ['t', 'h'].into_iter().take(2),
            other => [other, ' '].into_iter().take(1),
        })
        .map(|char| match char {
            // Letters with a stroke do not decompose.
            'ł' => 'l',
            'ø' => 'o',
            'đ' | 'ð' => 'd',
            'ħ' => 'h',
            'ı' => 'i',
            '\u{2e80}'..='\u{9fff}' => simplified(char),
            other => other,
        })
}

/// Traditional characters that occur in names of places, and their simplified forms. NFKD knows no such pairs.
const TRADITIONAL: &str = "倫紐約劍橋愛徹諾漢謝爾華羅馬達蘭維貝頓蘇聖學國區東溫鄧茲納魯濟韋亞賓豐務蒙門車廣長島灣龍陽雲樂園\
    鎮碼頭藝術貿經館醫療師範塞薩蘿鹽費莊樓舊隆奧蓋";
const SIMPLIFIED: &str = "伦纽约剑桥爱彻诺汉谢尔华罗马达兰维贝顿苏圣学国区东温邓兹纳鲁济韦亚宾丰务蒙门车广长岛湾龙阳云乐园\
    镇码头艺术贸经馆医疗师范塞萨萝盐费庄楼旧隆奥盖";

fn simplified(char: char) -> char {
    let place = TRADITIONAL.chars().position(|known| known == char);
    place
        .and_then(|place| SIMPLIFIED.chars().nth(place))
        .unwrap_or(char)
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
        assert_eq!(texts(&typed("Große Æbelø")), ["grosse", "aebelo"]);
    }

    #[test]
    fn letters_written_as_two_are_known_in_both_ways() {
        for typed in ["munchen", "muenchen"] {
            assert!(stored("Mu\u{308}nchen").contains(&typed.to_owned()), "{typed}");
        }
        assert_eq!(spelled_out("Ålborg").as_deref(), Some("aalborg"));
        assert_eq!(spelled_out("Leeds"), None);
    }

    #[test]
    fn traditional_characters_and_words_typed_as_one_are_known() {
        assert_eq!(TRADITIONAL.chars().count(), SIMPLIFIED.chars().count());
        assert_eq!(texts(&typed("倫敦")), ["伦敦"]);
        assert!(stored("New York").contains(&"newyork".to_owned()));
        assert!(stored("Gunwharf Quays").contains(&"wharf".to_owned()));
    }

    /// Two Chinese characters are enough and two Latin letters are not.
    #[test]
    fn chinese_names_match_from_two_characters_latin_from_three() {
        assert!(is_enough("伦敦") && !is_enough("lo") && is_enough("lon"));
        assert!(stored("曼彻斯特大学").contains(&"大学".to_owned()));
    }
}
