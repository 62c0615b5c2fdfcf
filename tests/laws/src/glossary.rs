//! One name for one thing: where an English text has a term of `i18n/glossary/glossary.csv`, each complete language has its
//! counterpart; words that the guide beside it forbids stand in no text.

use std::collections::{BTreeMap, BTreeSet};

use crate::checkout::{read, root};
use crate::findings::assert_none;
use crate::texts::{all_languages, complete_languages, exempt_texts, texts_of};

/// Between two words that are no neighbours: a mark, a placeholder, a piece of code.
const BREAK: &str = "|";
/// The most tokens that a term has.
const LONGEST_TERM: usize = 16;

/// A row of a CSV file by the names of its columns.
type Row = BTreeMap<String, String>;
/// Indexes of rows that share an English term.
type Rows = Vec<usize>;

/// The terms, by the tokens under which an English text has them.
struct Glossary {
    rows: Vec<Row>,
    /// Labels and states, which start with a capital: a text has one if it is one.
    labels: BTreeMap<Vec<String>, Rows>,
    /// All other terms with their plurals.
    words: BTreeMap<Vec<String>, Rows>,
}

#[test]
fn translations_have_the_counterparts_of_terms() {
    let (glossary, exceptions) = (Glossary::read(), read_table("exceptions.csv"));
    assert!(
        glossary.rows.len() > 600,
        "{} terms were read",
        glossary.rows.len()
    );
    let (english, exempt) = (texts_of("en"), exempt_texts());
    assert!(english.len() > 4_000, "{} texts were read", english.len());
    let (mut broken, mut used) = (Vec::new(), BTreeSet::new());
    for language in complete_languages().iter().filter(|tag| *tag != "en") {
        let translated = texts_of(language);
        for (key, text) in english.iter().filter(|(key, _)| !exempt.contains(*key)) {
            let other = without_spaces(translated.get(key).map_or("", String::as_str));
            for rows in glossary.find_terms(text) {
                if glossary.has_counterpart(&rows, language, &other) {
                    continue;
                }
                let excuses = glossary.find_excuses(&exceptions, &rows, (language, key, &other));
                if excuses.is_empty() {
                    broken.push(glossary.describe(&rows, language, key));
                }
                used.extend(excuses);
            }
        }
    }
    assert_none(
        broken.into_iter(),
        "use the word of i18n/glossary/glossary.csv, or name the exception with its reason in exceptions.csv beside it",
    );
    let unused = exceptions
        .iter()
        .enumerate()
        .filter(|(index, _)| !used.contains(index));
    assert_none(
        unused.map(|(_, row)| format!("{row:?}")),
        "take it out of i18n/glossary/exceptions.csv: nothing needs it",
    );
}

#[test]
fn exceptions_of_terms_name_their_reason() {
    let keys: BTreeSet<String> = Glossary::read()
        .rows
        .iter()
        .map(|row| row["key"].clone())
        .collect();
    let broken = read_table("exceptions.csv")
        .into_iter()
        .filter(|row| !keys.contains(&row["term"]) || row["reason"].is_empty());
    assert_none(
        broken.map(|row| format!("{row:?}")),
        "name a term of the glossary and a reason",
    );
}

#[test]
fn terms_are_complete_and_named_once() {
    let glossary = Glossary::read();
    let mut keys = BTreeSet::new();
    let broken = glossary.rows.iter().filter(|row| {
        let is_new = keys.insert(row["key"].clone());
        !is_new || row.len() < 8 || row.values().any(String::is_empty)
    });
    assert_none(
        broken.map(|row| format!("{row:?}")),
        "a term has a key of its own, all five languages and a note",
    );
}

