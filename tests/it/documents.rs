//! Documents of a paid booking (D93): what is taken and what is not, photos without the place where they were taken, links that
//! end, documents taken back.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::market::Market;
use crate::visitor::Visitor;

const GOOD_CARD: &str = "4242424242424242";
/// Exif that says: lies on its side, taken at a place.
const EXIF: &[u8] =
    b"Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0GPS 51.5 -0.1";

pub(crate) fn picture(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = DynamicImage::from(RgbImage::new(8, 8));
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A photo as a phone takes it.
pub(crate) fn photo() -> Vec<u8> {
    let plain = picture(ImageFormat::Jpeg);
    let length = u16::try_from(EXIF.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], b"\xFF\xE1", &length, EXIF, &plain[2..]].concat()
}

/// A PNG that says it has 400 million pixels.
fn bomb() -> Vec<u8> {
    let mut bomb = picture(ImageFormat::Png);
    bomb[16..24].copy_from_slice(&[0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20]);
    let sum = bomb[12..29].iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                (sum >> 1) ^ 0xEDB8_8320
            } else {
                sum >> 1
            }
        })
    });
    bomb[29..33].copy_from_slice(&(!sum).to_be_bytes());
    bomb
}

/// A payer whose booking is paid, with its form.
pub(crate) async fn paid(market: &Market) -> (Visitor<'_>, String) {
    let mut buyer = market.person(1, 0);
    "jo@example.com".clone_into(&mut buyer.email);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD_CARD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let jo = Visitor::new(&market.server);
    jo.log_in("jo@example.com").await;
    let asked = json!({ "booking_form": { "lead_uuid": buyer.lead_of(&token), "inventory_id": buyer.room } });
    let form = jo.post("/api/v0/booking_forms", asked).await.data().clone();
    (
        jo,
        format!("/api/v0/booking_forms/{}", form["form_uuid"].as_str().unwrap()),
    )
}

/// A file sent: the status and the answer.
pub(crate) async fn send(
    market: &Market,
    jo: &Visitor<'_>,
    form: &str,
    bytes: Vec<u8>,
) -> (StatusCode, Value) {
    let url = market.server.url(&format!("{form}/documents"));
    let sending = jo
        .client()
        .post(url)
        .header("x-file-name", "pass.jpg")
        .body(bytes);
    let sent = sending.send().await.unwrap();
    (sent.status(), sent.json().await.unwrap())
}

async fn fetch(market: &Market, jo: &Visitor<'_>, link: &str) -> (StatusCode, Vec<u8>) {
    let got = jo.client().get(market.server.url(link)).send().await.unwrap();
    (got.status(), got.bytes().await.unwrap().to_vec())
}

/// A photo is kept without its place; a damaged file, a bomb and another kind are each refused with what to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_are_cleaned_replaced_and_taken_back() {
    let market = Market::open(&[3], &[]).await;
    let (jo, form) = paid(&market).await;
    let half = picture(ImageFormat::Png);
    for (bytes, code) in [
        (b"<html>".to_vec(), "document_kind"),
        (half[..half.len() / 2].to_vec(), "document_damaged"),
        (bomb(), "document_pixels"),
    ] {
        let (status, refused) = send(&market, &jo, &form, bytes).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
        assert_eq!(refused["errors"][0]["code"], code, "{refused}");
        assert_eq!(refused["errors"][0]["field"], "file");
    }
    let (status, sent) = send(&market, &jo, &form, photo()).await;
    assert_eq!(status, StatusCode::CREATED, "{sent}");
    let (id, link) = (sent["data"]["id"].clone(), sent["data"]["href"].as_str().unwrap());
    let (_, kept) = fetch(&market, &jo, link).await;
    assert!(kept.starts_with(b"\xFF\xD8\xFF") && !kept.windows(3).any(|part| part == b"GPS"));
    let fields =
        json!({ "fields": { "identity_number": { "value": "P1" }, "identity_file": { "value": id } } });
    let section = format!("{form}/sections/confirmation_documents");
    jo.call(Method::PATCH, &section, Some(fields), &[]).await.data();

    // The link opens one document, for whom the form opens, for ten minutes.
    let (status, _) = fetch(&market, &Visitor::new(&market.server), link).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, second) = send(&market, &jo, &form, picture(ImageFormat::Png)).await;
    assert_eq!(status, StatusCode::CREATED, "{second}");
    let other = second["data"]["id"].as_str().unwrap();
    let forged = link.replace(id.as_str().unwrap(), other);
    assert_eq!(fetch(&market, &jo, &forged).await.0, StatusCode::NOT_FOUND);
    jo.wait(601).await;
    assert_eq!(fetch(&market, &jo, link).await.0, StatusCode::NOT_FOUND);

    let address = format!("{form}/documents/{}", id.as_str().unwrap());
    jo.delete(&address).await.data();
    assert_eq!(jo.delete(&address).await.status, StatusCode::NOT_FOUND);
    let left = jo.get(&form).await.data().clone();
    assert_eq!(left["documents"].as_array().unwrap().len(), 1, "{left}");
    assert_eq!(
        left["sections"]["confirmation_documents"],
        json!({ "identity_number": "P1" })
    );
    if market.server.database_name().is_none() {
        let files = std::fs::read_dir(market.server.folder().join("documents")).unwrap();
        assert_eq!(files.count(), 1);
    }
}
