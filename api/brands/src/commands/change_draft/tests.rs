use chrono::Utc;
use domain::brand::HOUSE_BRAND;
use eventlog::Actor;

use super::*;

fn changes(changes: Value) -> Map<String, Value> {
    match changes {
        Value::Object(changes) => changes,
        other => panic!("{other} is no object"),
    }
}

fn merged(before: &BrandLook, with: Value) -> Result<BrandLook, BrandError> {
    merge_look(before, &changes(with))
}

#[test]
fn value_that_is_not_named_stays_and_null_takes_one_away() {
    let first = merged(
        &BrandLook::default(),
        json!({ "name": "Quayside", "tagline": { "en": "Rooms", "zh": "房间" }, "main_colour": "#7a2e5d" }),
    );
    let first = first.unwrap();
    let next = merged(&first, json!({ "tagline": { "zh": null }, "main_colour": null })).unwrap();
    assert_eq!(next.name.as_deref(), Some("Quayside"));
    assert_eq!(
        serde_json::to_value(&next.tagline).unwrap(),
        json!({ "en": "Rooms" })
    );
    assert_eq!(next.main_colour, None);
}

#[test]
fn wrong_value_is_named() {
    for (wrong, name) in [
        (json!({ "main_colour": "red" }), "main_colour"),
        (json!({ "font": "comic" }), "font"),
        (json!({ "sections": ["hero"] }), "sections"),
        (json!({ "support": [{ "fax": "1" }] }), "support"),
        (json!({ "logo": "../../etc/passwd" }), "logo"),
        (json!({ "name": ["a"] }), "name"),
    ] {
        let refused = merged(&BrandLook::default(), wrong);
        assert_eq!(refused, Err(BrandError::Unreadable(name.to_owned())));
    }
    for unknown in [json!({ "color": "#000000" }), json!({ "color": null })] {
        let refused = merged(&BrandLook::default(), unknown);
        assert_eq!(refused, Err(BrandError::UnknownValue("color".to_owned())));
    }
}

/// A name that a look has and the list has not could not be taken away.
#[test]
fn every_value_of_a_look_is_in_the_list() {
    for name in VALUES {
        let alone = serde_json::from_value::<BrandLook>(json!({ name: 0 }));
        let text = alone.unwrap_err().to_string();
        assert!(!text.contains("unknown field"), "{name}: {text}");
    }
    let told = serde_json::from_value::<BrandLook>(json!({ "x": 0 }))
        .unwrap_err()
        .to_string();
    assert_eq!(told.matches('`').count(), 2 * (VALUES.len() + 1), "{told}");
}

#[tokio::test]
async fn second_editor_of_the_same_draft_is_told() {
    let log = EventLog::memory();
    let context = || Context::new(Utc::now(), Actor::SYSTEM);
    let change = |revision, name: &str| ChangeDraft {
        brand_id: HOUSE_BRAND,
        revision: Some(revision),
        changes: changes(json!({ "name": name })),
        by: None,
    };
    change_draft(&log, &change(0, "North"), &context()).await.unwrap();
    let late = change_draft(&log, &change(0, "South"), &context()).await;
    assert!(matches!(
        late,
        Err(CommitError::Rejected(BrandError::ChangedMeanwhile))
    ));
    change_draft(&log, &change(1, "South"), &context()).await.unwrap();
    let draft = log.load::<Brand>(HOUSE_BRAND).await.unwrap().state.draft;
    assert_eq!(draft.name.as_deref(), Some("South"));
}
