//! Uploads that are made to do harm: pictures that say they are huge, and photos that carry more than their picture (D93, T27).

use std::fs;

use image::ImageFormat;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::Server;

use crate::documents::{paid, photo, picture, send};
use crate::market::Market;
use crate::shared_forms::{address, begin, change_form, merge};
use crate::visitor::{Visitor, some_property};

/// What the resident memory of the server may grow by over all these uploads: far less than one of them decoded.
const GROWTH_KB: u64 = 96 * 1024;

/// A PNG that says it is as large and deep as this.
fn png(side: u32, depth: u8, colour: u8) -> Vec<u8> {
    let mut bytes = picture(ImageFormat::Png);
    bytes[16..20].copy_from_slice(&side.to_be_bytes());
    bytes[20..24].copy_from_slice(&side.to_be_bytes());
    (bytes[24], bytes[25]) = (depth, colour);
    let sum = bytes[12..29].iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xEDB8_8320 * (sum & 1))
        })
    });
    bytes[29..33].copy_from_slice(&(!sum).to_be_bytes());
    bytes
}

fn part(name: [u8; 4], contents: &[u8]) -> Vec<u8> {
    let length = u32::try_from(contents.len() + 8).unwrap().to_be_bytes();
    [&length[..], &name, contents].concat()
}

fn item(id: u8, kind: [u8; 4]) -> Vec<u8> {
    part(*b"infe", &[&[2, 0, 0, 0, 0, id, 0, 0], &kind[..], &[0]].concat())
}

/// A HEIC of one picture and its Exif, as phones write it.
fn heic(side: u32) -> Vec<u8> {
    let exif = b"Exif GPS 51.5 -0.1";
    let name = part(*b"ftyp", b"heic\0\0\0\0mif1");
    let infos = part(
        *b"iinf",
        &[&[0, 0, 0, 0, 0, 2][..], &item(1, *b"hvc1"), &item(2, *b"Exif")].concat(),
    );
    let spatial = part(
        *b"ispe",
        &[[0; 4], side.to_be_bytes(), side.to_be_bytes()].concat(),
    );
    let properties = part(*b"iprp", &part(*b"ipco", &spatial));
    let places = |begins: u32| {
        let row = |id: u8, at: u32, length: u32| {
            [&[0, id, 0, 0, 0, 1][..], &at.to_be_bytes(), &length.to_be_bytes()].concat()
        };
        let length = u32::try_from(exif.len()).unwrap();
        let rows = [row(1, begins + length, 4), row(2, begins, length)].concat();
        part(*b"iloc", &[&[0, 0, 0, 0, 0x44, 0, 0, 2][..], &rows].concat())
    };
    let meta = |begins| {
        part(
            *b"meta",
            &[&[0; 4][..], &infos, &properties, &places(begins)].concat(),
        )
    };
    let begins = u32::try_from(name.len() + meta(0).len() + 8).unwrap();
    [
        name,
        meta(begins),
        part(*b"mdat", &[&exif[..], &[1, 2, 3, 4]].concat()),
    ]
    .concat()
}

