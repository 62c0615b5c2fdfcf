//! Every file with a lock, an atomic or a channel is either run in thousands of orders of its steps (R21, decision 0003), or says
//! here why no order of them can matter.

use crate::checkout::{files, read, root, shown};
use crate::findings::{assert_exempted, assert_none, each, once};

/// What several threads touch at once.
const SHARED: [&str; 17] = [
    "Mutex",
    "RwLock",
    "Atomic",
    "Condvar",
    "Notify",
    "Semaphore",
    "OnceCell",
    "OnceLock",
    "LazyLock",
    "ArcSwap",
    "papaya",
    "watch::Sender",
    "watch::channel",
    "mpsc",
    "oneshot",
    "thread_local!",
    "use threads",
];
/// What is no part of the server, or is there for tests alone.
const ASIDE: [&str; 11] = [
    "tests/",
    "benches/",
    "simulation/",
    "conformance",
    "standin",
    "simulated",
    "story",
    "tests.rs",
    "schedules",
    "trial.rs",
    "both.rs",
];

/// A story told in thousands of orders.
const COMMITS: &str = "whoever_commits_or_follows_finds_what_is_said_to_be_there";
const SENT: &str = "whoever_is_told_of_what_was_sent_finds_it";
const STATES: &str = "commands_on_one_stream_take_turns_and_leave_no_trace";
const LATEST: &str = "the_latest_events_are_found_without_a_gap_or_not_at_all";
const KEYS: &str = "a_key_that_was_destroyed_never_comes_back";
const TRUST: &str = "of_a_kind_that_is_trusted_no_more_nothing_is_left";
const ONCE: &str = "work_that_many_ask_for_is_never_done_by_two_at_once";
const TURNS: &str = "whoever_names_the_same_thing_goes_alone_and_everybody_goes";
const PUBLISHED: &str = "no_change_is_made_of_a_state_that_another_has_replaced";

/// Which story runs the file.
const TOLD: [(&str, &str); 17] = [
    ("api/pictures/src/painter.rs", ONCE),
    ("eventlog/kurrent/src/line.rs", TURNS),
    ("eventlog/src/condition.rs", COMMITS),
    ("eventlog/src/grouped.rs", COMMITS),
    ("eventlog/src/hot.rs", STATES),
    ("eventlog/src/memory.rs", COMMITS),
    ("eventlog/src/port.rs", COMMITS),
    ("eventlog/src/ring.rs", LATEST),
    ("eventlog/src/seal.rs", KEYS),
    ("eventlog/src/snapshot.rs", TRUST),
    ("eventlog/src/writer.rs", COMMITS),
    ("eventlog/src/writer/ahead.rs", SENT),
    ("projections/search/src/snapshot.rs", PUBLISHED),
    ("threads/src/lib.rs", COMMITS),
    ("threads/src/once.rs", ONCE),
    ("threads/src/published.rs", PUBLISHED),
    ("threads/src/turns.rs", TURNS),
];

const POOL: &str = "a pool: what is taken out belongs to its taker alone, and is put back in one step";
const CONSTANT: &str = "made once from what is built in, and never changed";
const ONE_STEP: &str = "every use is one step under the lock, and none depends on another";
const BELL: &str = "a bell: whoever hears it looks for itself, and looks now and then without it";
const ONE_TELLER: &str = "one task tells, after what it tells of is there; others only hear";
const SIGNAL: &str = "set once, to stop";
const PAUSE: &str = "takes only the pause that ends with the process";

