//! The face of the house around a mail: mark and name above it, small print below it.

use domain::brand::colour::INK;
use platform::config::Settings;

use crate::mail_page::{MailFace, wear_face};

/// Text and page of a mail under the face of the house; as they were where the house has none of its own. Text messages have no page, and
/// show neither.
pub(crate) fn wear_brand(
    settings: &Settings,
    name: &str,
    (body, html): (String, Option<String>),
) -> (String, Option<String>) {
    let Some(page) = html.as_deref().filter(|_| settings.has_own_brand()) else {
        return (body, html);
    };
    let brand = settings.house_brand();
    let (path, width, height) = brand.mark(brand.look.logo);
    let face = MailFace {
        name: name.to_owned(),
        mark: (format!("{}{path}", settings.public_url()), width, height),
        colour: brand.palette.map_or(INK, |palette| palette.brand).to_string(),
        small_print: brand.look.mail_small_print.clone(),
    };
    let page = wear_face(page, &face);
    if face.small_print.is_empty() {
        return (body, Some(page));
    }
    // Two dashes and a space set off what stands under every mail (RFC 3676, 4.3).
    (
        format!("{body}\n\n-- \n{}", face.small_print.join("\n")),
        Some(page),
    )
}
