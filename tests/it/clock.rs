//! Somebody puts the machine's clock forward or back, or lets it race: holds and codes last as long as they were made to last,
//! and the log stays in one order (RELIABILITY R18). libfaketime stands between the real binary and the machine's clock on
//! the wall; the one that nobody can set is left alone.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{DateTime, Months, TimeDelta, Utc};
use reqwest::StatusCode;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tests::Server;

use crate::desk::Officer;
use crate::forgetting::files;
use crate::market::{House, Market, log_of, until};
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

const HOLD: Duration = Duration::from_secs(3);
/// Time may pass a hundredth faster than it should, to come back to the wall.
const HOLD_LEAST: Duration = Duration::from_millis(2_960);
const LATER_THAN_ALL: &str = "2029-09-11";

/// The machine's clock, as the server sees it.
struct Wall {
    folder: TempDir,
}

impl Wall {
    fn new(shown: &str) -> Self {
        let wall = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        wall.put(shown);
        wall
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("wall")
    }

    /// As libfaketime writes it: `+40d`, `-1h`, `+0 x10`, `@2028-02-28 23:59:58`.
    fn put(&self, shown: &str) {
        // Whole, or not at all: the server reads it whenever it likes.
        let next = self.folder.path().join("next");
        std::fs::write(&next, format!("{shown}\n")).unwrap();
        std::fs::rename(next, self.file()).unwrap();
    }

    /// What lets a process see this clock.
    fn settings(&self) -> [(&'static str, String); 5] {
        let [library, file] =
            [library(), self.file()].map(|path| path.into_os_string().into_string().unwrap());
        [
            ("LD_PRELOAD", library),
            ("FAKETIME_TIMESTAMP_FILE", file),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
        ]
    }

    /// A house whose rooms are held for three seconds, at a server that sees this clock.
    async fn market(&self, zone: &str, planted: Option<&str>) -> Market {
        let (seen, seconds) = (self.settings(), HOLD.as_secs().to_string());
        let mut settings: Vec<_> = seen.iter().map(|(name, value)| (*name, value.as_str())).collect();
        settings.extend([("TZ", zone), ("LATCHKEY_HOLD_SECONDS", &seconds)]);
        settings.extend(planted.map(|name| ("LATCHKEY_PLANTED_FAULT", name)));
        let house = House {
            rooms: vec![vec![(LATER_THAN_ALL, 44, 30)]],
            token_minor: 0,
        };
        Market::with(&house, &settings).await
    }
}

fn library() -> PathBuf {
    let folders = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib",
    ];
    let found = folders
        .into_iter()
        .map(|folder| Path::new(folder).join("faketime/libfaketime.so.1"))
        .find(|library| library.exists());
    found.unwrap_or_else(|| panic!("libfaketime is missing: run `make setup`, or apt-get install faketime"))
}

async fn expired(market: &Market) -> usize {
    let events = log_of(&market.server).await.read_all(0, 10_000).await.unwrap();
    events
        .iter()
        .filter(|event| event.event_type == "HoldExpired")
        .count()
}

/// Takes a hold, does something to the clock, and says how long the hold lasted.
async fn held(market: &Market, person: usize, change: impl FnOnce()) -> Duration {
    let before = expired(market).await;
    let buyer = market.person(person, 0);
    let token = buyer.open().await;
    let began = Instant::now();
    buyer.begin(&token).await;
    change();
    until(async || (expired(market).await > before).then_some(())).await;
    assert_eq!(expired(market).await, before + 1, "it ended twice");
    began.elapsed()
}