/// Peak resident memory of the server, in kB.
pub(crate) fn peak_kb(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A picture that says it is huge is refused by its field, for what it says alone: nothing of it is decoded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn picture_bombs_are_refused_without_memory() {
    let market = Market::open(&[3], &[]).await;
    let (jo, form) = paid(&market).await;
    let (status, sent) = send(&market, &jo, &form, heic(4_000)).await;
    assert_eq!(status, StatusCode::CREATED, "{sent}");
    let link = sent["data"]["href"].as_str().unwrap();
    let kept = jo.client().get(market.server.url(link)).send().await.unwrap();
    let kept = kept.bytes().await.unwrap();
    assert!(!kept.windows(3).any(|part| part == b"GPS"), "the place is gone");
    assert!(kept.ends_with(&[1, 2, 3, 4]), "the picture is not");

    let before = peak_kb(&market.server);
    // Too many pixels; few enough pixels of 8 bytes each; a picture of a picture.
    let bombs = [
        png(20_000, 8, 2),
        png(7_000, 16, 6),
        png(60_000, 8, 2),
        heic(60_000),
        heic(u32::MAX),
    ];
    for bomb in bombs {
        let (status, refused) = send(&market, &jo, &form, bomb).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
        let error = &refused["errors"][0];
        assert_eq!(
            (&error["field"], &error["code"]),
            (&json!("file"), &json!("document_pixels")),
            "{refused}"
        );
    }
    let grown = peak_kb(&market.server).saturating_sub(before);
    assert!(grown < GROWTH_KB, "{grown} kB");
}

/// A PDF that runs a script or carries a file is refused with the way out; a plain one with a link and a page to open at is taken.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn active_pdf_is_refused_with_the_way_out() {
    let market = Market::open(&[3], &[]).await;
    let (jo, form) = paid(&market).await;
    let pdf = |entries: &str| {
        format!("%PDF-1.7\n1 0 obj\n<< /Type /Catalog {entries} >>\nendobj\nstartxref\n9\n%%EOF\n")
            .into_bytes()
    };
    for entries in [
        "/OpenAction << /S /JavaScript /JS (app.alert(1)) >>",
        "/OpenAction << /S /J#61vaScript /JS 5 0 R >>",
        "/AA << /WC << /S /Launch /F (cmd.exe) >> >>",
        "/OpenAction << /S /GoToR /F (elsewhere.pdf) >>",
        "/Encrypt 9 0 R",
        "/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>",
    ] {
        let (status, refused) = send(&market, &jo, &form, pdf(entries)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{entries}: {refused}");
        let fault = &refused["errors"][0];
        assert_eq!(
            (&fault["field"], &fault["code"]),
            (&json!("file"), &json!("document_active"))
        );
        assert!(
            fault["message"]
                .as_str()
                .unwrap()
                .contains("Print it as a new PDF"),
            "{refused}"
        );
    }
    let plain = pdf("/OpenAction [3 0 R /Fit] /Annots [<< /A << /S /URI /URI (https://example.com) >> >>]");
    let (status, sent) = send(&market, &jo, &form, plain).await;
    assert_eq!(status, StatusCode::CREATED, "{sent}");
}

/// What stands behind the end of a picture, such as a second photo with its place, is not kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photo_loses_what_stands_behind_its_picture() {
    let market = Market::open(&[3], &[]).await;
    let (jo, form) = paid(&market).await;
    for whole in [photo(), picture(ImageFormat::Png)] {
        let behind = [&whole[..], &photo(), b"GPS 51.5 -0.1 hidden"].concat();
        let (status, sent) = send(&market, &jo, &form, behind).await;
        assert_eq!(status, StatusCode::CREATED, "{sent}");
        let link = sent["data"]["href"].as_str().unwrap();
        let kept = jo.client().get(market.server.url(link)).send().await.unwrap();
        let kept = kept.bytes().await.unwrap();
        for word in [&b"GPS"[..], b"hidden", b"Exif\0\0MM\0\x2A\0\0\0\x08\0\x02"] {
            assert!(!kept.windows(word.len()).any(|part| part == word), "{word:?}");
        }
        assert!(kept.ends_with(b"\xFF\xD9") || kept.ends_with(b"IEND\xAE\x42\x60\x82"));
    }
}

/// A form that was sent stands as it was sent: its document can be neither taken back nor put away by another section.
#[tokio::test]
async fn submitted_form_keeps_its_document() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let asked = json!({ "sections": [{ "key": "personal_form", "hidden": false, "step": 2, "last": true, "after_payment": false,
        "fields": [{ "key": "full_name", "type": "text", "required": true }, { "key": "passport", "type": "file", "required": true }] }] });
    let asked = serde_json::from_value(asked).unwrap();
    change_form(&server, &home, |property| property.custom_form = Some(asked)).await;
    let form = begin(&mei, &home).await;
    let sent = mei
        .client()
        .post(server.url(&address(&form, "/documents")))
        .header("x-file-name", "pass.png")
        .body(picture(ImageFormat::Png))
        .send();
    let sent: serde_json::Value = sent.await.unwrap().json().await.unwrap();
    let document = sent["data"]["id"].as_str().unwrap();
    let fields = [("full_name", "Mei Lin", ""), ("passport", document, "")];
    merge(&mei, &form, &fields, json!({ "complete": true }))
        .await
        .data();
    mei.post(&address(&form, "/submit"), json!({})).await.data();
    let path = address(&form, &format!("/documents/{document}"));
    let refused = mei.delete(&path).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "already_submitted")
    );
    let section = address(&form, "/sections/personal_form");
    let emptied = json!({ "fields": { "passport": { "value": "" } } });
    let refused = mei.call(Method::PATCH, &section, Some(emptied), &[]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    let kept = mei.get(&address(&form, "")).await.data().clone();
    assert_eq!(kept["documents"].as_array().unwrap().len(), 1, "{kept}");
    let file = mei
        .client()
        .get(server.url(kept["documents"][0]["href"].as_str().unwrap()));
    assert_eq!(file.send().await.unwrap().status(), StatusCode::OK);
}
