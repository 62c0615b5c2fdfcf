//! A host of feeds for stories, on this machine: the servers of a story may call its socket, and no other one here.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::receiver::{Answer, Received, Receiver};

/// Reads the rows of [`rows`].
pub(crate) const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/import/listings.toml");
/// What no page, no sentence and no line of the log may hold.
pub(crate) const SECRET: &str = "not-for-others";

/// A feed of so many homes in Leeds.
pub(crate) fn rows(homes: usize) -> String {
    let head =
        "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365\n";
    let rows: Vec<String> = (1..=homes)
        .map(|number| {
            format!("u-{number},Aspen Hall {number},GB,Leeds,53.8,-1.5,50,GBP,night,Private room,,\n")
        })
        .collect();
    format!("{head}{}", rows.concat())
}

/// A feed as a host answers with it.
pub(crate) fn feed(body: String) -> Answer {
    Answer {
        headers: vec![("content-type", "text/csv".to_owned())],
        body,
        ..Answer::status(200)
    }
}

/// What the host does now.
pub(crate) struct Weather {
    pub status: u16,
    pub homes: usize,
    pub pause: Duration,
}

/// The host of one feed.
pub(crate) struct FeedHost {
    receiver: Receiver,
    weather: Arc<Mutex<Weather>>,
}

impl FeedHost {
    /// Answers with a feed of so many homes and its mark, and with 304 whoever brings that mark back.
    pub(crate) fn start(homes: usize) -> Self {
        let weather = Arc::new(Mutex::new(Weather {
            status: 200,
            homes,
            pause: Duration::ZERO,
        }));
        let now = weather.clone();
        let receiver = Receiver::start(move |asked, _| answer(asked, &now.lock().unwrap()));
        Self { receiver, weather }
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Weather)) {
        change(&mut self.weather.lock().unwrap());
    }

    /// How often it was asked.
    pub(crate) fn asked(&self) -> usize {
        self.receiver.received().len()
    }

    /// The mark that each request brought back; empty where it brought none.
    pub(crate) fn marks(&self) -> Vec<String> {
        let received = self.receiver.received();
        let marks = received.iter().map(|one| one.header("if-none-match").to_owned());
        marks.collect()
    }

    /// The setting that lets servers call it.
    pub(crate) fn socket(&self) -> String {
        format!("127.0.0.1:{}", self.receiver.port)
    }

    /// A file of the setting `feeds` that has it fetched every six hours, under the name `leeds`.
    pub(crate) fn feeds_file(&self) -> String {
        format!(
            "[[feed]]\nname = \"leeds\"\nurl = \"http://{}/leeds.csv?key={SECRET}\"\nmap = {MAP:?}\nevery = \"6h\"\n",
            self.socket()
        )
    }
}

fn answer(asked: &Received, weather: &Weather) -> Answer {
    if weather.status != 200 {
        return Answer {
            pause: weather.pause,
            ..Answer::status(weather.status)
        };
    }
    let mark = format!("\"{}\"", weather.homes);
    if asked.header("if-none-match") == mark {
        return Answer::status(304);
    }
    let mut answer = feed(rows(weather.homes));
    answer.headers.push(("etag", mark));
    answer.pause = weather.pause;
    answer
}
