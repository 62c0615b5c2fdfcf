use image::ImageReader;

use super::*;

fn svg(inner: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"0 0 40 20\">{inner}</svg>"
    )
    .into_bytes()
}

fn fault(bytes: &[u8]) -> Option<PictureFault> {
    make_picture(bytes).err()
}

fn file<'m>(made: &'m MadePicture, name: &str) -> &'m [u8] {
    let found = made.files.iter().find(|(file, _)| *file == name);
    &found.unwrap().1
}

fn decoded(bytes: &[u8]) -> RgbaImage {
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .unwrap();
    reader.decode().unwrap().into_rgba8()
}

#[test]
fn drawing_becomes_pixels_of_every_size() {
    let made = make_picture(&svg("<rect width=\"40\" height=\"20\" fill=\"#7A2E5D\"/>")).unwrap();
    assert_eq!(
        (made.format, made.width, made.height),
        (BrandFormat::Svg, 320, 160)
    );
    let logo = decoded(file(&made, LOGO_FILE));
    assert_eq!(logo.get_pixel(10, 10).0, [0x7a, 0x2e, 0x5d, 255]);
    for (side, name) in ICONS {
        let icon = decoded(file(&made, name));
        assert_eq!(icon.dimensions(), (side, side));
        let corner = icon.get_pixel(0, 0).0[3];
        assert_eq!(corner, if side == OPAQUE_ICON { 255 } else { 0 }, "{name}");
    }
    assert_eq!(decoded(file(&made, SHARED_FILE)).dimensions(), SHARED);
    // Nobody is given the drawing.
    assert!(made.files.iter().all(|(_, bytes)| !bytes.starts_with(b"<")));
}

#[test]
fn small_picture_is_not_blown_up_as_a_logo() {
    let small = write_png(RgbaImage::from_pixel(60, 30, Rgba([1, 2, 3, 255]))).unwrap();
    let made = make_picture(&small).unwrap();
    assert_eq!((made.format, made.width, made.height), (BrandFormat::Png, 60, 30));
}

#[test]
fn drawing_that_reaches_out_is_refused() {
    use PictureFault::{Outside, Script, Text, TooComplex};
    for (inner, wanted) in [
        ("<script>alert(1)</script>", Script),
        ("<rect width=\"1\" height=\"1\" onload=\"alert(1)\"/>", Script),
        ("<foreignObject><p/></foreignObject>", Script),
        ("<image href=\"https://elsewhere.example/a.png\"/>", Outside),
        ("<image xlink:href=\"/etc/passwd\"/>", Outside),
        (
            "<a xlink:href=\"javascript:alert(1)\"><rect width=\"1\" height=\"1\"/></a>",
            Outside,
        ),
        ("<use href=\"other.svg#mark\"/>", Outside),
        (
            "<rect width=\"1\" height=\"1\" fill=\"url(https://elsewhere.example/a.svg#b)\"/>",
            Outside,
        ),
        (
            "<style>@import 'https://elsewhere.example/a.css';</style>",
            Outside,
        ),
        ("<text>Quayside</text>", Text),
        ("<filter id=\"f\"><feTurbulence/></filter>", TooComplex),
    ] {
        assert_eq!(fault(&svg(inner)), Some(wanted), "{inner}");
    }
}

#[test]
fn drawing_that_grows_without_end_is_refused() {
    let nested = "<g id=\"a\"><rect width=\"1\" height=\"1\"/></g><g id=\"b\"><use href=\"#a\"/><use href=\"#a\"/></g><use href=\"#b\"/>";
    assert_eq!(fault(&svg(nested)), Some(PictureFault::TooComplex));
    let deep = format!("{}{}", "<g opacity=\".9\">".repeat(60), "</g>".repeat(60));
    assert_eq!(fault(&svg(&deep)), Some(PictureFault::TooComplex));
    let markers = "<marker id=\"a\"><path d=\"M0 0h1v1h1v1\"/></marker><path marker-mid=\"url(#a)\" d=\"M0 0h1v1h1v1\"/>";
    assert_eq!(fault(&svg(markers)), Some(PictureFault::TooComplex));
    let masks = (0..60).map(|mask| format!("<mask id=\"m{mask}\" mask=\"url(#m{})\"/>", mask + 1));
    let masks: Vec<String> = masks.collect();
    assert_eq!(fault(&svg(&masks.concat())), Some(PictureFault::TooComplex));
    let many = "<rect width=\"1\" height=\"1\"/>".repeat(2_001);
    assert_eq!(fault(&svg(&many)), Some(PictureFault::TooComplex));
    let definitions = b"<!DOCTYPE svg [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><svg xmlns=\"http://www.w3.org/2000/svg\">&b;</svg>";
    assert_eq!(fault(definitions), Some(PictureFault::Damaged));
}

#[test]
fn anything_else_is_no_picture() {
    assert_eq!(fault(b"<html></html>"), Some(PictureFault::NotAPicture));
    assert_eq!(fault(b"%PDF-1.7"), Some(PictureFault::NotAPicture));
    assert_eq!(fault(b"\x89PNG\r\n\x1a\n"), Some(PictureFault::Damaged));
    assert_eq!(fault(&svg("<rect")), Some(PictureFault::Damaged));
    let strip = write_png(RgbaImage::new(220, 20)).unwrap();
    assert_eq!(fault(&strip), Some(PictureFault::TooLong));
}

#[test]
fn brand_without_a_mark_has_a_plain_one_in_its_colour() {
    let drawn = draw_mark("#7A2E5D".parse().unwrap(), "icon-32.png")
        .unwrap()
        .unwrap();
    let icon = decoded(&drawn);
    assert_eq!(icon.get_pixel(16, 2).0, [0x7a, 0x2e, 0x5d, 255]);
    assert!(draw_mark("#7A2E5D".parse().unwrap(), "logo.png").is_none());
}
