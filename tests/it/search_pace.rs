//! How fast the real server answers people who search: every kind of question on the demo catalogue, over HTTP, alone and in
//! a crowd. It measures and judges nothing: docs/reference/testing.md says how to run it for figures. The seed fixes the questions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tests::sample::{Dice, Sample};
use tests::{Server, sample};

/// Questions besides one of each kind: in the gate, and in all; a measurement asks more.
const QUESTIONS: &str = "SEARCH_QUESTIONS";
const QUESTIONS_USUALLY: (usize, usize) = (1, 120);
/// People who ask at the same time in the second round.
const CROWD: usize = 32;
/// What the wire costs: an answer for which nothing is looked up.
const NOTHING: &str = "nothing asked";

/// Kinds of questions with their share of a hundred, after the searches that people make.
const KINDS: [(&str, u32); 11] = [
    ("a city", 18),
    ("a city, filtered", 16),
    ("by distance", 5),
    ("by price", 9),
    ("newest", 3),
    ("map section", 9),
    ("country", 1),
    ("name", 2),
    ("typing", 12),
    ("all filter values", 6),
    ("one home", 19),
];

/// What the questions are about.
struct Known {
    cities: Vec<City>,
    homes: Vec<String>,
}

struct City {
    canonical_name: String,
    name: String,
    lat: f64,
    lng: f64,
}

impl Known {
    async fn of(server: &Server) -> Self {
        let get = async |path: &str| -> Value {
            let answer = reqwest::get(server.url(path)).await.unwrap();
            answer.json::<Value>().await.unwrap()["data"]["result"].clone()
        };
        let regions = get("/api/v0/regions?region_types=locality&limit=1000").await;
        let city = |region: &Value| {
            let at = &region["location"]["coordinates"]["location_coordinates"];
            let text = |field: &str| region[field].as_str().unwrap().to_owned();
            City {
                canonical_name: text("canonical_name"),
                name: text("name"),
                lat: at["lat"].as_f64().unwrap(),
                lng: at["lng"].as_f64().unwrap(),
            }
        };
        let homes = get("/api/v1/inventories?limit=1000&only=canonical_name").await;
        let name = |home: &Value| home["canonical_name"].as_str().unwrap().to_owned();
        Self {
            cities: regions.as_array().unwrap().iter().map(city).collect(),
            homes: homes.as_array().unwrap().iter().map(name).collect(),
        }
    }

    /// A kind by its share, and a path that asks so.
    fn question(&self, dice: &mut Dice) -> (&'static str, String) {
        let total = u64::from(KINDS.iter().map(|(_, share)| share).sum::<u32>());
        let mut left = dice.below(total);
        let kind = KINDS.iter().find(|(_, share)| {
            let found = left < u64::from(*share);
            left = left.saturating_sub(u64::from(*share));
            found
        });
        let kind = kind.unwrap().0;
        (kind, self.path(kind, dice))
    }

    fn path(&self, kind: &str, dice: &mut Dice) -> String {
        let city = dice.one_of(&self.cities);
        let inside = format!(
            "/api/v1/inventories?region_canonical_name={}",
            city.canonical_name
        );
        let page = [1, 1, 1, 2, 3][usize::try_from(dice.below(5)).unwrap()];
        match kind {
            "a city" => format!("{inside}&p={page}"),
            "a city, filtered" => format!("{inside}{}", filters(1 + dice.below(4), dice)),
            "by distance" => format!("{inside}&sort_key=distance&sort_order=asc{}", filters(1, dice)),
            "by price" => format!(
                "{inside}&sort_key=available_price&sort_order=asc{}",
                filters(1, dice)
            ),
            "newest" => format!("{inside}&sort_key=created&sort_order=desc&p={page}"),
            "map section" => {
                let half = 0.01 + f64::from(u8::try_from(dice.below(12)).unwrap()) / 100.0;
                format!(
                    "/api/v1/inventories?region_type=bounds&region_bounds_lat1={:.5}&region_bounds_lng1={:.5}\
                     &region_bounds_lat2={:.5}&region_bounds_lng2={:.5}&pins=true",
                    city.lat - half,
                    city.lng - half,
                    city.lat + half,
                    city.lng + half
                )
            }
            "country" => format!(
                "/api/v1/inventories?region_canonical_name={}{}",
                dice.one_of(&["united-kingdom", "united-states", "australia"]),
                filters(2, dice)
            ),
            "name" => format!(
                "/api/v1/inventories?name={}",
                // Less is not looked for (D54).
                self.home(dice).split('-').find(|word| word.len() >= 3).unwrap()
            ),
            "typing" => {
                let letters = 2 + usize::try_from(dice.below(5)).unwrap();
                let typed: String = city.name.chars().take(letters).collect();
                format!("/api/v0/search/suggest?q={}", typed.replace(' ', "%20"))
            }
            "all filter values" => format!("{inside}&facets=true{}", filters(dice.below(3), dice)),
            _ => format!("/api/v0/inventories/{}", self.home(dice)),
        }
    }

