//! R13 after every story: what was served is what the log says. A server that has written something answers a fixed set of
//! searches, is killed, has every read model folded anew and compared with the rows that served, and after another start,
//! with a search index folded from nothing, gives the same answers.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::Server;
use crate::sample::{self, Dice};

/// Every way of asking: pages, orders, filters, counts, the map, words, regions, and what is near.
const SEARCHES: [&str; 10] = [
    "/api/v1/inventories?limit=100&pins=true",
    "/api/v1/inventories?limit=30&p=2&sort_key=available_price&sort_order=asc&facets=true",
    "/api/v1/inventories?limit=30&sort_key=created&sort_order=desc&available=true",
    "/api/v1/inventories?limit=30&roomType=ensuite_room&features=gym&features_and=true",
    "/api/v1/inventories?limit=30&name=house&lang=zh",
    "/api/v1/inventories?limit=30&region_type=bounds&region_bounds_lat1=-80&region_bounds_lng1=-170&region_bounds_lat2=80&region_bounds_lng2=170",
    "/api/v0/inventories?limit=50",
    "/api/v0/regions?limit=1000",
    "/api/v0/regions/nearby_places?id=leeds",
    "/api/v0/search/suggest?q=le",
];
/// A server that stands still or is swamped answers nothing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two starts the log may go on by itself: a hold runs out, a payment is settled. Then it is looked at once more.
const LOOKS: usize = 3;

/// Of four stories that end, how many compare answers besides rows: in the gate, and in all. A start, a search index and twenty searches
/// cost as much as most stories.
const ANSWERS: &str = "LATCHKEY_TEST_ANSWERS";
const ANSWERS_USUALLY: (usize, usize) = (1, OF_STORIES);
const OF_STORIES: usize = 4;

/// How much is compared with the log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    /// The rows of every read model.
    Rows,
    /// Also what the server answers after another start.
    Answers,
}

impl Compared {
    /// Draws how much the story that ends now compares.
    pub(crate) fn draw() -> Self {
        let asked = sample::rounds(ANSWERS, ANSWERS_USUALLY.0, ANSWERS_USUALLY.1);
        let drawn = Dice::new(sample::seed()).place(OF_STORIES);
        if drawn < asked { Self::Answers } else { Self::Rows }
    }
}

/// The answers of a live server, and the position that they are of.
pub(crate) struct Served {
    head: u64,
    answers: Vec<(u16, String)>,
}

/// The log's last position, as the server says.
pub(crate) fn head(url: &str) -> Option<u64> {
    let (_, body) = ask(url, "/readyz", 0)?;
    serde_json::from_str::<Value>(&body).ok()?["head"].as_u64()
}

/// Asks everything of one position; `None` when the server does not answer or does not rest.
fn served(url: &str) -> Option<Served> {
    for _ in 0..LOOKS {
        let before = head(url)?;
        let answers: Option<Vec<_>> = SEARCHES.iter().map(|path| ask(url, path, before)).collect();
        if head(url)? == before {
            let answers = answers?;
            return Some(Served {
                head: before,
                answers,
            });
        }
    }
    None
}

/// The status and the body of an answer. The tests' own crates speak HTTP asynchronously; a `drop` cannot.
fn ask(url: &str, path: &str, position: u64) -> Option<(u16, String)> {
    let address = url.strip_prefix("http://")?;
    let mut line = TcpStream::connect(address).ok()?;
    line.set_read_timeout(Some(PATIENCE)).ok()?;
    // HTTP 1.0: the answer ends where the connection does.
    let request =
        format!("GET {path} HTTP/1.0\r\nhost: {address}\r\nx-latchkey-position: {position}\r\n\r\n");
    line.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    line.read_to_end(&mut answer).ok()?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (top, body) = answer.split_once("\r\n\r\n")?;
    let status = top.split(' ').nth(1)?.parse().ok()?;
    let mut body: Value = serde_json::from_str(body).ok()?;
    // A refusal names its request.
    body.as_object_mut()?.remove("request_id");
    leave_out_the_day(&mut body);
    Some((status, body.to_string()))
}

/// The calendar chooses these: a clock that was put forward, or midnight, makes another home that of the day, and lets one be moved into
/// at once.
const OF_THE_DAY: [&str; 2] = ["property_of_the_day", "immediate_move_in"];

fn leave_out_the_day(answer: &mut Value) {
    match answer {
        Value::Array(items) => {
            items.retain(|item| {
                !item["kind"]
                    .as_str()
                    .is_some_and(|kind| OF_THE_DAY.contains(&kind))
            });
            items.iter_mut().for_each(leave_out_the_day);
        }
        Value::Object(fields) => fields.values_mut().for_each(leave_out_the_day),
        _ => {}
    }
}

/// What a story's server served and what its log says are compared; gives what differs, in sentences.
pub(crate) fn compare(server: &mut Server, compared: Compared) -> Vec<String> {
    if !server.folder().exists() {
        // The story threw everything away.
        return Vec::new();
    }
    let lives = server.ended().is_none();
    let now = if lives { head(&server.url("")) } else { None };
    if lives && (now.is_none() || now == server.began) {
        return Vec::new();
    }
    let mut before = if lives && compared == Compared::Answers {
        served(&server.url(""))
    } else {
        None
    };
    server.kill();
    let mut found = rows(server);
    for _ in 0..LOOKS {
        let Some(known) = before.take() else { break };
        server.restart();
        let Some(again) = served(&server.url("")) else {
            break;
        };
        server.kill();
        if again.head == known.head {
            found.extend(apart(&known, &again));
            break;
        }
        before = Some(again);
    }
    found
}

fn rows(server: &Server) -> Vec<String> {
    let output = server
        .command(&["rebuild", "--compare"])
        .output()
        .unwrap_or_else(|error| panic!("latchkey rebuild did not start: {error}"));
    if output.status.success() {
        return Vec::new();
    }
    let said = [output.stdout, output.stderr].concat();
    vec![String::from_utf8_lossy(&said).into_owned()]
}

fn apart(known: &Served, again: &Served) -> Vec<String> {
    let pairs = known.answers.iter().zip(&again.answers).zip(SEARCHES);
    let differ = pairs.filter(|((one, other), _)| one != other && one.0 != 429 && other.0 != 429);
    let told = differ.map(|(((status, one), (after, other)), path)| {
        let place = one
            .bytes()
            .zip(other.bytes())
            .take_while(|(one, other)| one == other);
        let from = place.count().saturating_sub(100);
        let part = |body: &str| {
            String::from_utf8_lossy(&body.as_bytes()[from.min(body.len())..])
                .chars()
                .take(300)
                .collect::<String>()
        };
        format!(
            "{path} at {}: served {status} …{}, folded anew {after} …{}",
            known.head,
            part(one),
            part(other)
        )
    });
    told.collect()
}
