//! The face of a site around a mail: mark and name above it, small print below it.

use domain::brand::colour::INK;
use platform::config::brand::ServedFace;

use crate::mail_page::{MailFace, wear_face};

/// Text and page of a mail under the face of the site whose address begins so; as they were where that is the face that ships. Text messages
/// have no page, and show neither.
pub(crate) fn wear_brand(
    origin: &str,
    face: &ServedFace,
    (body, html): (String, Option<String>),
) -> (String, Option<String>) {
    let Some(page) = html.as_deref().filter(|_| face.is_own) else {
        return (body, html);
    };
    let brand = &face.brand;
    let (path, width, height) = brand.mark(brand.look.logo);
    let shown = MailFace {
        name: face.name.clone(),
        mark: (format!("{origin}{path}"), width, height),
        colour: brand.palette.map_or(INK, |palette| palette.brand).to_string(),
        small_print: brand.look.mail_small_print.clone(),
    };
    let page = wear_face(page, &shown);
    if shown.small_print.is_empty() {
        return (body, Some(page));
    }
    // Two dashes and a space set off what stands under every mail (RFC 3676, 4.3).
    (
        format!("{body}\n\n-- \n{}", shown.small_print.join("\n")),
        Some(page),
    )
}
