//! Turns HTML into plain text or the subset of Markdown that descriptions may hold: paragraphs, lists, bold, italic.

use std::collections::HashMap;
use std::sync::LazyLock;

use domain::contact::shown_name;

/// Letters of a name that are kept.
const NAME_MAX: usize = 120;
/// A text that is escaped more often than this is no text.
const ROUNDS_MAX: usize = 4;
/// Elements whose content is no text.
const UNREAD: &[&str] = &[
    "script", "style", "iframe", "object", "svg", "template", "noscript",
];
/// The named entities of HTML 4 and `apos`: name and code point, sorted by name.
const ENTITIES: &str = include_str!("entities.txt");

static NAMED: LazyLock<HashMap<&'static str, char>> = LazyLock::new(|| {
    let entity = |line: &'static str| {
        let (name, code) = line.split_once(' ')?;
        Some((name, char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
    };
    ENTITIES.lines().filter_map(entity).collect()
});

/// The letter of a named entity.
pub(crate) fn find_entity(name: &str) -> Option<char> {
    NAMED.get(name).copied()
}

/// The text with its entities as letters; what is none stays as it is written.
pub(crate) fn decode_entities(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, behind) = rest.split_at(at);
        decoded.push_str(before);
        let entity = behind[1..].split_once(';').map(|(name, _)| name);
        let letter = entity.and_then(read_entity);
        if let (Some(letter), Some(name)) = (letter, entity) {
            decoded.push(letter);
            rest = &behind[name.len() + 2..];
        } else {
            decoded.push('&');
            rest = &behind[1..];
        }
    }
    decoded.push_str(rest);
    decoded
}

/// `amp`, `#39`, `#x27`.
fn read_entity(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return find_entity(name);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|letter| *letter != '\0')
}

/// A text of several lines: tags become the subset of Markdown, scripts go with what is in them.
pub(crate) fn clean_text(text: &str) -> String {
    tidy_lines(&strip_markup(text, true))
}

/// A text of one line without marks, such as a name.
pub(crate) fn clean_line(text: &str) -> String {
    shown_name(&strip_markup(text, false), NAME_MAX)
}

/// Takes tags and entities out until none is left: some feeds escape twice.
fn strip_markup(text: &str, with_marks: bool) -> String {
    let mut text = text.to_owned();
    for _round in 0..ROUNDS_MAX {
        let next = decode_entities(&strip_tags(&text, with_marks));
        if next == text {
            return text;
        }
        text = next;
    }
    strip_tags(&text, with_marks)
}

fn strip_tags(text: &str, with_marks: bool) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        if let Some(behind) = behind.strip_prefix("<!--") {
            rest = behind.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let is_tag =
            behind[1..].starts_with(|letter: char| letter.is_ascii_alphabetic() || "/!?".contains(letter));
        let Some(end) = behind.find('>').filter(|_| is_tag) else {
            plain.push('<');
            rest = &behind[1..];
            continue;
        };
        let (tag, after) = (behind[1..end].to_ascii_lowercase(), &behind[end + 1..]);
        let name = read_tag_name(&tag);
        rest = if UNREAD.contains(&name) && !tag.starts_with('/') && !tag.ends_with('/') {
            skip_element(after, name)
        } else {
            after
        };
        plain.push_str(mark_for(name, tag.starts_with('/'), with_marks));
    }
    plain.push_str(rest);
    plain
}

fn read_tag_name(tag: &str) -> &str {
    let name = tag.trim_start_matches('/');
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric());
    &name[..end.unwrap_or(name.len())]
}

/// The text behind the end of an element whose content is no text.
fn skip_element<'t>(text: &'t str, name: &str) -> &'t str {
    let lower = text.to_ascii_lowercase();
    let Some(at) = lower.find(&format!("</{name}")) else {
        return "";
    };
    text[at..].split_once('>').map_or("", |(_, rest)| rest)
}

/// The text in place of a tag.
fn mark_for(name: &str, is_closing: bool, with_marks: bool) -> &'static str {
    match name {
        "br" | "tr" => "\n",
        "p" | "div" | "section" | "article" | "ul" | "ol" | "table" | "blockquote" | "h1" | "h2" | "h3"
        | "h4" | "h5" | "h6" => "\n\n",
        "li" if is_closing => "",
        "li" if with_marks => "\n- ",
        "li" | "td" | "th" => " ",
        "b" | "strong" if with_marks => "**",
        "i" | "em" if with_marks => "*",
        _ => "",
    }
}

/// Lines without spaces around them, with at most one blank line between two.
fn tidy_lines(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blanks = 0;
    for line in text.replace("****", "").lines().map(str::trim) {
        if line.is_empty() {
            blanks += 1;
            continue;
        }
        if !tidy.is_empty() {
            tidy.push_str(if blanks > 0 { "\n\n" } else { "\n" });
        }
        blanks = 0;
        tidy.push_str(line);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_become_letters() {
        assert_eq!((NAMED.len(), ENTITIES.lines().count()), (253, 253));
        assert_eq!(
            decode_entities("a &amp; b &#39;&#x41;&eacute;&hearts;"),
            "a & b 'Aé♥"
        );
        assert_eq!(
            decode_entities("AT&T; a & b &nothing; &"),
            "AT&T; a & b &nothing; &"
        );
        assert_eq!(decode_entities("&#0;&#1114112;"), "&#0;&#1114112;");
    }

    #[test]
    fn html_becomes_the_subset_of_markdown() {
        for (html, text) in [
            (
                "<p>Free from 1 February.</p><ul><li>Bills included</li><li>Deposit</li></ul>",
                "Free from 1 February.\n\n- Bills included\n- Deposit",
            ),
            (
                "One.<br /><br /><b>The space</b><br />Light",
                "One.\n\n**The space**\nLight",
            ),
            (
                "two <em>minutes</em> &amp; no smokers",
                "two *minutes* & no smokers",
            ),
            ("5 < 6 and a <b unclosed", "5 < 6 and a <b unclosed"),
            ("&lt;p&gt;Twice &amp;amp; escaped&lt;/p&gt;", "Twice & escaped"),
            ("a<script>alert(1)</script>b<style>p{}</style>c", "abc"),
            ("&lt;script&gt;alert(1)&lt;/script&gt;Yard", "Yard"),
            ("<SCRIPT src=x>never closed", ""),
            ("<img src=x onerror=alert(1)>Room<!-- note -->", "Room"),
            ("<a href=\"javascript:alert(1)\">Link</a>", "Link"),
            ("**bold**\n\n- desk\n- post", "**bold**\n\n- desk\n- post"),
            ("  a  \n\n\n\n b ", "a\n\nb"),
        ] {
            assert_eq!(clean_text(html), text, "{html}");
        }
    }

    #[test]
    fn names_are_one_line_without_marks() {
        assert_eq!(clean_line("Loft &amp; <b>garden</b>\n 14"), "Loft & garden 14");
        assert_eq!(
            clean_line("Thornaby <script>alert(1)</script> Yard"),
            "Thornaby Yard"
        );
        assert_eq!(clean_line(&"x".repeat(300)).len(), NAME_MAX);
    }
}
