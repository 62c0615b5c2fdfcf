//! One log folded into both databases answers every question alike, row by row and in the same order.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use domain::booking_form::BookingForm;
use domain::brand::{Brand, HOUSE_BRAND};
use domain::case::Case;
use domain::gateway_event::{GatewayEvent, GatewayEventId};
use domain::id::{
    BookingFormId, CaseId, ImportRunId, InventoryId, LeadId, OwnTextId, PaymentId, PhotoId, RegionId, UserId,
};
use domain::import_run::ImportRun;
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lead::{Lead, LeadEvent};
use domain::moment::Moment;
use domain::own_text::OwnText;
use domain::payment::{Payment, PaymentEvent};
use domain::photo::{ContentHash, Photo};
use domain::region::Region;
use domain::room_stock::RoomStock;
use domain::shortlist::Shortlist;
use domain::user::User;
use domain::user_history::UserHistory;
use eventlog::EventLog;
use serde_json::Value;
use tables::{Place, rows};
use tracing::{Event, Metadata, Subscriber, span};
use uuid::Uuid;

use crate::case_board::CaseFilter;
use crate::lead_board::filter::Stage;
use crate::lead_board::query::Which;
use crate::lead_board::{LeadBoard, Ownership, query as board};
use crate::lead_steps::StepKind;
use crate::lead_steps::sequence::WantedStep;
use crate::lead_timeline::query as timeline;
use crate::lead_timeline::tests::{first, store};
use crate::payment_audit::AuditFilter;
use crate::provider_account::query::LineFilter;
use crate::run::{Projection, Projector, Ways};
use crate::store::ReadStore;
use crate::trial::{places, shared};
use crate::{
    brands, case_board, import_runs, inventory_page, journey, lead_desk, lead_steps, ledger, listing_name,
    looks, own_text, payment_audit, payment_page, photo, provider_account, referral_code, role_grant,
    session, staff_homes, waitlist,
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
    store::<ImportRun>(&log, ImportRunId(Uuid::from_u128(1)), "ImportRunBegun").await;
    store::<Photo>(&log, PhotoId(Uuid::from_u128(1)), "PhotoFetched").await;
    store::<Brand>(&log, HOUSE_BRAND, "BrandPictureAdded").await;
    store::<OwnText>(&log, OwnTextId(Uuid::from_u128(1)), "OwnTextDrafted").await;
    store::<Case>(&log, CaseId(Uuid::from_u128(9)), "CaseOpened").await;
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
    let mut told = told_of_homes(store).await;
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
            payment_audit::after(pool, &text, (0, 0), 10),
            payment_audit::totals(pool, &text),
            referral_code::find(pool, words),
            session::find(pool, words),
            payment_page::find_by_digest(pool, words),
            payment_page::count_not_begun(pool, words),
        ];
    }
    let in_city = board::Filter {
        city: Some("London".to_owned()),
        ..board::Filter::default()
    };
    ask![told; board::list(pool, hasher, &in_city, 1, 10)];
    let lists = inventory_page::ListFilter {
        kinds: Vec::new(),
        statuses: Vec::new(),
        region: None,
    };
    ask![told;
        brands::list(pool),
        brands::list_pixels(pool),
        role_grant::all(pool),
        own_text::find_shown(pool, "about", Language::default()),
        own_text::list_lines(pool),
        looks::list(pool, &looks::LookFilter::default(), 10),
        looks::readers(pool),
        case_board::list(pool, &CaseFilter::default(), 10, 0),
        case_board::count(pool, &CaseFilter { unowned: true, due_before: Some(i64::MAX), ..CaseFilter::default() }),
        provider_account::query::lines(pool, &LineFilter::default(), 10, 0),
        provider_account::query::counts(pool, &LineFilter::default()),
        provider_account::query::payouts(pool, 10),
        provider_account::query::notices(pool, true, 10),
        provider_account::query::notices(pool, false, 10),
        provider_account::query::newest(pool),
        import_runs::list(pool, &import_runs::RunFilter::default(), 10),
        import_runs::list_feeds(pool),
        waitlist::rooms(pool, 10),
        lead_desk::open_asks(pool, 10),
        lead_desk::declined_asks(pool, 10),
        board::newest(pool),
        board::list(pool, hasher, &everywhere(), 1, 10),
        lead_steps::report::report(pool, (0, i64::MAX), lead_steps::report::Grouping::Week),
        lead_steps::report::report(pool, (0, i64::MAX), lead_steps::report::Grouping::Source),
        lead_steps::sequence::search(pool, &enquired(), 0),
        ledger::balances(pool),
        payment_audit::totals(pool, &AuditFilter::default()),
        inventory_page::list(pool, &lists, 10, 0),
    ];
    told
}

