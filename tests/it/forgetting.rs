//! R24: whoever was forgotten is nowhere any more, in whatever way their words may have been written down, and nobody else
//! has noticed. The seed fixes the words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::join_all;
use reqwest::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};
use tests::sample::Sample;
use tests::{Server, in_files, sample};

use crate::market::{Market, until};
use crate::support_desk::looked_at;
use crate::visitor::{Visitor, enquiry};

const GOOD_CARD: &str = "4242424242424242";
const HOUSE: &str = "0193a000-0000-7000-8000-000000000001";

/// Who get to know the house at a time.
const AT_ONCE: usize = 16;

/// Of those who stay, one in so many has a login and a form too; the others have enquired.
const CLOSE: usize = 20;

/// How many are forgotten: in the gate, and in all.
const FORGOTTEN: &str = "LATCHKEY_TEST_FORGOTTEN";
const FORGOTTEN_USUALLY: (usize, usize) = (10, 100);
/// How many there are, with those.
const PEOPLE: &str = "LATCHKEY_TEST_PEOPLE";
const PEOPLE_USUALLY: (usize, usize) = (500, 10_000);
/// So many words are there for people; the seed says with which they begin.
const WORDS: usize = 26 * 26 * 26;

/// Somebody whose every word is found nowhere else.
pub(crate) struct Person {
    word: String,
    pub(crate) email: String,
    phone: String,
}

impl Person {
    pub(crate) fn new(number: usize) -> Self {
        let letter = |number: usize| char::from(b'a' + u8::try_from(number % 26).unwrap());
        let word: String = format!(
            "quokka{}{}{}zwick",
            letter(number / 676),
            letter(number / 26),
            letter(number)
        );
        Self {
            email: format!("{word}@{word}.example.com"),
            phone: format!("+447700{}", 900_100 + number),
            word,
        }
    }

    fn name(&self) -> String {
        format!("Zoë {}", self.word)
    }

    fn section(&self) -> Value {
        let word = &self.word;
        json!({ "full_name": self.name(), "dob": "2004-05-06", "phone": self.phone, "email": self.email,
            "nationality": "CN", "address_line_1": format!("{word} Lane"), "city": format!("{word}ville"),
            "postcode": "LS1 1AA", "country": "GB", "university": "University of Leeds",
            "enrolment_status": "enrolled", "medical_condition": format!("{word}itis") })
    }

    /// What must not be found, as it may have been written down.
    fn marks(&self) -> Vec<Vec<u8>> {
        let word = &self.word;
        let plain = [
            word.clone(),
            word.to_uppercase(),
            self.name(),
            self.email.clone(),
            self.phone.clone(),
            self.phone.trim_start_matches('+').to_owned(),
            self.phone.trim_start_matches("+44").to_owned(),
            format!("{word} Lane"),
            format!("{word}ville"),
            format!("{word}itis"),
            format!("Zoë {}", &word[..9]),
            word[4..].to_owned(),
        ];
        let escaped = |text: &String| text.replace('ë', "\\u00eb").into_bytes();
        let mut marks: Vec<Vec<u8>> = plain.iter().map(|text| text.clone().into_bytes()).collect();
        marks.extend(plain.iter().map(escaped));
        for text in &plain {
            marks.extend((0..3).map(|shift| in_base64(text, shift)));
        }
        marks
    }
}

/// What a text looks like in base64 when so many bytes stand before it: its letters that depend on nothing else.
pub(crate) fn in_base64(text: &str, shift: usize) -> Vec<u8> {
    let bytes = [vec![0; shift], text.as_bytes().to_vec()].concat();
    let written = STANDARD.encode(&bytes);
    let first = (shift * 8).div_ceil(6);
    let whole = bytes.len() * 8 / 6;
    written.as_bytes()[first..whole].to_vec()
}

pub(crate) fn files(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Where somebody is found, and by which mark.
pub(crate) fn traces(people: &[Person], places: &[PathBuf]) -> Vec<String> {
    let marks: Vec<Vec<u8>> = people.iter().flat_map(Person::marks).collect();
    let sought = AhoCorasick::new(&marks).unwrap();
    let mut found = BTreeSet::new();
    for file in places {
        let bytes = std::fs::read(file).unwrap();
        for place in sought.find_iter(&bytes) {
            let mark = String::from_utf8_lossy(&marks[place.pattern()]);
            found.insert(format!("{}: {mark}", file.display()));
        }
    }
    found.into_iter().collect()
}

/// A browser at home, so that nobody's neighbours use up what one address may ask for.
fn neighbour(server: &Server, number: usize) -> Visitor<'_> {
    let [home, street] = [number % 200, number / 200].map(|it| u8::try_from(it + 1).unwrap());
    Visitor::from(server, [127, 0, street, home])
}