/// Why no order of its steps can matter.
const PLAIN: [(&str, &str); 79] = [
    ("atlas/src/lib.rs", CONSTANT),
    ("api/feeds/src/country.rs", CONSTANT),
    ("api/feeds/src/fields.rs", CONSTANT),
    ("api/feeds/src/suggest.rs", CONSTANT),
    ("api/feeds/src/values/html.rs", CONSTANT),
    (
        "api/fetching/src/schedule.rs",
        "turns at work that shares nothing",
    ),
    ("api/src/app.rs", SIGNAL),
    ("api/src/on_duty.rs", SIGNAL),
    ("api/src/router.rs", CONSTANT),
    (
        "api/src/as_of.rs",
        "one request handed to routes of its own, which nothing else holds",
    ),
    ("api/health/src/background.rs", ONE_STEP),
    (
        "api/health/src/readiness.rs",
        "the turn of one question to the keys: who waits for it asks anew",
    ),
    (
        "api/platform/src/clock.rs",
        "a number that only grows, for developers",
    ),
    (
        "api/serving/src/connection.rs",
        "times and a count of one connection; who looks too early looks again",
    ),
    (
        "api/platform/src/config/brand.rs",
        "one version takes the place of an earlier one whole; a reader sees the old or the new",
    ),
    (
        "api/platform/src/config/changeable.rs",
        "replaced as a whole by what the log says; a reader sees the old or the new",
    ),
    (
        "api/http/workspace/src/system_health.rs",
        "the last answer of the payment provider; one asks while the others wait",
    ),
    (
        "api/http/booking/src/documents/kind.rs",
        "turns at work that shares nothing",
    ),
    (
        "api/http/booking/src/receipts/verify.rs",
        "turns at work that shares nothing",
    ),
    (
        "api/renderer/src/lib.rs",
        "a queue of jobs, each with its own answer; a deadline that one thread sets for its own runtime",
    ),
    (
        "api/platform/src/duty.rs",
        "a moment that is looked at alone; the lease is a row in the database, and its guard is in each transaction",
    ),
    (
        "api/health/src/files_watch.rs",
        "set once, before it is looked at",
    ),
    ("api/gateway/sandbox/src/lib.rs", BELL),
    ("api/gateway/stripe/src/breaker.rs", ONE_STEP),
    ("api/gateway/stripe/src/calls.rs", BELL),
    (
        "api/import/src/lib.rs",
        "a queue between one reader and one writer",
    ),
    ("api/import/src/upload.rs", ONE_STEP),
    ("api/intake/src/commands.rs", BELL),
    (
        "api/health/src/integrity.rs",
        "one lock held from the look to the note of it; the list of breaks is changed in one step",
    ),
    (
        "api/http/kit/src/limits/ledger.rs",
        "a count is one step under the lock; what is written down is taken off only as it was written",
    ),
    (
        "api/http/kit/src/recaptcha.rs",
        "a map in which each step stands alone: a token that two bring at once is verified twice; an outage is told in one step",
    ),
    (
        "api/http/workspace/src/presence.rs",
        "a map in which each step stands alone, and a bell that is rung after it",
    ),
    ("api/http/account/src/login.rs", "a note of one request to itself"),
    (
        "api/http/account/src/mirror/room.rs",
        "a bell that is rung after each change of a row of the desk",
    ),
    ("api/messages/src/delivery.rs", BELL),
    ("api/photos/src/making.rs", "turns at decoding that share nothing"),
    ("api/pictures/src/lib.rs", "a map in which each step stands alone"),
    (
        "api/pictures/src/shelf.rs",
        "every use is one step under the lock; a file that is gone is painted again",
    ),
    (
        "api/records/src/lib.rs",
        "a position that only grows; who asks too early waits for it",
    ),
    (
        "api/records/src/past.rs",
        "a view is looked for again once its builder's turn has come; one that is lost is built anew",
    ),
    ("eventlog/src/past.rs", "a number that never changes"),
    ("eventlog/sqlite/src/still.rs", "a number that never changes"),
    ("api/processes/src/reactor.rs", BELL),
    ("api/processes/src/reactor/effects.rs", PAUSE),
    (
        "api/processes/src/reactor/letters.rs",
        "a note of one effect to itself",
    ),
    (
        "api/serving/src/lib.rs",
        "a count of connections, changed in one step when one begins and when it ends",
    ),
    (
        "api/pages/src/site/assets.rs",
        "the same bytes whoever makes them",
    ),
    (
        "api/pages/src/site/rendered.rs",
        "every use is one step under the lock; the same body whoever prints it",
    ),
    ("api/http/kit/src/streams.rs", BELL),
    ("api/platform/src/texts.rs", CONSTANT),
    ("api/platform/src/forms.rs", CONSTANT),
    (
        "api/serving/src/unread.rs",
        "what is left of a body: put there when its reader is gone, taken after that",
    ),
    ("eventlog/kurrent/src/commands.rs", ONE_STEP),
    ("eventlog/src/clock.rs", ONE_STEP),
    ("eventlog/kurrent/src/follow.rs", ONE_TELLER),
    (
        "eventlog/kurrent/src/session.rs",
        "a handle that is taken out whole, and replaced whole",
    ),
    (
        "eventlog/kurrent/src/write.rs",
        "what is kept of a stream's end is a guess that the server checks",
    ),
    (
        "eventlog/src/branch.rs",
        "one request has a branch and awaits each append; what it holds is read and added to under one lock",
    ),
    (
        "eventlog/src/fact.rs",
        "one hand folds, and what came of it is taken out whole",
    ),
    ("eventlog/sqlite/src/keyfile.rs", "how the disk failed, set once"),
    (
        "eventlog/src/stock.rs",
        "a key leaves the shelf in one step, and the log is asked with its lock in hand who has it",
    ),
    (
        "eventlog/sqlite/src/there.rs",
        "whoever sets it first does the work, once; the list of other files is made before anything is written",
    ),
    (
        "eventlog/postgres/src/connect.rs",
        "statements of one connection, which one task has at a time",
    ),
    ("eventlog/postgres/src/read.rs", POOL),
    (
        "eventlog/sqlite/src/checkpoint.rs",
        "a bell with room for one call, a flag that is set once, and a note that is taken in one step",
    ),
    ("eventlog/sqlite/src/read.rs", POOL),
    (
        "eventlog/sqlite/src/verify.rs",
        "numbers given out one by one; a finding, whenever it is heard of, keeps others from what lies behind it alone",
    ),
    (
        "eventlog/src/stream.rs",
        "names that are looked for again under the lock that adds them, and never taken out",
    ),
    (
        "eventlog/src/writer/pace.rs",
        "numbers that say what may be worth while: with an old one somebody sleeps, or looks once in vain",
    ),
    (
        "eventlog/src/writer/by_hand.rs",
        "the simulation has it, whose threads go one after the other",
    ),
    ("eventlog/src/writer/wake.rs", BELL),
    ("projections/search/src/follower.rs", PAUSE),
    ("projections/search/src/index.rs", ONE_TELLER),
    (
        "projections/tables/src/lib.rs",
        "a connection that nobody uses, kept open",
    ),
    ("projections/tables/src/bell.rs", BELL),
    (
        "projections/tables/src/lease.rs",
        "one task tells whether the lease is held; the lease itself is a row in the database",
    ),
    ("projections/src/run.rs", ONE_TELLER),
    ("projections/src/run/nodes.rs", ONE_TELLER),
    ("threads/src/slip.rs", "each thread has its own"),
];

