//! The HTML half of a mail: the paragraphs of its text under the home's picture. Nobody's own words are markup in it, and only
//! our own addresses are links (T42).

use domain::language::Language;

/// A home's picture as a mail shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailPicture {
    /// Absolute: a mail has no place of its own.
    pub url: String,
    /// The home's name.
    pub alt: String,
}

/// Around what a mail shows.
const OPENING: &str =
    "<div style=\"max-width:560px;margin:0 auto;padding:24px 16px;font:16px/1.5 system-ui,sans-serif\">";
const CLOSING: &str = "</div>";

/// The face of a brand in a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailFace {
    pub name: String,
    /// The mark's whole address, with its pixels.
    pub mark: (String, u32, u32),
    /// The line under name and mark, `#7A2E5D`.
    pub colour: String,
    /// Small print, a line each.
    pub small_print: Vec<String>,
}

/// Pixels that a mark is high in a mail.
const MARK_HEIGHT: u32 = 32;

/// The page of a mail under the face of a brand.
pub fn wear_face(html: &str, face: &MailFace) -> String {
    let Some((before, rest)) = html.split_once(OPENING) else {
        return html.to_owned();
    };
    let (shown, after) = rest.rsplit_once(CLOSING).unwrap_or((rest, ""));
    let (url, width, height) = &face.mark;
    let across = (width * MARK_HEIGHT).div_ceil((*height).max(1));
    let small_print = if face.small_print.is_empty() {
        String::new()
    } else {
        let lines: Vec<String> = face.small_print.iter().map(|line| escaped(line)).collect();
        format!(
            "<p style=\"margin:32px 0 0;font-size:13px;color:#62666F\">{}</p>",
            lines.join("<br>")
        )
    };
    format!(
        "{before}{OPENING}<p style=\"margin:0 0 24px;padding:0 0 16px;border-bottom:3px solid {};font-size:20px;font-weight:700\">\
         <img src=\"{}\" alt=\"\" width=\"{across}\" height=\"{MARK_HEIGHT}\" style=\"vertical-align:middle\"> {}</p>\
         {shown}{small_print}{CLOSING}{after}",
        face.colour,
        escaped(url),
        escaped(&face.name),
    )
}

/// The page of a mail whose text is `body`; `own` are the beginnings of our own addresses.
pub fn page(
    lang: Language,
    subject: &str,
    body: &str,
    picture: Option<&MailPicture>,
    own: &[&str],
) -> String {
    let picture = picture.map_or_else(String::new, |picture| {
        format!(
            "<img src=\"{}\" alt=\"{}\" width=\"560\" style=\"display:block;width:100%;height:auto;border-radius:12px\">",
            escaped(&picture.url),
            escaped(&picture.alt)
        )
    });
    let paragraphs = body.split("\n\n").map(|paragraph| {
        let lines: Vec<String> = paragraph.lines().map(|line| linked(line, own)).collect();
        format!("<p style=\"margin:16px 0\">{}</p>", lines.join("<br>"))
    });
    format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{}</title></head>\
         <body style=\"margin:0;background:#ffffff;color:#17181C\">{OPENING}{picture}{}{CLOSING}</body></html>",
        lang.code(),
        escaped(subject),
        paragraphs.collect::<String>(),
    )
}

/// A line in which our own addresses can be followed.
fn linked(line: &str, own: &[&str]) -> String {
    let words = line.split(' ').map(|word| {
        // Punctuation behind an address is not part of it, neither is what Chinese puts there.
        let address = own.iter().find_map(|own| {
            let (before, rest) = word.split_at(word.find(*own)?);
            rest[own.len()..].starts_with('/').then_some((before, rest))
        });
        match address {
            Some((before, rest)) => {
                let end = rest
                    .find(|letter: char| !is_of_address(letter))
                    .unwrap_or(rest.len());
                let (url, after) = rest.split_at(end);
                let url = escaped(url);
                format!("{}<a href=\"{url}\">{url}</a>{}", escaped(before), escaped(after))
            }
            None => escaped(word),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_of_address(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(letter)
}

/// Text that is nothing but text in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &[&str] = &["https://rooms.example", "https://study.example"];

    #[test]
    fn a_name_with_markup_stays_text() {
        assert_eq!(escaped("<b>\"x\"&"), "&lt;b&gt;&quot;x&quot;&amp;");
        let html = page(Language::En, "Hi <i>", "Hello <img src=x>,\n\nbye", None, OWN);
        assert!(!html.contains("<i>") && !html.contains("<img"), "{html}");
    }

    #[test]
    fn only_our_own_addresses_are_links() {
        let text = "Booking: https://rooms.example/profile/leads\nhttps://evil.example/x https://rooms.example.evil.example/ \
                    https://study.example/verify";
        let html = page(Language::En, "", text, None, OWN);
        assert_eq!(html.matches("<a ").count(), 2, "{html}");
        assert!(html.contains("<a href=\"https://study.example/verify\">"));
        assert!(html.contains("<a href=\"https://rooms.example/profile/leads\">"));
        let html = page(
            Language::Zh,
            "",
            "预订：https://rooms.example/profile/leads。谢谢",
            None,
            OWN,
        );
        assert!(
            html.contains("预订：<a href=\"https://rooms.example/profile/leads\">"),
            "{html}"
        );
        assert!(html.contains("</a>。谢谢"), "{html}");
    }

    #[test]
    fn brand_stands_around_what_a_mail_says() {
        let face = MailFace {
            name: "Quay <side>".to_owned(),
            mark: (
                "https://rooms.example/brand/mark/icon-192.png?version=1".to_owned(),
                192,
                192,
            ),
            colour: "#7A2E5D".to_owned(),
            small_print: vec!["Quayside Ltd & Sons".to_owned(), "Bristol".to_owned()],
        };
        let html = wear_face(&page(Language::En, "", "Hello", None, OWN), &face);
        let places = [
            "width=\"32\" height=\"32\"",
            "Quay &lt;side&gt;",
            "Hello",
            "Quayside Ltd &amp; Sons<br>Bristol",
        ];
        let places = places.map(|part| html.find(part).unwrap_or_else(|| panic!("{part}: {html}")));
        assert!(places.is_sorted(), "{html}");
        assert!(html.ends_with("</div></body></html>"), "{html}");
    }

    #[test]
    fn the_picture_stands_above_the_text() {
        let picture = MailPicture {
            url: "https://rooms.example/pictures/leeds-7/front.720.jpg".to_owned(),
            alt: "Mill \"Lane\"".to_owned(),
        };
        let html = page(Language::En, "", "Hello", Some(&picture), OWN);
        assert!(html.contains(
            "src=\"https://rooms.example/pictures/leeds-7/front.720.jpg\" alt=\"Mill &quot;Lane&quot;\""
        ));
        assert!(html.find("<img") < html.find("Hello"));
    }
}