async fn in_order(market: &Market) {
    let events = log_of(&market.server).await.read_all(0, 10_000).await.unwrap();
    let mut last = (0, DateTime::<Utc>::MIN_UTC);
    for event in events {
        let this = (event.position, event.recorded_at);
        assert!(
            this.0 == last.0 + 1 && this.1 >= last.1,
            "{this:?} after {last:?}"
        );
        last = this;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hold_lasts_its_time_wherever_the_clock_is_put() {
    let wall = Wall::new("+0");
    let market = wall.market("UTC", None).await;
    for (person, put) in ["-1h", "+40d", "-1h", "+0 x10"].into_iter().enumerate() {
        let lasted = held(&market, person, || wall.put(put)).await;
        // How much longer says the machine's load, but not an hour.
        assert!(lasted >= HOLD_LEAST, "{put}: {lasted:?}");
    }
    in_order(&market).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leap_day_and_the_nights_of_summer_time_are_like_any_other() {
    for (zone, shown) in [
        ("UTC", "@2028-02-28 23:59:58"),
        ("Europe/London", "@2027-10-31 01:59:58"),
        ("Europe/London", "@2027-03-28 00:59:58"),
    ] {
        let wall = Wall::new(shown);
        let market = wall.market(zone, None).await;
        let lasted = held(&market, 1, || {}).await;
        assert!(lasted >= HOLD_LEAST, "{shown}: {lasted:?}");
        let mei = Visitor::new(&market.server);
        let mut lead = enquiry("Mei Lin", "mei@example.com");
        lead["lead"]["data"]["move_in_date"] = json!("2028-02-29");
        assert_eq!(
            mei.post("/api/v0/leads", lead).await.status,
            StatusCode::CREATED,
            "{shown}"
        );
        mei.log_in("mei@example.com").await;
        in_order(&market).await;
    }
}

/// A code lasts ten minutes wherever the clock is put and over a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_lasts_ten_minutes_across_clock_jumps_and_restarts() {
    let wall = Wall::new("+0");
    let mut market = wall.market("UTC", None).await;
    let asked = json!({ "user": { "email": "mei@example.com" } });
    let redeem = |otp: String| json!({ "user": { "email": "mei@example.com", "otp": otp } });
    let (ask, log_in) = (
        "/api/v0/users/generate_email_otp",
        "/api/v0/users/login_email_otp",
    );

    let mei = Visitor::new(&market.server);
    mei.post(ask, asked.clone()).await.data();
    wall.put("+40d");
    let code = mei.code_for("mei@example.com").await;
    mei.post(log_in, redeem(code)).await.data();

    mei.wait(120).await;
    mei.post(ask, asked.clone()).await.data();
    wall.put("-1h");
    let again = mei.post(ask, asked.clone()).await;
    assert_eq!(again.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(again.retry_after.unwrap() <= 30, "{:?}", again.retry_after);
    let code = mei.code_for("mei@example.com").await;
    mei.wait(601).await;
    assert_eq!(mei.post(log_in, redeem(code)).await.fields(), ["user/otp"]);

    // The clock that developers put forward begins anew with the server: what lies there is of a time to come.
    market.kill_and_restart();
    let mei = Visitor::new(&market.server);
    mei.wait(31).await;
    let sent = mei.post(ask, asked.clone()).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
    let code = mei.code_for("mei@example.com").await;
    wall.put("-2h");
    market.kill_and_restart();
    let mei = Visitor::new(&market.server);
    mei.post(log_in, redeem(code)).await.data();
    in_order(&market).await;
}

/// A notice about nobody, signed by the test gateway's secret at this machine's time.
fn notice(market: &Market) -> (String, &'static str) {
    let body = r#"{"id":"evt_clock","type":"balance.available","data":{"object":{"id":"ba_1"}}}"#;
    let asked = "select value from setting where name = 'webhook_secret'";
    let secret = stored::cell(&market.server, Part::Gateway, asked).unwrap();
    let seconds = Utc::now().timestamp();
    let padded = |with: u8| -> Vec<u8> {
        // Longer than a block, it stands by its hash.
        let key = Sha256::digest(&secret).into_iter();
        key.chain(std::iter::repeat(0))
            .take(64)
            .map(|byte| byte ^ with)
            .collect()
    };
    let inner = Sha256::digest([padded(0x36), format!("{seconds}.{body}").into_bytes()].concat());
    let tag = Sha256::digest([padded(0x5c), inner.to_vec()].concat());
    let digits = tag.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let tag: String = digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect();
    (format!("t={seconds},v1={tag}"), body)
}

/// Notices are taken once a clock that was wrong at the start is put right.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_are_accepted_after_a_wrong_clock_is_corrected() {
    let wall = Wall::new("+10m");
    let market = wall.market("UTC", None).await;
    let deliver = async || {
        let (signature, body) = notice(&market);
        let request = reqwest::Client::new()
            .post(market.server.url("/api/webhooks/stripe"))
            .header("stripe-signature", signature)
            .body(body);
        request.send().await.unwrap().status()
    };
    assert_eq!(
        deliver().await,
        StatusCode::BAD_REQUEST,
        "the clock is ten minutes wrong"
    );
    wall.put("+0");
    assert_eq!(deliver().await, StatusCode::OK);
}

/// A hold of a clock forty days ahead ends once the clock is right at a start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hold_of_a_clock_40_days_fast_ends_at_a_corrected_start() {
    let wall = Wall::new("+40d");
    let mut market = wall.market("UTC", None).await;
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    buyer.begin(&token).await;
    wall.put("+0");
    market.kill_and_restart();
    until(async || (expired(&market).await == 1).then_some(())).await;
}

/// Kept statements, and sealed files below the folder's `documents`.
async fn count_statements(market: &Market, officer: &Officer) -> (usize, usize) {
    let listed = officer.get("/api/v0/workspace/reconciliation/statements").await;
    let listed = listed["data"].as_array().unwrap().len();
    let sealed = market.server.folder().join("documents");
    // On a database server they lie in its tables.
    let is_in_files = market.server.database_name().is_none() && sealed.is_dir();
    (listed, if is_in_files { files(&sealed).len() } else { listed })
}

/// A statement of the bank is kept for seven years; then it goes with its sealed file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_are_removed_after_seven_years() {
    let wall = Wall::new("+0");
    let mut market = wall.market("UTC", None).await;
    let officer = Officer::arrives(&market).await;
    let day = Utc::now().date_naive();
    let path = "/api/v0/workspace/reconciliation/file";
    let given = officer
        .client
        .post(market.server.url(path))
        .body(format!(
            "Date,Amount,Currency,Reference\n{day},7.00,GBP,rent of a student\n"
        ))
        .send()
        .await
        .unwrap();
    assert_eq!(given.status(), StatusCode::OK);
    assert_eq!(count_statements(&market, &officer).await, (1, 1));
    let end = Utc::now() + Months::new(7 * 12);
    for (days_left, left) in [(2, (1, 1)), (-2, (0, 0))] {
        let ahead = end - TimeDelta::days(days_left) - Utc::now();
        wall.put(&format!("+{}d", ahead.num_days()));
        market.kill_and_restart();
        let officer = Officer::arrives(&market).await;
        until(async || (count_statements(&market, &officer).await == left).then_some(())).await;
    }
}