#[test]
fn forbidden_words_stand_in_no_text() {
    let (glossary, exempt) = (Glossary::read(), exempt_texts());
    let named = glossary.names();
    let broken = all_languages().into_iter().flat_map(|(language, _)| {
        let forbidden = read_forbidden(&language);
        assert!(forbidden.len() > 5, "{} words of {language}", forbidden.len());
        let texts = texts_of(&language).into_iter();
        let texts = texts.filter(|(key, _)| !exempt.contains(key));
        texts
            .flat_map(|(key, text)| {
                let said = forbidden.iter().filter(|word| says(&text, word, &named));
                said.map(|word| format!("{language}: {key}: {word}"))
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    });
    assert_none(
        broken,
        "i18n/glossary/README.md forbids it; a text that the specification quotes goes into i18n/exempt.json",
    );
}

#[test]
fn glossary_laws_catch_bad_samples() {
    let rows = parse_rows("key,en,zh\na,\"one, \"\"two\"\"\",三\n");
    assert_eq!(rows[1], ["a", "one, \"two\"", "三"]);
    let row = |key: &str, en: &str, zh: &str| -> Row {
        let cells = [("key", key), ("en", en), ("zh", zh)];
        cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .into()
    };
    let glossary = Glossary::new(vec![
        row("paid", "Paid", "已付款"),
        row("link", "payment link", "付款链接"),
        row("payment", "payment", "付款"),
        row("city", "city", "城市"),
    ]);
    let found = |text: &str| -> Vec<String> {
        let terms = glossary.find_terms(text);
        terms
            .iter()
            .map(|rows| glossary.rows[rows[0]]["key"].clone())
            .collect()
    };
    assert_eq!(found("Paid"), ["paid"]);
    assert!(found("Paid in, paid {when}").is_empty());
    assert_eq!(found("Two payment links"), ["link"]);
    assert_eq!(
        found("{n, plural, one {# payment} other {# payments}} in {city}: cities’ payment’s `link`"),
        ["payment", "city"]
    );
    assert!(
        glossary.has_counterpart(&[1], "zh", "没有付款链接") && !glossary.has_counterpart(&[3], "zh", "城")
    );
    let named = BTreeSet::from([tokens("Log in")]);
    assert!(says("The server’s log", "log", &named) && !says("Log in first", "log", &named));
    assert!(says("请写信给我们", "写信", &named) && !says("a catalogue", "log", &named));
}

impl Glossary {
    fn read() -> Self {
        Self::new(read_table("glossary.csv"))
    }

    fn new(rows: Vec<Row>) -> Self {
        let (mut labels, mut words) = (BTreeMap::new(), BTreeMap::new());
        for (index, row) in rows.iter().enumerate() {
            let (term, text) = (tokens(&row["en"]), &row["en"]);
            let Some((last, before)) = term.split_last() else {
                continue;
            };
            if text.contains('{') {
                continue;
            }
            if is_label(text) {
                labels.entry(term).or_insert_with(Rows::new).push(index);
                continue;
            }
            for form in with_plurals(last) {
                let term: Vec<String> = before.iter().cloned().chain([form]).collect();
                words.entry(term).or_insert_with(Rows::new).push(index);
            }
        }
        Self { rows, labels, words }
    }

    /// The terms of an English text, each once, the longest first where one holds another.
    fn find_terms(&self, text: &str) -> Vec<Rows> {
        let spoken = tokens(&without_syntax(text));
        let is_whole = !text.contains('{') && text.starts_with(char::is_uppercase);
        if let Some(label) = self.labels.get(&spoken).filter(|_| is_whole) {
            return vec![label.clone()];
        }
        let (mut found, mut at) = (Vec::new(), 0);
        while at < spoken.len() {
            let longest = (1..=LONGEST_TERM.min(spoken.len() - at))
                .rev()
                .find_map(|length| Some((length, self.words.get(&spoken[at..at + length])?)));
            if let Some((_, rows)) = longest.filter(|(_, rows)| !found.contains(*rows)) {
                found.push(rows.clone());
            }
            at += longest.map_or(1, |(length, _)| length);
        }
        found
    }

    fn has_counterpart(&self, rows: &[usize], language: &str, text: &str) -> bool {
        let mut counterparts = rows.iter().filter_map(|row| self.rows[*row].get(language));
        counterparts.any(|counterpart| text.contains(&without_spaces(counterpart)))
    }

    /// Indexes of the exceptions by which a text may lack the counterpart: of the text, of a word that also counts, or of the term.
    fn find_excuses(
        &self,
        exceptions: &[Row],
        rows: &[usize],
        (language, key, text): (&str, &str, &str),
    ) -> Vec<usize> {
        let is_of_term = |row: &Row| rows.iter().any(|index| self.rows[*index]["key"] == row["term"]);
        let excuses = |row: &Row| {
            let counterpart = without_spaces(&row["counterpart"]);
            let is_said = row["text"].is_empty() && text.contains(&counterpart);
            row["text"] == key || is_said
        };
        let found = exceptions.iter().enumerate().filter(|(_, row)| {
            let is_here = row["language"].is_empty() || row["language"] == language;
            is_here && is_of_term(row) && excuses(row)
        });
        found.map(|(index, _)| index).collect()
    }

    fn describe(&self, rows: &[usize], language: &str, key: &str) -> String {
        let row = &self.rows[rows[0]];
        let counterpart = row.get(language).map_or("no counterpart", String::as_str);
        format!("{language}: {key}: {} is {counterpart}", row["en"])
    }

    /// Terms of several words, in which a forbidden word is no fault: `log in`, `double bed`.
    fn names(&self) -> BTreeSet<Vec<String>> {
        let terms = self.rows.iter().map(|row| tokens(&row["en"]));
        terms.filter(|term| term.len() > 1).collect()
    }
}

/// Labels and states start with a capital; `VAT` and `QR code` are words.
fn is_label(term: &str) -> bool {
    let mut signs = term.chars();
    signs.next().is_some_and(char::is_uppercase) && signs.next().is_some_and(char::is_lowercase)
}

fn with_plurals(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned(), format!("{word}s")];
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        forms.push(format!("{word}es"));
    }
    if let Some(stem) = word.strip_suffix('y') {
        forms.push(format!("{stem}ies"));
    }
    forms
}