/// What threads share is told in every order or said to be plain.
#[test]
fn shared_state_runs_in_schedules_or_is_listed_as_plain() {
    let of_server = shared_files()
        .into_iter()
        .filter(|file| parts_aside(file).next().is_none());
    let found = once(of_server.map(|file| (file, "shared state".to_owned())));
    assert_exempted(
        &found,
        &each(TOLD.iter().chain(&PLAIN).map(|(file, _)| *file)),
        "tell a story of its steps in every order, or say in tests/laws/src/threads.rs why none of them can matter",
    );
}

#[test]
fn places_aside_of_schedules_still_hold_shared_state() {
    let files = shared_files();
    let found = files
        .iter()
        .flat_map(|file| parts_aside(file).map(move |part| (part.to_owned(), file.clone())));
    assert_exempted(&once(found), &each(ASIDE), "name the place in ASIDE");
}

/// Stories that the list names are told beside a mistake that they find.
#[test]
fn schedule_stories_run_beside_a_mistake_they_find() {
    let told: String = files(&root(), &["rs"])
        .into_iter()
        .filter(|file| !shown(file).starts_with("tests/"))
        .map(|file| read(&file))
        .collect();
    let untold = TOLD.iter().filter(|(_, story)| {
        let Some((_, body)) = told.split_once(&format!("fn {story}()")) else {
            return true;
        };
        !body
            .trim_start_matches([' ', '{', '\n'])
            .starts_with("tell(Slip::")
    });
    assert_none(
        untold.map(|(file, story)| format!("{file}: {story}")),
        "tell it with `tell`",
    );
}

/// Files with something that several threads touch, outside their tests.
fn shared_files() -> Vec<String> {
    let sources = files(&root(), &["rs"]).into_iter();
    let shared = sources.filter(|file| is_shared(&read(file)));
    shared.map(|file| shown(&file)).collect()
}

fn parts_aside(file: &str) -> impl Iterator<Item = &'static str> {
    ASIDE.into_iter().filter(|part| file.contains(part))
}

fn is_shared(text: &str) -> bool {
    let code = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let code = code.split("#[cfg(all(test").next().unwrap_or_default();
    let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.any(|line| SHARED.iter().any(|word| line.contains(word)))
}
