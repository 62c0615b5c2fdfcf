//! A host of photos for stories, on this machine, and the feed that names them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{StatusCode, Uri};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::Value;
use tests::Server;
use tokio::sync::Semaphore;

use crate::market::until;
use crate::visitor::Visitor;

/// A note about orientation and a camera's maker, as phones write it: turn right.
const NOTE: &[u8] =
    b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02\x01\x0f\0\x02\0\0\0\x04Rico\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
/// The address of the home in [`import_home`].
pub(crate) const HOME: &str = "aspen-hall-p-1";

/// A photo of one colour.
pub(crate) fn photo(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let picture: DynamicImage = RgbImage::from_pixel(width, height, Rgb(colour)).into();
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

/// A header of 64 megapixels before a few bytes.
pub(crate) fn bomb() -> Vec<u8> {
    let mut bytes = photo(64, 64, [90, 20, 20]);
    let frame = bytes
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap();
    let side = 8_000_u16.to_be_bytes();
    bytes[frame + 5..frame + 7].copy_from_slice(&side);
    bytes[frame + 7..frame + 9].copy_from_slice(&side);
    bytes
}

/// The same as a phone writes it that is held upright: lying, with a note.
pub(crate) fn noted(photo: &[u8]) -> Vec<u8> {
    let length = u16::try_from(NOTE.len() + 2).unwrap().to_be_bytes();
    [&photo[..2], &[0xff, 0xe1], &length, NOTE, &photo[2..]].concat()
}

/// The host of some files.
pub(crate) struct PhotoHost {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    /// One permit for each answer.
    answers: Arc<Semaphore>,
}

impl PhotoHost {
    /// Answers with these files by their names, and with 404 for all others.
    pub(crate) async fn start(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self::start_with(files, Semaphore::MAX_PERMITS).await
    }

    /// The same for so many answers; later ones wait for [`PhotoHost::answer_all`].
    pub(crate) async fn start_with(files: BTreeMap<String, Vec<u8>>, answers: usize) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let answers = Arc::new(Semaphore::new(answers));
        let (files, heard, permits) = (Arc::new(files), asked.clone(), answers.clone());
        let answer = move |uri: Uri| {
            let name = uri.path().trim_start_matches('/').to_owned();
            let found = files.get(&name).cloned();
            heard.lock().unwrap().push(name);
            let permits = permits.clone();
            async move {
                permits.acquire().await.unwrap().forget();
                found.ok_or(StatusCode::NOT_FOUND)
            }
        };
        let host = Router::new().fallback(answer);
        tokio::spawn(async move { axum::serve(listener, host).await });
        Self {
            address,
            asked,
            answers,
        }
    }

    /// Answers every call from now on.
    pub(crate) fn answer_all(&self) {
        self.answers.add_permits(1_000);
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// The setting that lets servers call it.
    pub(crate) fn socket(&self) -> String {
        self.address.to_string()
    }

    /// Counts how often a file was asked for.
    pub(crate) fn asked(&self, name: &str) -> usize {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|other| *other == name).count()
    }
}

/// Imports a home in Leeds with photos at these addresses for the first time.
pub(crate) fn import_home(server: &Server, photos: &[String]) {
    let said = import_feed(server, photos);
    assert!(said.contains("1 added"), "{said}");
}

/// Imports the feed of this home; gives the words of the command.
pub(crate) fn import_feed(server: &Server, photos: &[String]) -> String {
    let rows = format!(
        "id,name,country,city,lat,lng,price,currency,price_per,room_type,photos\n\
         p-1,Aspen Hall,GB,Leeds,53.8,-1.55,185,GBP,week,Ensuite Room,{}\n",
        photos.join(" ")
    );
    let map = "feed = \"photos\"\n[columns]\nmove_in = { value = \"2028-09-01\" }\nlength = { value = \"40 weeks\" }\n";
    let [feed, file, report] = ["photos.csv", "photos.toml", "errors.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, rows).unwrap();
    std::fs::write(&file, map).unwrap();
    let [feed, file, report] = [&feed, &file, &report].map(|path| path.to_str().unwrap());
    server.run(&["import", feed, "--map", file, "--report", report])
}

/// The payload of the home's page once it shows so many photos.
pub(crate) async fn home_with(visitor: &Visitor<'_>, photos: usize) -> Value {
    until(|| async {
        let page = visitor.get(&format!("/_page?url=/places/{HOME}")).await.body["data"].clone();
        let shown = page["data"]["photos"].as_array().map(Vec::len);
        (shown == Some(photos)).then_some(page)
    })
    .await
}

/// The addresses of all sizes of the photos of a page.
pub(crate) fn list_files(page: &Value) -> Vec<String> {
    let photos = page["data"]["photos"].as_array().unwrap();
    let sources = photos
        .iter()
        .flat_map(|photo| photo["sources"].as_array().unwrap());
    sources
        .flat_map(|source| [&source["webp"], &source["jpeg"]])
        .map(|path| path.as_str().unwrap().to_owned())
        .collect()
}