/// What a store says of homes at the desk and of their photos.
async fn told_of_homes(store: &ReadStore) -> Vec<String> {
    let pool = store.readers();
    let mut told = Vec::new();
    let content = ContentHash::of_bytes(b"a photo");
    let (known, front) = (
        PhotoId(Uuid::from_u128(1)),
        PhotoId::of_place("https://photos.example/front.jpg"),
    );
    ask![told;
        photo::list_due(pool, i64::MAX, Some(&first_due()), 10),
        photo::list_due_kept(pool, i64::MAX, 10),
        photo::count_states(pool),
        photo::find_photos(pool, &[known, front]),
        photo::is_shown(pool, content),
        photo::list_pictures(pool),
        photo::is_taken_down(pool, content),
        photo::find_by_content(pool, content),
        photo::standing::find_standings(pool, &[known]),
        photo::standing::find_taken_down(pool, content),
        photo::standing::list_kept_out(pool, i64::MAX),
        photo::naming::count_dead(pool),
        photo::naming::list_dead(pool, "feed", 10),
        staff_homes::query::list(pool, &staff_homes::query::HomeFilter::default(), 10),
        staff_homes::query::count(pool, &staff_homes::query::HomeFilter::default()),
        staff_homes::query::list_sources(pool),
        staff_homes::query::list_due(pool, "2099-01-01".parse().unwrap(), 10),
    ];
    told
}

fn first_due() -> photo::DuePhoto {
    photo::DuePhoto {
        photo_id: Uuid::from_u128(1).to_string(),
        place: "https://photos.example/front.jpg".to_owned(),
        due_at: 1,
    }
}

/// Every filter of the leads' list at once.
fn everywhere() -> board::Filter {
    let (day, text) = (Some("2026-11-26".to_owned()), Some("aspen".to_owned()));
    board::Filter {
        words: "mei en-suite".to_owned(),
        stage: Some(Stage::DeclinedToday),
        city: text.clone(),
        property: text.clone(),
        partner: text.clone(),
        source: text,
        created_from: day.clone(),
        created_to: day.clone(),
        move_in_from: day.clone(),
        move_in_to: day,
        leads: Some(vec![Uuid::from_u128(1).to_string()]),
        ..board::Filter::default()
    }
}