/// Asks for the house; gives the lead.
async fn enquires(visitor: &Visitor<'_>, person: &Person) -> Value {
    let mut body = enquiry(&person.name(), &person.email);
    body["lead"]["inventory_id"] = json!(HOUSE);
    body["lead"]["user_details"]["phone"] = json!(person.phone);
    // Free text anywhere may name anybody.
    let word = &person.word;
    body["lead"]["location_place_name"] = json!(format!("near {word} House"));
    body["lead"]["location_place_id"] = json!(format!("place:{word}"));
    body["lead"]["meta"] = json!({ "lead_source": word });
    body["lead"]["data"]["university"] = json!(format!("{word} College"));
    body["lead"]["data"]["intake"] = json!(word);
    body["lead"]["data"]["configuration"] = json!(format!("room of {word}"));
    body["lead"]["data"]["filters"] = json!({ "note": format!("with {word}"), word: true });
    body["lead"]["source_details"]["utm_campaign"] = json!(word);
    body["lead"]["source_details"]["utm_source"] = json!(word);
    body["lead"]["source_details"]["final_url"] = json!(format!("https://rooms.example/?for={word}"));
    visitor.post("/api/v0/leads", body).await.data().clone()
}

/// Enquires, proves the address, fills a section of the form.
pub(crate) async fn acquainted<'s>(server: &'s Server, person: &Person, number: usize) -> Visitor<'s> {
    let visitor = neighbour(server, number);
    visitor.log_in(&person.email).await;
    let lead = enquires(&visitor, person).await;
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": HOUSE, "flow": "book" } });
    let form = visitor.post("/api/v0/booking_forms", form).await.data().clone();
    let section = format!(
        "/api/v0/booking_forms/{}/sections/personal_form",
        form["form_uuid"].as_str().unwrap()
    );
    let filled = json!({ "section": person.section(), "complete": true });
    let saved = visitor.put(&section, filled).await;
    assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
    visitor
}

/// Every row of the read models that people see, by table.
fn rows(server: &Server) -> BTreeMap<&'static str, Vec<String>> {
    let read = Connection::open(server.folder().join("read.db")).unwrap();
    let tables = [
        "lead_board",
        "lead_words",
        "lead_posting",
        "lead_stream",
        "timeline_event",
        "timeline_field",
        "session",
        "journey",
        "shortlist",
        "referral_code",
        "payment_page",
        "ledger_line",
    ];
    let of = |table| {
        let mut statement = read.prepare(&format!("select * from {table}")).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let values: Vec<rusqlite::types::Value> =
                (0..columns).map(|it| row.get(it)).collect::<Result<_, _>>()?;
            Ok(format!("{values:?}"))
        });
        let mut rows: Vec<String> = rows.unwrap().map(Result::unwrap).collect();
        rows.sort();
        (table, rows)
    };
    tables.into_iter().map(of).collect()
}

/// What support sees of the people who stay.
async fn board(staff: &Visitor<'_>, people: &[Person]) -> Vec<Value> {
    let mut seen = Vec::new();
    for group in people.chunks(AT_ONCE) {
        let group = group.iter().map(|person| async move {
            let found = staff
                .get(&format!("/api/v0/workspace/leads?q={}", person.email))
                .await;
            let leads = found.data()["result"].clone();
            assert_eq!(leads.as_array().map(Vec::len), Some(1), "{}", found.body);
            leads
        });
        seen.extend(join_all(group).await);
    }
    seen
}

