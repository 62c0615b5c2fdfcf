//! One stored sample of every event shape ever released: `domain/events/<kind>/<EventName>.v<n>.json`.

use std::fs;
use std::path::Path;

use cqrs_es::DomainEvent;
use serde_json::{Value, json};

use crate::aggregate::Decide;
use crate::sealed::Sealable;
use crate::shape::Shapes;

/// Compares `events` (one of every shape) with their samples, and reads every sample on file, older shapes included.
///
/// `LATCHKEY_WRITE_SAMPLES=1 cargo test -p domain` writes those that are missing; a sample is never rewritten.
pub(crate) fn assert_kept<A: Decide>(events: &[A::Event]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("events").join(A::KIND);
    for event in events {
        let file = folder.join(format!("{}.v{}.json", event.event_type(), event.event_version()));
        let sample = shown::<A>(event);
        if !file.exists() && std::env::var_os("LATCHKEY_WRITE_SAMPLES").is_some() {
            fs::create_dir_all(&folder).expect("the samples folder can be made");
            let text = serde_json::to_string_pretty(&sample).expect("a sample is JSON") + "\n";
            std::io::Write::write_all(
                &mut fs::File::create(&file).expect("the sample can be made"),
                text.as_bytes(),
            )
            .expect("the sample is written");
        }
        let text = fs::read_to_string(&file).unwrap_or_else(|_| {
            panic!(
                "no sample {}: run with LATCHKEY_WRITE_SAMPLES=1 and commit it",
                file.display()
            )
        });
        let kept: Value = serde_json::from_str(&text).expect("a sample is JSON");
        assert_eq!(
            kept,
            sample,
            "{} no longer is what it was when released",
            file.display()
        );
        assert_eq!(&read::<A>(&kept), event, "{} does not read back", file.display());
    }
    for file in fs::read_dir(&folder).expect("the kind has samples") {
        let file = file.expect("a readable folder").path();
        let text = fs::read_to_string(&file).expect("a readable sample");
        let mut sample: Value = serde_json::from_str(&text).expect("a sample is JSON");
        let (name, version) = named(&file);
        for step in Shapes::of::<A>()
            .steps(&name, version)
            .unwrap_or_else(|strange| panic!("{strange}"))
        {
            sample["payload"] = (step.change)(sample["payload"].take());
        }
        read::<A>(&sample);
    }
}

/// The stored type and version that a sample is of: `HoldTaken.v2.json`, `PropertyListed.v1.with_form.json`.
fn named(file: &Path) -> (String, u32) {
    let file = file.file_name().expect("a file has a name").to_string_lossy();
    let mut parts = file.split('.');
    let name = parts.next().expect("a name").to_owned();
    let version = parts.next().and_then(|it| it.strip_prefix('v')?.parse().ok());
    (name, version.expect("a version"))
}

fn shown<A: Decide>(event: &A::Event) -> Value {
    let personal: Option<Value> = event
        .personal()
        .map(|bytes| serde_json::from_slice(&bytes).expect("personal data is JSON"));
    json!({ "payload": event, "personal": personal })
}

fn read<A: Decide>(sample: &Value) -> A::Event {
    let mut event: A::Event =
        serde_json::from_value(sample["payload"].clone()).expect("an old event still reads");
    if !sample["personal"].is_null() {
        event.reveal(Some(sample["personal"].to_string().as_bytes()));
    }
    event
}
