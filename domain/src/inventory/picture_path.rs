//! The addresses at which the drawings of a [`Picture`] are served, relative to the site.

use super::property::Picture;

/// Where a picture is served.
pub fn picture_path(picture: &Picture) -> String {
    format!("{}.svg", drawing_path(picture))
}

/// Where it is served as pixels for a mail: wide enough for the column on a sharp screen.
pub fn mail_picture_path(picture: &Picture) -> String {
    format!("{}.720.jpg", drawing_path(picture))
}

fn drawing_path(picture: &Picture) -> String {
    let variant = if picture.variant.is_empty() {
        String::new()
    } else {
        format!("-{}", picture.variant)
    };
    format!("/pictures/{}/{}{variant}", picture.seed, picture.kind.key())
}
