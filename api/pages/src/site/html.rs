//! The document around a page.

use std::fmt::Write;

use domain::language::Language;
use platform::config::recaptcha::RecaptchaKeys;
use serde_json::Value;

use super::assets::Entry;
use crate::pages::page::PagePayload;

/// Scripts and frames from this server only; the embedded payload is data, not a script.
pub(super) const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// Frames of videos and virtual tours; `web/src/shop/property/players.ts` makes their addresses.
macro_rules! players {
    () => {
        "https://www.youtube-nocookie.com https://player.vimeo.com https://player.bilibili.com https://player.youku.com \
         https://my.matterport.com https://kuula.co"
    };
}

/// The same with the frames of videos and virtual tours, which a student presses first.
const POLICY_WITH_PLAYERS: &str = concat!(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src ",
    players!(),
    "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
);

/// The policy of scripts from this server with Stripe's script, its frames and its API: the card is entered into Stripe's own form.
/// From <https://docs.stripe.com/security/guide#content-security-policy>.
const POLICY_WITH_STRIPE: &str = "default-src 'self'; script-src 'self' https://js.stripe.com https://*.js.stripe.com; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: https://*.stripe.com; font-src 'self'; \
    connect-src 'self' https://api.stripe.com; \
    frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// The policy with players and with the script of reCAPTCHA and its frames (D69).
/// From <https://developers.google.com/recaptcha/docs/faq>.
const POLICY_WITH_RECAPTCHA: &str = concat!(
    "default-src 'self'; \
     script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/; \
     style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self' https://www.google.com/recaptcha/; \
     frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/ ",
    players!(),
    "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
);

/// Sources that the document of a page may load and open.
pub(super) struct Reach {
    /// The Content-Security-Policy.
    pub(super) policy: &'static str,
    /// The Cross-Origin-Opener-Policy: some wallets open a window that answers to the page.
    pub(super) opener: &'static str,
    /// Whether the page may bring the script of reCAPTCHA.
    pub(super) asks_google: bool,
}

/// `with_stripe`: payments are taken by Stripe's own form. It is on the payment pages alone, and no other page may load anything of it;
/// a payment page that was reached without a new document loads its own before the form. `with_recaptcha`: codes and enquiries are
/// guarded, on the pages where people log in or enquire; never where they pay, and not in the workspace. Players are on the same pages,
/// whichever of them is opened first: going to a home from there makes no new document.
pub(super) fn reach(with_stripe: bool, with_recaptcha: bool, route: &str) -> Reach {
    let takes_cards = matches!(route, "payment" | "payment_token" | "payment_complete");
    if with_stripe && takes_cards {
        Reach {
            policy: POLICY_WITH_STRIPE,
            opener: "same-origin-allow-popups",
            asks_google: false,
        }
    } else if takes_cards || route == "workspace" {
        Reach {
            policy: POLICY,
            opener: "same-origin",
            asks_google: false,
        }
    } else if with_recaptcha {
        Reach {
            policy: POLICY_WITH_RECAPTCHA,
            opener: "same-origin",
            asks_google: true,
        }
    } else {
        Reach {
            policy: POLICY_WITH_PLAYERS,
            opener: "same-origin",
            asks_google: false,
        }
    }
}

pub(super) struct Parts<'a> {
    pub(super) payload: &'a PagePayload,
    pub(super) json: &'a str,
    pub(super) body: &'a str,
    pub(super) json_ld: &'a [Value],
    pub(super) preload_image: Option<&'a str>,
    pub(super) entry: &'a Entry,
    /// Whose public keys the page is told.
    pub(super) recaptcha: Option<&'a RecaptchaKeys>,
}

