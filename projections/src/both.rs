//! One log folded into both databases answers every question alike, row by row and in the same order.

use domain::booking_form::BookingForm;
use domain::gateway_event::{GatewayEvent, GatewayEventId};
use domain::id::{BookingFormId, InventoryId, LeadId, PaymentId, RegionId, UserId};
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::payment::Payment;
use domain::region::Region;
use domain::room_stock::RoomStock;
use domain::shortlist::Shortlist;
use domain::user::User;
use domain::user_history::UserHistory;
use eventlog::EventLog;
use serde_json::Value;
use uuid::Uuid;

use crate::lead_board::query::Which;
use crate::lead_board::{Ownership, query as board};
use crate::lead_timeline::{query as timeline, tests::store};
use crate::payment_audit::AuditFilter;
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;
use crate::{
    inventory_page, journey, ledger, listing_name, payment_audit, payment_page, referral_code, rows, session,
};

/// The ids that the samples speak of.
const IDS: std::ops::Range<u128> = 1..12;

/// A log that holds every shape of every stream that a read model listens to.
async fn everything() -> EventLog {
    let log = EventLog::memory();
    store::<Region>(&log, RegionId(Uuid::from_u128(1)), "RegionAdded").await;
    for home in IDS {
        store::<Inventory>(&log, InventoryId(Uuid::from_u128(home * 1_000)), "Adopted").await;
    }
    for person in 2..5 {
        store::<User>(&log, UserId(Uuid::from_u128(person)), "UserRegistered").await;
        store::<UserHistory>(&log, UserId(Uuid::from_u128(person)), "").await;
        store::<Shortlist>(&log, UserId(Uuid::from_u128(person)), "").await;
    }
    store::<Lead>(&log, LeadId(Uuid::from_u128(1)), "LeadCreated").await;
    for number in 1..4 {
        store::<BookingForm>(&log, BookingFormId(Uuid::from_u128(number)), "BookingFormStarted").await;
        store::<RoomStock>(&log, InventoryId(Uuid::from_u128(number)), "").await;
    }
    store::<Payment>(&log, PaymentId(Uuid::from_u128(7)), "PaymentOpened").await;
    store::<GatewayEvent>(&log, GatewayEventId(Uuid::from_u128(8)), "").await;
    log
}

/// Asks, and notes each answer beside its question.
macro_rules! ask {
    ($told:ident; $($question:expr),* $(,)?) => { $(
        let answer = $question.await;
        $told.push(format!("{}: {:?}", stringify!($question), answer.unwrap_or_else(|error| panic!("{}: {error}", stringify!($question)))));
    )* };
}

/// What a store holds and says, as lines that can be compared.
async fn told(log: &EventLog, store: &ReadStore) -> Vec<String> {
    let (pool, hasher) = (store.readers(), log.handles());
    let mut told = Vec::new();
    for number in IDS {
        told.extend(told_of(number, log, store).await);
    }
    for words in ["", "mei", "m", "aspen", "44", "nobody at all"] {
        let filter = board::Filter {
            words: words.to_owned(),
            ..board::Filter::default()
        };
        let text = AuditFilter {
            text: Some(words.to_owned()),
            currency: Some("GBP".to_owned()),
            ..AuditFilter::default()
        };
        ask![told;
            board::list(pool, hasher, &filter, 1, 10),
            payment_audit::page(pool, &text, 10, 1),
            payment_audit::after(pool, &text, 0, 10),
            payment_audit::totals(pool, &text),
            referral_code::find(pool, words),
            session::find(pool, words),
            payment_page::find_by_digest(pool, words),
        ];
    }
    let lists = inventory_page::ListFilter {
        kinds: Vec::new(),
        statuses: Vec::new(),
        region: None,
    };
    ask![told;
        ledger::balances(pool),
        payment_audit::totals(pool, &AuditFilter::default()),
        inventory_page::list(pool, &lists, 10, 0),
    ];
    told
}

/// What it says of everything that has this number.
async fn told_of(number: u128, log: &EventLog, store: &ReadStore) -> Vec<String> {
    let (pool, hasher) = (store.readers(), log.handles());
    let mut told = Vec::new();
    let id = Uuid::from_u128(number);
    let (lead, person, home, payment) = (LeadId(id), UserId(id), InventoryId(id), PaymentId(id));
    let owner = Ownership {
        user_id: Some(person),
        email_hash: Some(String::new()),
        phone_hash: None,
    };
    let of_payment = AuditFilter {
        payment_id: Some(payment),
        ..AuditFilter::default()
    };
    ask![told;
        board::find_by_uuid(pool, hasher, id),
        board::find_form(pool, crate::lead_board::form_uuid(hasher, BookingFormId(id))),
        board::row(pool, lead),
        board::latest(pool, &owner, home),
        timeline::history(pool, lead),
        timeline::streams(pool, lead),
        timeline::holds(pool, u64::try_from(number).unwrap()),
        payment_page::of_lead(pool, lead),
        ledger::of_payment(pool, payment),
        payment_audit::page(pool, &of_payment, 100, 0),
        payment_audit::notices(pool, payment),
        journey::shortlist(pool, person),
        journey::history(pool, person, home),
        journey::is_shortlisted(pool, person, home),
        inventory_page::find(pool, &id.to_string()),
        listing_name::find(pool, &id.to_string()),
    ];
    for which in [Which::Unclaimed, Which::Booked, Which::Enquired] {
        ask![told;board::owned(pool, &owner, which, 1, 10)];
    }
    if let Some(page) = inventory_page::page(pool, home).await.unwrap() {
        let now: Moment = "2026-11-20T10:00:00Z".parse().unwrap();
        ask![told;inventory_page::taken(pool, &page, now)];
    }
    told
}

async fn tables(log: &EventLog, store: &ReadStore) -> Vec<(String, Vec<Value>)> {
    let mut connection = store.readers().acquire().await.unwrap();
    let mut tables = Vec::new();
    for table in crate::all(log.handles())
        .iter()
        .flat_map(|projection| projection.tables())
    {
        tables.push((
            (*table).to_owned(),
            rows::of_table(&mut connection, table).await.unwrap(),
        ));
    }
    tables
}

#[tokio::test]
async fn both_databases_hold_the_same_rows_and_answer_every_question_alike() {
    let log = everything().await;
    let mut stores = Vec::new();
    for (place, folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let mut projector = Projector::new(log.clone(), store.clone(), crate::all(log.handles()));
        projector.catch_up().await.unwrap();
        stores.push((store, projector.applied().progress(), folder));
    }
    let [(one, _, _folder), (other, progress, _)] = &stores[..] else {
        panic!("two places")
    };
    assert!(progress.iter().all(|model| model.parked == 0), "{progress:?}");
    let (rows, others) = (tables(&log, one).await, tables(&log, other).await);
    let filled = rows.iter().filter(|(_, rows)| !rows.is_empty()).count();
    for (table, other) in rows.iter().zip(&others) {
        assert_eq!(table, other);
    }
    let empty: Vec<_> = rows
        .iter()
        .filter(|(_, rows)| rows.is_empty())
        .map(|(table, _)| table)
        .collect();
    assert!(filled >= 15, "empty: {empty:?}");
    for (said, other) in told(&log, one).await.iter().zip(&told(&log, other).await) {
        assert_eq!(said, other);
    }
}