/// The command is killed once it has said so in the log; what it left undone the next one does.
async fn forget_in_two_goes(server: &Server, person: &Person) {
    let log = Connection::open(server.folder().join("log.db")).unwrap();
    let said = || -> i64 {
        log.query_row(
            "select count(*) from event where event_type = 'SubjectForgotten'",
            [],
            |row| row.get(0),
        )
        .unwrap()
    };
    let before = said();
    let mut killed = server
        .command(&["forget", "--although-booked", "--email", &person.email])
        .spawn()
        .unwrap();
    until(|| async { (said() > before).then_some(()) }).await;
    killed.kill().unwrap();
    killed.wait().unwrap();
    let user: String = log
        .query_row(
            "select lower(hex(uuid)) from stream s join event e on e.stream = s.id
             where e.event_type = 'SubjectForgotten' order by e.position desc limit 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let user: uuid::Uuid = user.parse().unwrap();
    server.run(&["forget", "--although-booked", "--user", &user.to_string()]);
    assert_eq!(said(), before + 1, "it is said once");
}

async fn folded(server: &Server) {
    let log = Connection::open(server.folder().join("log.db")).unwrap();
    until(|| async {
        let end: i64 = log
            .query_row("select position from log_head", [], |row| row.get(0))
            .unwrap();
        let read = Connection::open(server.folder().join("read.db")).unwrap();
        let reached: i64 = read
            .query_row("select min(position) from projection", [], |row| row.get(0))
            .unwrap();
        (reached >= end).then_some(())
    })
    .await;
}

/// Lets everybody be known; gives the browsers of the first and the third.
async fn all_acquainted<'s>(
    server: &'s Server,
    gone: &[Person],
    stay: &[Person],
) -> (Visitor<'s>, Visitor<'s>) {
    let visitor = acquainted(server, &gone[0], 0).await;
    let wishing = acquainted(server, &gone[2], 2).await;
    let everybody = gone.iter().chain(stay).enumerate();
    let others: Vec<_> = everybody.filter(|(number, _)| ![0, 2].contains(number)).collect();
    for group in others.chunks(AT_ONCE) {
        let group = group.iter().map(|(number, person)| async move {
            if *number < gone.len() || number % CLOSE == 0 {
                acquainted(server, person, *number).await;
            } else {
                enquires(&neighbour(server, *number), person).await;
            }
        });
        join_all(group).await;
    }
    (visitor, wishing)
}

/// People who were forgotten are found nowhere, and everybody else is as before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_people_leave_no_trace() {
    let Sample {
        rounds: [forgotten, people],
        mut dice,
    } = sample!(FORGOTTEN => FORGOTTEN_USUALLY, PEOPLE => PEOPLE_USUALLY);
    let told = tempfile::tempdir().unwrap();
    let output = told.path().join("output");
    let market = Market::open(
        &[1],
        &[
            in_files("every byte of its folder is searched; `on_postgres.rs` searches a database server's"),
            ("LATCHKEY_LOG", "debug,hyper=info"),
            ("LATCHKEY_TEST_OUTPUT", output.to_str().unwrap()),
        ],
    )
    .await;
    let server = &market.server;
    let first = dice.place(WORDS - people);
    let mut gone: Vec<Person> = (first..first + people).map(Person::new).collect();
    dice.shuffle(&mut gone);
    let stay = gone.split_off(forgotten);
    let (visitor, wishing) = all_acquainted(server, &gone, &stay).await;
    pays(&market, &gone[0]).await;
    let reason = format!("Call {} back", gone[1].word);
    let staff = looked_at(server, &gone[1].email, &reason).await;
    folded(server).await;
    let before = board(&staff, &stay).await;
    let ledger = rows(server)["ledger_line"].clone();
    assert!(!ledger.is_empty());
    let old = told.path().join("old");
    server.run(&["backup", old.to_str().unwrap()]);
    let everywhere = traces(&gone, &files(server.folder()));
    assert!(
        everywhere.len() > gone.len(),
        "they are found before: {everywhere:?}"
    );

    forget_in_two_goes(server, &gone[0]).await;
    at_the_desk(server, &gone[1]).await;
    by_their_own_wish(&wishing, &gone[2]).await;
    erased(server, 2).await;
    for person in &gone[3..] {
        // Given with an enquiry, and never proved.
        let said = server.run(&["forget", "--although-booked", "--phone", &person.phone]);
        assert!(said.starts_with("forgotten: "), "{said}");
    }
    folded(server).await;
    assert_eq!(board(&staff, &stay).await, before);
    assert_eq!(rows(server)["ledger_line"], ledger);
    let copy = told.path().join("after");
    server.run(&["backup", copy.to_str().unwrap()]);
    let export = told.path().join("export.csv");
    let finance = Visitor::new(server);
    finance.log_in_as("finance").await;
    let exported = finance.open("/api/v0/workspace/payments/events.csv").await;
    std::fs::write(&export, exported.bytes().await.unwrap()).unwrap();
    let mut places = files(server.folder());
    places.extend(files(&copy));
    places.extend([export, output]);
    let found = traces(&gone, &places);
    assert!(found.is_empty(), "{found:#?}");
    assert!(server.run(&["verify"]).starts_with("intact: "));
    afterwards(&visitor, &gone[0]).await;
    from_the_old_backup(server, &old, &gone, stay.len());

    folded(server).await;
    blanked_as_folded_anew(server);
}