fn enquired() -> [WantedStep; 1] {
    [WantedStep {
        kind: StepKind::Enquired,
        code: None,
        within_ms: None,
        is_absent: false,
    }]
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
    };
    let of_payment = AuditFilter {
        payment_id: Some(payment),
        ..AuditFilter::default()
    };
    ask![told;
        board::find_by_uuid(pool, hasher, id),
        lead_steps::sequence::of_lead(pool, &id.to_string()),
        board::find_form(pool, crate::lead_board::form_uuid(hasher, BookingFormId(id))),
        board::row(pool, lead),
        board::find_earlier(pool, &owner, home, 10),
        timeline::history(pool, lead),
        timeline::streams(pool, lead),
        timeline::holds(pool, u64::try_from(number).unwrap()),
        timeline::lead_of(pool, u64::try_from(number).unwrap()),
        payment_page::of_lead(pool, lead),
        ledger::of_payment(pool, payment),
        payment_audit::page(pool, &of_payment, 100, 0),
        payment_audit::notices(pool, payment),
        journey::shortlist(pool, person),
        journey::history(pool, person, home),
        journey::is_shortlisted(pool, person, home),
        inventory_page::find(pool, &id.to_string()),
        listing_name::find(pool, &id.to_string()),
        import_runs::find(pool, ImportRunId(id)),
        import_runs::last_run(pool, home),
        staff_homes::query::list_alike(pool, home),
        staff_homes::query::list_leads_of(pool, home, 10),
        staff_homes::query::count_taken(pool, &[home.to_string()], "2026-11-20T10:00:00Z".parse().unwrap()),
    ];
    for which in [Which::Unclaimed, Which::Booked, Which::Enquired] {
        ask![told;board::owned(pool, &owner, which, 1, 10)];
    }
    if let Some(page) = inventory_page::page(pool, home).await.unwrap() {
        let now: Moment = "2026-11-20T10:00:00Z".parse().unwrap();
        ask![told;inventory_page::taken(pool, &page, (now, now.date_naive()))];
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

/// Both databases hold the same rows and answer every question alike.
#[tokio::test]
async fn both_databases_hold_the_same_rows_and_answers() {
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

/// A search of steps may find more leads than a statement has places for: every one of them is counted and listed.
#[tokio::test]
async fn lists_narrow_to_any_number_of_leads() {
    let log = EventLog::memory();
    first::<Lead>(&log, LeadId(Uuid::from_u128(1)), "LeadCreated", |_| {}).await;
    let found = (2..70_000).chain([1]);
    let filter = board::Filter {
        leads: Some(found.map(|number| Uuid::from_u128(number).to_string()).collect()),
        ..board::Filter::default()
    };
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let lists: Vec<Box<dyn Projection>> = vec![Box::new(LeadBoard::new(log.handles().clone()))];
        let mut projector = Projector::new(log.clone(), store.clone(), lists);
        projector.catch_up().await.unwrap();
        let (pool, hasher) = (store.readers(), log.handles());
        assert_eq!(board::count(pool, hasher, &filter).await.unwrap(), 1);
        let listed = board::list(pool, hasher, &filter, 1, 10).await.unwrap();
        assert_eq!((listed.total, listed.rows.len()), (1, 1));
    }
}

/// Rows are the same whether events come one by one or all at once.
#[tokio::test]
async fn rows_are_equal_for_single_events_and_for_batches() {
    let log = everything().await;
    let head = log.head().await.unwrap();
    let mut stores = Vec::new();
    for steps in [1, head] {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let store = ReadStore::open(&place).await.unwrap();
        let projector = Projector::new(log.clone(), store.clone(), crate::all(log.handles()));
        for step in 1..=steps {
            projector.fold_until(head * step / steps).await.unwrap();
        }
        stores.push((tables(&log, &store).await, folder));
    }
    for (table, other) in stores[0].0.iter().zip(&stores[1].0) {
        // The samples of a property begin before it is listed, which it never does: nothing is kept of it until then. Those of several
        // share the ids of their rooms, which homes never do.
        if !["inventory_page", "staff_home_room"].contains(&table.0.as_str()) {
            assert_eq!(table, other);
        }
    }
}

/// Counts the statements that this thread sends.
#[derive(Clone, Default)]
struct Statements(Arc<AtomicUsize>);

impl Subscriber for Statements {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.target() == "sqlx::query"
    }

    fn new_span(&self, _span: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _span: &span::Id, _values: &span::Record<'_>) {}

    fn record_follows_from(&self, _span: &span::Id, _follows: &span::Id) {}

    fn event(&self, _event: &Event<'_>) {
        self.0.fetch_add(1, Relaxed);
    }

    fn enter(&self, _span: &span::Id) {}

    fn exit(&self, _span: &span::Id) {}
}

/// Many of what `write` writes are folded with as many statements as two, on PostgreSQL: in SQLite they are logged by another thread.
async fn many_cost_as_many_statements_as_two(
    projections: fn(&EventLog) -> Vec<Box<dyn Projection>>,
    write: impl AsyncFn(&EventLog, Uuid),
) {
    let store = ReadStore::open(&shared()).await.unwrap();
    let (log, mut ids) = (EventLog::memory(), 100..);
    let mut projector = Projector::new(log.clone(), store, projections(&log));
    let mut counts = Vec::new();
    for size in [2, 2, 60] {
        for id in ids.by_ref().take(size) {
            write(&log, Uuid::from_u128(id)).await;
        }
        let statements = Statements::default();
        let counting = tracing::subscriber::set_default(statements.clone());
        projector.catch_up().await.unwrap();
        drop(counting);
        counts.push(statements.0.load(Relaxed));
    }
    // The first batch also prepares its connection.
    assert!(counts[1] > 5, "{counts:?}");
    assert_eq!(counts[1], counts[2], "{counts:?}");
}

#[tokio::test]
async fn many_enquiries_in_a_batch_cost_as_many_statements_as_two() {
    let all = |log: &EventLog| crate::all(log.handles());
    many_cost_as_many_statements_as_two(all, async |log, id| {
        first::<User>(log, UserId(id), "UserRegistered", |_| {}).await;
        let with_a_link_of_its_own = |event: &mut LeadEvent| {
            if let LeadEvent::Created { personal, .. } = event {
                personal.0.as_mut().unwrap().lead_uuid = id;
            }
        };
        first::<Lead>(log, LeadId(id), "LeadCreated", with_a_link_of_its_own).await;
    })
    .await;
}

#[tokio::test]
async fn many_payments_in_a_batch_cost_as_many_statements_as_two() {
    let lists = |log: &EventLog| -> Vec<Box<dyn Projection>> {
        vec![
            Box::new(payment_page::Payments),
            Box::new(LeadBoard::new(log.handles().clone())),
        ]
    };
    many_cost_as_many_statements_as_two(lists, async |log, id| {
        let by_a_link_of_its_own = |event: &mut PaymentEvent| {
            if let PaymentEvent::PaymentOpened { terms, .. } = event {
                terms.token_digest = id.to_string();
            }
        };
        first::<Payment>(log, PaymentId(id), "PaymentOpened", by_a_link_of_its_own).await;
    })
    .await;
}

/// An index that a rebuild makes last is one of the projection's own and keeps nothing unique.
#[tokio::test]
async fn late_index_belongs_to_its_projection_and_is_not_unique() {
    let folder = tempfile::tempdir().unwrap();
    let store = ReadStore::open(&Place::Folder(folder.path().to_owned()))
        .await
        .unwrap();
    let log = EventLog::memory();
    for projection in crate::all(log.handles()) {
        for index in projection.indexes_of_readers() {
            let found: Option<(String, String)> =
                sqlx::query_as("select tbl_name, sql from sqlite_master where type = 'index' and name = $1")
                    .bind((*index).to_owned())
                    .fetch_optional(store.readers())
                    .await
                    .unwrap();
            let (table, sql) = found.unwrap_or_else(|| panic!("no index `{index}`"));
            assert!(projection.tables().contains(&table.as_str()), "{index}: {table}");
            assert!(!sql.to_lowercase().contains("unique"), "{sql}");
        }
    }
}

#[tokio::test]
async fn all_read_models_built_anew_are_what_was_followed() {
    let log = everything().await;
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let mut followed = Projector::new(log.clone(), store.clone(), crate::all(log.handles()));
        followed.catch_up().await.unwrap();
        let before = tables(&log, &store).await;
        for rebuilt in followed.rebuild(None, Ways::Switch).await.unwrap() {
            assert!(rebuilt.compared_at.is_some(), "{rebuilt:?}");
            assert_eq!(rebuilt.differences, []);
        }
        assert_eq!(tables(&log, &store).await, before);
    }
}