/// A hold that ends by the clock on the wall ends too early when that clock is put forward.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_hold_by_the_wall_clock_is_noticed() {
    let wall = Wall::new("+0");
    let market = wall.market("UTC", Some("wall_clock")).await;
    let lasted = held(&market, 1, || wall.put("+40d")).await;
    assert!(
        lasted < HOLD_LEAST,
        "the planted fault was not noticed: {lasted:?}"
    );
}

/// The doctor sees a clock that is ahead of the database server's or behind it.
#[test]
fn doctor_sees_a_clock_off_from_the_database_servers() {
    let url = tests::cluster().database();
    let server = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let clock = |said: &str| -> String {
        let of_clock = said.lines().find(|line| line.contains("the database server's"));
        of_clock
            .unwrap_or_else(|| panic!("nothing of the clock: {said}"))
            .to_owned()
    };
    let well = clock(&server.run(&["doctor"]));
    assert!(well.starts_with("ok"), "{well}");
    for (put, wanted) in [("+1h", "s ahead of"), ("-1h", "s behind")] {
        let mut doctor = server.command(&["doctor"]);
        let looked = doctor.envs(Wall::new(put).settings()).output().unwrap();
        let said = String::from_utf8(looked.stdout).unwrap();
        let sick = clock(&said);
        assert!(!looked.status.success(), "{said}");
        assert!(
            sick.starts_with("WRONG") && sick.contains(wanted) && sick.contains("chrony"),
            "{sick}"
        );
    }
}