async fn pays(market: &Market, person: &Person) {
    let mut buyer = market.person(0, 0);
    (buyer.email, buyer.phone) = (person.email.clone(), person.phone.clone());
    let payment = buyer.begun().await;
    buyer.pay(&payment, GOOD_CARD).await;
    buyer
        .wait_for(&payment, |payment| payment["status"] == "success")
        .await;
}

/// What was blanked in place is what folding it all again comes to.
fn blanked_as_folded_anew(server: &Server) {
    let blanked = rows(server);
    server.run(&["rebuild"]);
    for (table, anew) in rows(server) {
        assert_eq!(blanked[table], anew, "{table}");
    }
}

/// Words that stay in the write-ahead files are found there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_words_left_in_write_ahead_files_are_found() {
    let market = Market::open(
        &[1],
        &[in_files(
            "every byte of its folder is searched; `on_postgres.rs` searches a database server's",
        )],
    )
    .await;
    let server = &market.server;
    let gone = [Person::new(0)];
    acquainted(server, &gone[0], 0).await;
    folded(server).await;
    let mut forget = server.command(&["forget", "--although-booked", "--email", &gone[0].email]);
    forget.env("LATCHKEY_PLANTED_FAULT", "words_left");
    let forgotten = forget.output().unwrap();
    assert!(forgotten.status.success(), "{forgotten:?}");
    let found = traces(&gone, &files(server.folder()));
    assert!(!found.is_empty(), "the planted fault was not noticed");
}

/// An administrator does it in the workspace.
async fn at_the_desk(server: &Server, person: &Person) {
    let admin = Visitor::from(server, [127, 0, 99, 1]);
    admin.log_in_as("admin").await;
    let found = admin
        .get(&format!("/api/v0/workspace/leads?q={}", person.email))
        .await;
    let lead = found.data()["result"][0].clone();
    let path = format!(
        "/api/v0/workspace/leads/{}/forget",
        lead["lead_id"].as_str().unwrap()
    );
    let asked = admin
        .post(&path, json!({ "reason": "asked", "confirm": lead["reference"] }))
        .await;
    asked.data();
}

/// They do it themselves, with a fresh code.
async fn by_their_own_wish(visitor: &Visitor<'_>, person: &Person) {
    let asked = visitor.erasure_proof("email", &person.email).await;
    visitor.post("/api/v0/users/forget", asked).await.data();
}

/// Waits until the server has erased so many.
pub(crate) async fn erased(server: &Server, people: i64) {
    let done = "select count(*) from OUTBOX where lane = 'erasures' and done_ms is not null";
    until(|| async {
        let done: i64 = if let Some(database) = server.database_name() {
            let done = done.replace("OUTBOX", "latchkey_reactor.outbox");
            let told = tests::cluster().run(&database, &done);
            told.trim().parse().unwrap()
        } else {
            let agenda = Connection::open(server.folder().join("reactor.db")).unwrap();
            let counted = agenda.query_row(&done.replace("OUTBOX", "outbox"), [], |row| row.get(0));
            counted.unwrap()
        };
        (done == people).then_some(())
    })
    .await;
}

/// Their login is over; under the same address they are somebody new.
async fn afterwards(visitor: &Visitor<'_>, person: &Person) {
    let details = visitor.get("/api/v0/users/details").await;
    assert!(details.body["data"].is_null(), "{}", details.body);
    visitor.log_in(&person.email).await;
    let again = visitor.get("/api/v0/users/activity?tab=enquired").await;
    let leads = again.data()["leads"]["result"].as_array().map(Vec::len);
    assert_eq!(leads, Some(0), "{}", again.body);
}

/// A copy of before, with the keys of today: its log has all their events, and nobody can read them.
fn from_the_old_backup(server: &Server, old: &Path, gone: &[Person], others: usize) {
    let folder = server.folder().with_extension("restored");
    let keys = server.folder().join("keys.db");
    let folder_of = folder.to_str().unwrap();
    server.run(&[
        "--data-dir",
        folder_of,
        "restore",
        old.to_str().unwrap(),
        "--keys",
        keys.to_str().unwrap(),
    ]);
    server.run(&["--data-dir", folder_of, "rebuild"]);
    let found = traces(gone, &[folder.join("log.db"), folder.join("read.db")]);
    assert!(found.is_empty(), "{found:#?}");
    let read = Connection::open(folder.join("read.db")).unwrap();
    let named: i64 = read
        .query_row(
            "select count(*) from lead_board where name_masked <> ''",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(named, i64::try_from(others).unwrap(), "the others alone");
    std::fs::remove_dir_all(&folder).unwrap();
}
