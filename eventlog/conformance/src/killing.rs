//! What was answered survives the death of the process (RELIABILITY R1, on the log alone). The seed fixes after how many answers
//! each kill comes.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command as Process, Stdio};

use domain::id::UserId;
use domain::sealed::Sealed;
use futures::future::BoxFuture;
use rand::Rng as _;
use tests::sample::{Dice, Sample};
use uuid::Uuid;

use super::account::{Account, AccountCommand as Command, AccountEvent::Noted, AccountId};
use super::{account, somebody};
use eventlog::EventLog;
use eventlog::append::{Append, Expected};
use eventlog::commit::commit;
use eventlog::context::Context;
use eventlog::verify::{Anchor, Verdict};

/// Names the log to the process that writes until it is killed: a directory, or the addresses of two databases.
const PLACE: &str = "EVENTLOG_KILL_PLACE";
/// Names how often the writer is killed.
pub const KILLS: &str = "EVENTLOG_KILLS";
/// How often it is: in the gate, and in all.
pub const KILLS_USUALLY: (usize, usize) = (12, 100);
/// Answers read before a kill, at most.
const HEARD_MAX: usize = 400;
const WRITERS: u128 = 32;

fn named(command: Uuid) -> Context {
    somebody().command(command, b"deposit")
}

/// The event that a command led to, as its writer was told.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    event: Uuid,
    position: u64,
}

/// How a process of a test opens the log at a place: a directory, or the addresses of two databases.
pub type Open = fn(&str) -> BoxFuture<'_, EventLog>;

/// Kills a process that writes, again and again, and looks each time that all it had answered is there. `writer` is the test
/// that runs [`write_until_killed`].
pub fn kills_lose_nothing(place: &str, open: Open, writer: &str, sample: Sample) {
    let Sample {
        rounds: [kills],
        mut dice,
    } = sample;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut answered = HashMap::new();
    for round in 0..kills {
        let before = answered.len();
        answered.extend(killed_while_writing(place, writer, &mut dice));
        assert!(
            answered.len() > before,
            "round {round}: the writer was killed before it answered anything"
        );
        runtime.block_on(async {
            let log = open(place).await;
            everything_is_there(&log, &answered).await;
        });
    }
}

/// Lets another process write until it is killed at a random moment; says what it had been told by then.
fn killed_while_writing(place: &str, writer: &str, dice: &mut Dice) -> Vec<(Uuid, Answer)> {
    let mut child: Child = Process::new(std::env::current_exe().expect("this very program"))
        .args([writer, "--exact", "--nocapture"])
        .env(PLACE, place)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a second process");
    let mut lines = BufReader::new(child.stdout.take().expect("its answers"))
        .lines()
        .map_while(Result::ok);
    // It goes on writing while these are read, so its death meets it anywhere in its work.
    let last_heard = 1 + dice.place(HEARD_MAX);
    let mut heard: Vec<String> = lines
        .by_ref()
        .filter(|line| line.contains(" at "))
        .take(last_heard)
        .collect();
    child.kill().expect("killed");
    child.wait().expect("gone");
    heard.extend(lines);
    heard.iter().filter_map(|line| parsed(line)).collect()
}

/// `<command> <event> at <position>.`; a line without its end was cut off.
fn parsed(line: &str) -> Option<(Uuid, Answer)> {
    let (ids, position) = line.strip_suffix('.')?.rsplit_once(" at ")?;
    let mut ids = ids.rsplit(' ');
    let event = ids.next()?.parse().ok()?;
    let command = ids.next()?.parse().ok()?;
    Some((
        command,
        Answer {
            event,
            position: position.parse().ok()?,
        },
    ))
}

async fn everything_is_there(log: &EventLog, answered: &HashMap<Uuid, Answer>) {
    let events = log.read_all(0, usize::MAX).await.expect("readable");
    assert!(
        events.iter().map(|it| it.position).eq(1..=events.len() as u64),
        "positions are dense"
    );
    let mut stored = HashMap::new();
    for event in events {
        if event.sealed.is_some() {
            let personal = event.personal().expect("what was sealed opens");
            assert!(personal.is_some(), "the key of a newcomer was lost");
        }
        let command = event.command_id.expect("every event here comes from a command");
        let twice = stored.insert(
            command,
            Answer {
                event: event.event_id,
                position: event.position,
            },
        );
        assert!(twice.is_none(), "a command had two effects");
    }
    for (command, answer) in answered {
        assert_eq!(stored.get(command), Some(answer), "an answer was lost");
    }
    let end = stored.len() as u64;
    assert!(matches!(log.verify(Anchor::GENESIS).await, Ok(Verdict::Intact(whole)) if whole.position == end));
}

/// Somebody whom nobody knew.
fn of_a_newcomer(context: &Context, account: AccountId) -> Append {
    let noted = Noted {
        about: UserId(Uuid::now_v7()),
        note: Sealed::new("personal".to_owned()),
    };
    Append::new(context)
        .events::<Account>(account, Expected::Any, &[noted])
        .expect("events have a stored form")
}

/// Does nothing in an ordinary run; [`kills_lose_nothing`] starts the test that calls it in a process of its own.
pub async fn write_until_killed(open: Open) {
    let Ok(place) = std::env::var(PLACE) else {
        return;
    };
    let log = open(&place).await;
    let writers = (0..WRITERS).map(|writer| {
        let log = log.clone();
        tokio::spawn(async move {
            loop {
                let command = Uuid::now_v7();
                log.append(of_a_newcomer(
                    &named(command).step("newcomer"),
                    account(1_000 + writer),
                ))
                .await
                .expect("appended");
                let number = account(rand::rng().random_range(0..WRITERS / 2) + writer % 3);
                let done = commit::<Account>(&log, number, Command::Deposit(1), &named(command)).await;
                let done = done.expect("committed");
                let told = format!("{command} {} at {}.\n", done.event_ids[0], done.position);
                std::io::stdout()
                    .lock()
                    .write_all(told.as_bytes())
                    .expect("somebody listens");
            }
        })
    });
    futures::future::join_all(writers).await;
}