pub(super) fn document(parts: &Parts<'_>) -> String {
    let lang = parts.payload.chrome["lang"]
        .as_str()
        .unwrap_or(Language::default().code());
    let mut page = String::with_capacity(parts.json.len() + parts.body.len() + 4_096);
    page.push_str("<!doctype html><html lang=\"");
    escape(lang, &mut page);
    page.push_str("\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    head(parts, &mut page);
    wear_brand(parts.payload, &mut page);
    page.push_str("</head><body><div id=\"root\">");
    page.push_str(parts.body);
    page.push_str("</div><script id=\"page-payload\" type=\"application/json\">");
    escape_json(parts.json, &mut page);
    if let Some(texts) = parts.entry.start_texts(lang) {
        page.push_str("</script><script id=\"start-texts\" type=\"application/json\">");
        escape_json(texts, &mut page);
    }
    page.push_str("</script></body></html>");
    page
}

fn head(parts: &Parts<'_>, page: &mut String) {
    let head = &parts.payload.head;
    page.push_str("<title>");
    escape(&head.title, page);
    page.push_str("</title>");
    meta(
        "description",
        Some(&head.description)
            .filter(|text| !text.is_empty())
            .map(String::as_str),
        page,
    );
    meta("keywords", head.keywords.as_deref(), page);
    meta("robots", Some(head.robots), page);
    let keys = parts.recaptcha;
    let keys = keys.map(|keys| format!("{} {}", keys.site_key, keys.v2_site_key));
    meta("recaptcha", keys.as_deref(), page);
    link("canonical", head.canonical.as_deref(), "", page);
    link("prev", head.prev.as_deref(), "", page);
    link("next", head.next.as_deref(), "", page);
    for alternate in &head.alternates {
        let href = Some(alternate.href.as_str());
        link(
            "alternate",
            href,
            &format!(" hreflang=\"{}\"", alternate.lang),
            page,
        );
        // Readers of languages that are not served get the site's own.
        if alternate.is_usual {
            link("alternate", href, " hreflang=\"x-default\"", page);
        }
    }
    link("sitemap", Some("/sitemap.xml"), " type=\"application/xml\"", page);
    property("og:title", Some(&head.title), page);
    property(
        "og:description",
        Some(&head.description)
            .filter(|text| !text.is_empty())
            .map(String::as_str),
        page,
    );
    property("og:url", head.canonical.as_deref(), page);
    property("og:image", head.image.as_deref(), page);
    meta("twitter:image", head.image.as_deref(), page);
    meta(
        "twitter:card",
        head.image.as_ref().map(|_| "summary_large_image"),
        page,
    );
    first_load(parts, page);
}

/// Marks, colours and the picture of shared links of a brand. The workspace has colours of its own.
fn wear_brand(payload: &PagePayload, page: &mut String) {
    let brand = &payload.chrome["brand"];
    let Some(icons) = brand["icons"].as_array() else {
        return;
    };
    for icon in icons {
        let (url, side) = (icon["url"].as_str(), &icon["width"]);
        // The size that devices of one maker ask for by a name of its own.
        let rel = if side == 180 { "apple-touch-icon" } else { "icon" };
        link(
            rel,
            url,
            &format!(" type=\"image/png\" sizes=\"{side}x{side}\""),
            page,
        );
    }
    meta("theme-color", brand["theme_colour"].as_str(), page);
    let shared = brand["shared"].as_str().filter(|_| payload.head.image.is_none());
    property("og:image", shared, page);
    let style = brand["style"].as_str().filter(|_| payload.route != "workspace");
    if let Some(style) = style {
        // Colours and fonts of ours: no letter of it can end the element.
        page.extend(["<style>", style, "</style>"]);
    }
}

/// Everything the browser should fetch at once.
fn first_load(parts: &Parts<'_>, page: &mut String) {
    link(
        "icon",
        Some("/assets/favicon.svg").filter(|_| parts.payload.chrome["brand"].is_null()),
        " type=\"image/svg+xml\"",
        page,
    );
    link("manifest", Some("/manifest.webmanifest"), "", page);
    let font = parts.entry.font.as_ref().map(|font| format!("/{font}"));
    link(
        "preload",
        font.as_deref(),
        " as=\"font\" type=\"font/woff2\" crossorigin",
        page,
    );
    link(
        "preload",
        parts.preload_image,
        " as=\"image\" fetchpriority=\"high\"",
        page,
    );
    for style in parts.entry.styles(parts.payload.route) {
        link("stylesheet", Some(&style), "", page);
    }
    let lang = parts.payload.chrome["lang"]
        .as_str()
        .unwrap_or(Language::default().code());
    for module in parts.entry.modules(parts.payload.route, lang) {
        link("modulepreload", Some(&module), "", page);
    }
    for ld in parts.json_ld {
        page.push_str("<script type=\"application/ld+json\">");
        escape_json(&ld.to_string(), page);
        page.push_str("</script>");
    }
    if let Some(script) = parts.entry.script(parts.payload.route) {
        page.push_str("<script type=\"module\" src=\"");
        escape(&script, page);
        page.push_str("\"></script>");
    }
}

fn meta(name: &str, content: Option<&str>, page: &mut String) {
    attribute_tag("meta name", name, "content", content, "", page);
}

fn property(name: &str, content: Option<&str>, page: &mut String) {
    attribute_tag("meta property", name, "content", content, "", page);
}

fn link(rel: &str, href: Option<&str>, more: &str, page: &mut String) {
    attribute_tag("link rel", rel, "href", href, more, page);
}

fn attribute_tag(tag: &str, name: &str, attribute: &str, value: Option<&str>, more: &str, page: &mut String) {
    let Some(value) = value else { return };
    let _ = write!(page, "<{tag}=\"{name}\" {attribute}=\"");
    escape(value, page);
    let _ = write!(page, "\"{more}>");
}

fn escape(text: &str, page: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            other => page.push(other),
        }
    }
}