/// A message without names of values, selectors and braces: text stands at even depths of braces.
fn without_syntax(message: &str) -> String {
    let (mut depth, mut text) = (0_usize, String::new());
    for sign in message.chars() {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            other if depth.is_multiple_of(2) => text.push(other),
            _ => {}
        }
        if sign == '{' || sign == '}' {
            text.push_str(" | ");
        }
    }
    text
}

fn tokens(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace('’', "'");
    let mut found = Vec::new();
    for chunk in text.split_whitespace() {
        if chunk.contains(['@', '/', '=', '`']) {
            found.push(BREAK.to_owned());
        } else {
            split_chunk(chunk, &mut found);
        }
    }
    let is_word = |token: &String| token != BREAK;
    let first = found.iter().position(is_word).unwrap_or(found.len());
    let end = found.iter().rposition(is_word).map_or(first, |last| last + 1);
    found[first..end].to_vec()
}

/// Words of letters and digits, with hyphens and apostrophes inside; any other sign is a break.
fn split_chunk(chunk: &str, found: &mut Vec<String>) {
    let mut word = String::new();
    let mut signs = chunk.chars().peekable();
    while let Some(sign) = signs.next() {
        let next_is_letter = signs.peek().is_some_and(|next| next.is_alphanumeric());
        if sign.is_alphanumeric() || ("-'".contains(sign) && !word.is_empty() && next_is_letter) {
            word.push(sign);
        } else {
            end_word(&mut word, found);
            found.push(BREAK.to_owned());
        }
    }
    end_word(&mut word, found);
}

fn end_word(word: &mut String, found: &mut Vec<String>) {
    if !word.is_empty() {
        found.push(word.strip_suffix("'s").unwrap_or(word.as_str()).to_owned());
        word.clear();
    }
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_whitespace()).collect()
}

/// Whether a text has a forbidden word outside the names that hold it. Chinese has no spaces between words.
fn says(text: &str, forbidden: &str, named: &BTreeSet<Vec<String>>) -> bool {
    if forbidden.chars().any(|sign| sign >= '\u{2e80}') {
        return text.contains(forbidden);
    }
    let (spoken, forbidden) = (tokens(&without_syntax(text)), tokens(forbidden));
    let (mut rest, mut at) = (Vec::new(), 0);
    while at < spoken.len() {
        let longest = (2..=LONGEST_TERM.min(spoken.len() - at))
            .rev()
            .find(|length| named.contains(&spoken[at..at + length]));
        rest.push(longest.map_or_else(|| spoken[at].clone(), |_| BREAK.to_owned()));
        at += longest.unwrap_or(1);
    }
    rest.windows(forbidden.len()).any(|words| words == forbidden)
}

/// The words of a language in the guide's list; one with a condition (`… for the help code`) is for people to check.
fn read_forbidden(language: &str) -> Vec<String> {
    let guide = read(&root().join("i18n/glossary/README.md"));
    let section = guide.split("\n## ").find(|section| section.starts_with("8. "));
    let rows = section.unwrap_or_default().lines();
    let rows = rows.filter_map(|row| row.strip_prefix(&format!("| {language} | ")));
    rows.filter_map(|row| row.split(" | ").next())
        .flat_map(|words| words.split(','))
        .filter_map(|word| word.split('(').next())
        .filter(|word| !word.contains(" for ") && !word.contains(" in "))
        .flat_map(|word| word.split('/'))
        .map(|word| word.trim_matches(|sign: char| sign.is_whitespace() || "«»".contains(sign)))
        .map(str::to_owned)
        .filter(|word| !word.is_empty())
        .collect()
}

fn read_table(name: &str) -> Vec<Row> {
    let mut rows = parse_rows(&read(&root().join("i18n/glossary").join(name))).into_iter();
    let head = rows.next().unwrap_or_default();
    rows.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

/// Rows of a CSV file: a cell in quotes may hold commas, doubled quotes and line breaks.
fn parse_rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => {
                cell.push('"');
                signs.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    rows
}
