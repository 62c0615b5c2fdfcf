use domain::inventory::change_kind::ChangeKind;
use domain::inventory::facts::Fact;
use domain::inventory::property::Guarantor;
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::commit;

use super::*;
use crate::commands::act_on_home::{HomeAct, act_on_home};
use crate::commands::edit_home::edit_home;
use crate::questions::home_steps::{HomeSteps, WhyNot};
use crate::trial::{EDITOR, HOME, ROOM, context, let_home};

async fn read(log: &EventLog) -> HomeSteps {
    read_home_steps(log, HOME).await.unwrap().unwrap()
}

async fn edit(log: &EventLog, set: Vec<Fact>) -> Position {
    let edit = EditHome {
        home_id: HOME,
        position: read(log).await.position,
        set,
        unset: vec![],
        reason: "Asked the owner".into(),
        by: EDITOR,
    };
    edit_home(log, &edit, &context()).await.unwrap().last
}

async fn act(log: &EventLog, act: HomeAct) -> Position {
    let asked = ActOnHome {
        home_id: HOME,
        act,
        reason: "Asked by the owner".into(),
        by: EDITOR,
    };
    act_on_home(log, &asked, &context()).await.unwrap().last
}

async fn undo(log: &EventLog, step: Position) -> Result<Appended, CommitError<ListingsError>> {
    let asked = UndoStep {
        home_id: HOME,
        step,
        reason: "Wrong home".into(),
        by: EDITOR,
    };
    undo_step(log, &asked, &context()).await
}

async fn why_not(log: &EventLog, step: Position) -> WhyNot {
    match undo(log, step).await {
        Err(CommitError::Rejected(ListingsError::NotUndone(why))) => why,
        other => panic!("{other:?}"),
    }
}

fn named(name: &str) -> Fact {
    Fact::Name(name.into())
}

async fn home(log: &EventLog) -> Inventory {
    log.load::<Inventory>(HOME).await.unwrap().state
}

async fn name(log: &EventLog) -> String {
    home(log).await.property.unwrap().name
}

#[tokio::test]
async fn undone_edit_shows_what_was_shown_before_it() {
    let log = EventLog::memory();
    let_home(&log).await;
    let first = edit(
        &log,
        vec![
            named("Row House"),
            Fact::Guarantor(Some(Guarantor::International)),
        ],
    )
    .await;
    let second = edit(&log, vec![named("Garden House")]).await;
    assert_eq!(why_not(&log, first).await, WhyNot::ChangedSince);
    undo(&log, second).await.unwrap();
    assert_eq!(name(&log).await, "Row House");
    // The first edit's changes stand again, so that it can be undone too: the source's own values show.
    undo(&log, first).await.unwrap();
    assert_eq!(name(&log).await, "Bloomsbury Row");
    assert_eq!(home(&log).await.fact_beneath(&named("").key()), None);
    let kinds: Vec<ChangeKind> = read(&log).await.steps.iter().map(|step| step.kind).collect();
    assert_eq!(kinds[0], ChangeKind::Listed);
    assert_eq!(kinds[1..4], [ChangeKind::Edited; 3]);
    assert_eq!(kinds[4..], [ChangeKind::TakenBack]);
}

#[tokio::test]
async fn undone_act_leads_back_and_is_a_step_of_its_own() {
    let log = EventLog::memory();
    let_home(&log).await;
    let opened = act(&log, HomeAct::Activate).await;
    assert_eq!(why_not(&log, opened).await, WhyNot::WasLet);
    let reopens_on = "2099-03-01".parse().ok();
    let paused = act(&log, HomeAct::Pause { reopens_on }).await;
    let reopened = act(&log, HomeAct::Reopen).await;
    assert_eq!(why_not(&log, paused).await, WhyNot::ChangedSince);
    undo(&log, reopened).await.unwrap();
    assert_eq!(home(&log).await.state, HomeState::Paused { reopens_on });
    let closed = act(&log, HomeAct::Close).await;
    assert_eq!(why_not(&log, closed).await, WhyNot::OpenByHand);
    let steps = read(&log).await.steps;
    assert_eq!(steps[0].kind, ChangeKind::Listed);
    assert_eq!(why_not(&log, steps[0].position).await, WhyNot::Listed);
    assert_eq!(steps[2].reason.as_deref(), Some("Asked by the owner"));
    let nowhere = undo(&log, 1_000).await;
    assert!(matches!(
        nowhere,
        Err(CommitError::Rejected(ListingsError::UnknownStep))
    ));
}

#[tokio::test]
async fn rooms_that_went_are_not_undone() {
    let log = EventLog::memory();
    let_home(&log).await;
    let withdraw = InventoryCommand::WithdrawRoom { room: ROOM };
    let gone = commit::<Inventory>(&log, HOME, withdraw, &context())
        .await
        .unwrap();
    assert_eq!(why_not(&log, gone.position).await, WhyNot::RoomsChanged);
}