/// JSON inside a script element: nothing in it may look like markup to the HTML parser.
fn escape_json(json: &str, page: &mut String) {
    for letter in json.chars() {
        match letter {
            '<' => page.push_str("\\u003c"),
            '>' => page.push_str("\\u003e"),
            '&' => page.push_str("\\u0026"),
            '\u{2028}' => page.push_str("\\u2028"),
            '\u{2029}' => page.push_str("\\u2029"),
            other => page.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_json_cannot_close_its_script() {
        let mut page = String::new();
        escape_json(r#"{"name":"</script><script>alert(1)"}"#, &mut page);
        assert!(!page.contains('<'));
        let back: Value = serde_json::from_str(&page).unwrap();
        assert_eq!(back["name"], "</script><script>alert(1)");
    }

    #[test]
    fn stripe_may_be_loaded_on_payment_pages_alone() {
        for (with_stripe, route, allowed) in [
            (true, "payment", true),
            (true, "payment_token", true),
            (true, "payment_complete", true),
            (true, "home", false),
            (true, "booking_form", false),
            (false, "payment_token", false),
        ] {
            let document = reach(with_stripe, true, route);
            assert_eq!(document.policy.contains("stripe.com"), allowed, "{route}");
            assert_eq!(document.opener.ends_with("-allow-popups"), allowed, "{route}");
        }
    }

    #[test]
    fn recaptcha_may_be_loaded_where_people_log_in_alone() {
        for (with_recaptcha, route, allowed) in [
            (true, "home", true),
            (true, "property", true),
            (true, "booking_form", true),
            (true, "payment", false),
            (true, "payment_token", false),
            (true, "workspace", false),
            (false, "home", false),
        ] {
            for with_stripe in [true, false] {
                let document = reach(with_stripe, with_recaptcha, route);
                assert_eq!(document.policy.contains("google.com"), allowed, "{route}");
                assert_eq!(document.asks_google, allowed, "{route}");
            }
        }
    }

    #[test]
    fn players_may_be_framed_where_homes_are_looked_at_alone() {
        for (route, allowed) in [
            ("property", true),
            ("home", true),
            ("search", true),
            ("payment_token", false),
            ("workspace", false),
        ] {
            for (with_stripe, with_recaptcha) in [(true, true), (true, false), (false, true), (false, false)]
            {
                let policy = reach(with_stripe, with_recaptcha, route).policy;
                assert_eq!(policy.contains(players!()), allowed, "{route}");
                // Stripe's and Google's frames are named beside the players or alone, but once.
                assert!(policy.matches("frame-src").count() <= 1, "{route}");
            }
        }
    }

    #[test]
    fn a_title_cannot_break_out_of_its_attribute() {
        let mut page = String::new();
        meta("description", Some("a\" onload=\"x"), &mut page);
        assert_eq!(
            page,
            "<meta name=\"description\" content=\"a&quot; onload=&quot;x\">"
        );
    }
}
