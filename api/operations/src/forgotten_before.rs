//! After a restore: re-erases every subject whose key is destroyed. A restored log lacks the erasures after its backup; the keys,
//! which are newer, show them. So a forgotten person's addresses are free again, and no login reaches what was theirs.

use std::collections::BTreeSet;

use domain::aggregate::Decide;
use domain::id::UserId;
use domain::user::{User, UserCommand, UserEvent};
use eventlog::{Actor, Context, EventLog, LogError, Position, commit};
use gateway::PaymentGateway;
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;
use processes::erasure::{Ground, erase};

use crate::forget::open_sandbox;

/// Events read at once.
const PAGE: usize = 5_000;

/// Erases every subject of the log whose key is destroyed. Says how many there were and what could not be erased; `None` when
/// there were none.
///
/// # Errors
/// One sentence for the operator.
pub async fn forget_again(settings: &Settings, log: &EventLog) -> Result<Option<String>, String> {
    let people = without_keys(log).await?;
    if people.is_empty() {
        return Ok(None);
    }
    let context = Context::new(clock::now(), Actor::SYSTEM);
    for person in &people {
        let forget = UserCommand::Forget {
            user_id: *person,
            reason: None,
            at: context.at,
        };
        commit::<User>(log, *person, forget, &context)
            .await
            .map_err(|error| format!("the log refused: {error}"))?;
    }
    let desk = Desk::open(&settings.place())
        .await
        .map_err(|error| format!("the desk's database cannot be opened: {error}"))?;
    // A backup restores the test gateway's memory too. Stripe was asked when the person was forgotten.
    let sandbox = open_sandbox(settings).await?;
    let gateway = sandbox.as_ref().map(|sandbox| sandbox as &dyn PaymentGateway);
    let ground = Ground {
        settings,
        log,
        desk: &desk,
        gateway,
    };
    let mut said = vec![format!(
        "people forgotten again, because their keys are destroyed: {}",
        people.len()
    )];
    for person in people {
        // All of them are forgotten by now: one of whom something is left keeps nobody from their folder.
        if let Err(left) = erase(ground, person, None, &context).await {
            said.push(format!(
                "warning: of {person} something is left: {left}; `latchkey forget --user {person}`"
            ));
        }
    }
    desk.pool().close().await;
    if let Some(sandbox) = &sandbox {
        sandbox.close().await;
    }
    Ok(Some(said.join("\n")))
}

/// People of whom the log says that they are here and the keys that theirs is destroyed.
async fn without_keys(log: &EventLog) -> Result<Vec<UserId>, String> {
    let unread = |error: LogError| format!("erased people cannot be determined: {error}");
    let (mut people, mut keys, mut reached) = (BTreeSet::new(), None, Position::default());
    loop {
        let page = log.read_all(reached, PAGE).await.map_err(unread)?;
        let Some(last) = page.last() else { break };
        reached = last.position;
        keys.get_or_insert_with(|| last.keys.clone());
        for event in page.iter().filter(|event| event.stream.kind == User::KIND) {
            match event.decode::<User>() {
                Ok(UserEvent::Registered {
                    user_id, personal, ..
                }) if personal.0.is_none() => {
                    people.insert(user_id);
                }
                Ok(UserEvent::Forgotten { user_id, .. }) => {
                    people.remove(&user_id);
                }
                // What cannot be read says nothing of a key.
                Ok(_) | Err(_) => {}
            }
        }
    }
    let Some(keys) = keys else { return Ok(Vec::new()) };
    let asked: Vec<UserId> = people.iter().copied().collect();
    // Whoever is unknown to the keys was not forgotten: those are older than the log, which is told elsewhere.
    let strangers = tokio::task::spawn_blocking(move || keys.strangers(&asked))
        .await
        .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
        .map_err(unread)?;
    people.retain(|person| !strangers.contains(person));
    Ok(people.into_iter().collect())
}