    fn home(&self, dice: &mut Dice) -> &str {
        dice.one_of::<String>(&self.homes)
    }
}

fn filters(many: u64, dice: &mut Dice) -> String {
    let all = [
        "max_price=260",
        "min_price=120",
        "available=true",
        "room_types=private_room",
        "bathroom_types=private_bathroom",
        "move_in_month=9",
        "meta_max_lease_duration=51",
        "meta_unit_types=student_accommodation",
    ];
    let first = dice.below(all.len() as u64);
    let chosen = (0..many).map(|step| all[usize::try_from((first + step * 3) % 8).unwrap()]);
    chosen.fold(String::new(), |mut text, filter| {
        write!(text, "&{filter}").unwrap();
        text
    })
}

/// How long each answer took, by kind.
type Times = BTreeMap<&'static str, Vec<Duration>>;

async fn asked(server: &Server, questions: &[(&'static str, String)], at_once: usize) -> Times {
    let client = Client::new();
    let all = questions.iter().map(async |(kind, path)| {
        let url = server.url(path);
        let start = Instant::now();
        let answer = client.get(url).send().await.unwrap();
        let status = answer.status();
        let body = answer.bytes().await.unwrap();
        let took = start.elapsed();
        assert_eq!(
            status,
            StatusCode::OK,
            "{path}: {}",
            String::from_utf8_lossy(&body)
        );
        (*kind, took)
    });
    let answers: Vec<_> = futures::stream::iter(all)
        .buffer_unordered(at_once)
        .collect()
        .await;
    let mut times = Times::new();
    for (kind, took) in answers {
        times.entry(kind).or_default().push(took);
    }
    times
}

fn table(title: &str, mut times: Times) -> String {
    let searches = times.iter().filter(|(kind, _)| **kind != NOTHING);
    let all: Vec<Duration> = searches.flat_map(|(_, took)| took.clone()).collect();
    times.insert("all searches", all);
    let mut text = format!(
        "{title}\n{:<20}{:>8}{:>10}{:>10}\n",
        "", "answers", "p50 ms", "p99 ms"
    );
    for (kind, mut took) in times {
        took.sort_unstable();
        let at = |percent: usize| took[(took.len() * percent / 100).min(took.len() - 1)].as_secs_f64() * 1e3;
        let row = (took.len(), at(50), at(99));
        writeln!(text, "{kind:<20}{:>8}{:>10.2}{:>10.2}", row.0, row.1, row.2).unwrap();
    }
    text
}

#[tokio::test]
async fn every_kind_of_search_is_answered_and_measured() {
    let Sample {
        rounds: [many],
        mut dice,
    } = sample!(QUESTIONS => QUESTIONS_USUALLY);
    let server = Server::with_catalogue();
    let known = Known::of(&server).await;
    // Each kind at least once, the rest by its share.
    let mut questions: Vec<(&'static str, String)> = KINDS
        .iter()
        .map(|(kind, _)| (*kind, known.path(kind, &mut dice)))
        .collect();
    for number in 0..many {
        questions.push(known.question(&mut dice));
        if number % 10 == 0 {
            questions.push((NOTHING, "/healthz".to_owned()));
        }
    }
    asked(&server, &questions[..KINDS.len()], 1).await;
    for (title, at_once) in [("one after another", 1), ("32 at once", CROWD)] {
        let times = asked(&server, &questions, at_once).await;
        assert_eq!(times.len(), KINDS.len() + 1, "a kind of question was not asked");
        println!("{}", table(title, times));
    }
}
