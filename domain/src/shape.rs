//! The shapes of stored events: those this program writes, and the steps that lead from older ones to them.

use std::fmt;

use serde_json::Value;

use crate::aggregate::Decide;

/// An event's stored type and the version of its shape.
pub type Shape<'t> = (&'t str, u32);

/// One step from an older shape towards now: pure, on the readable payload. What is sealed stays as it is.
#[derive(Debug, Clone, Copy)]
pub struct Upcast {
    pub from: Shape<'static>,
    pub to: Shape<'static>,
    pub change: fn(Value) -> Value,
}

/// Events whose shapes are known; [`event_names!`](crate::event_names!) says it.
pub trait Shaped {
    /// What is written today, one a variant.
    const CURRENT: &'static [Shape<'static>];
    /// The steps from what was written before.
    const UPCASTS: &'static [Upcast];
}

/// For an event that got a field which may be missing: it reads as it is.
pub fn as_it_is(payload: Value) -> Value {
    payload
}

/// Everything that may lie in streams of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Shapes {
    pub kind: &'static str,
    pub current: &'static [Shape<'static>],
    pub upcasts: &'static [Upcast],
}

impl Shapes {
    pub const fn of<A: Decide>() -> Self {
        Self {
            kind: A::KIND,
            current: A::Event::CURRENT,
            upcasts: A::Event::UPCASTS,
        }
    }

    /// The steps from a stored shape to today's, in order; none for today's own.
    ///
    /// # Errors
    /// The shape is strange: no path leads from it to now.
    pub fn steps(&self, event_type: &str, version: u32) -> Result<Vec<&'static Upcast>, Strange> {
        let mut steps = Vec::new();
        let mut at: Shape<'_> = (event_type, version);
        while !self.current.contains(&at) {
            let next = self.upcasts.iter().find(|step| step.from == at);
            let Some(step) = next.filter(|_| steps.len() < self.upcasts.len()) else {
                return Err(self.strange(event_type, version));
            };
            steps.push(step);
            at = step.to;
        }
        Ok(steps)
    }

    fn strange(&self, event_type: &str, version: u32) -> Strange {
        let known = self.current.iter().find(|(name, _)| *name == event_type);
        Strange {
            kind: self.kind.to_owned(),
            event_type: event_type.to_owned(),
            version,
            known: known.map(|(_, version)| *version),
        }
    }
}

/// A stored shape from which no path leads to now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Strange {
    pub kind: String,
    pub event_type: String,
    pub version: u32,
    /// The version this program writes of the type.
    pub known: Option<u32>,
}

impl fmt::Display for Strange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name, version) = (&self.kind, &self.event_type, self.version);
        write!(f, "{name} version {version} in streams of the kind `{kind}`, ")?;
        match self.known {
            Some(known) if version > known => {
                write!(
                    f,
                    "newer than this program, which knows version {known}: use the newer program that wrote it"
                )
            }
            Some(known) => write!(
                f,
                "from which this program has no step towards version {known}: use a program that has it"
            ),
            None => write!(
                f,
                "which this program does not know: use the newer program that wrote it"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::kinds::{KINDS, readable};
    use crate::room_stock::{RoomStock, RoomStockEvent};

    #[test]
    fn an_older_shape_takes_each_step_to_now_and_todays_takes_none() {
        let stock = Shapes::of::<RoomStock>();
        let versions = |from| -> Vec<u32> {
            let steps = stock.steps("HoldTaken", from).expect("a path");
            steps.iter().map(|step| step.to.1).collect()
        };
        assert_eq!(versions(1), [2, 3]);
        assert_eq!(versions(2), [3]);
        assert_eq!(versions(3), [0; 0]);
    }

    /// A hold of before people were told apart is a proved one's and stands back for nobody.
    #[test]
    fn old_hold_without_a_proved_flag_reads_as_proved_and_firm() {
        for (version, text) in [
            (1, include_str!("../events/room_stock/HoldTaken.v1.json")),
            (2, include_str!("../events/room_stock/HoldTaken.v2.json")),
        ] {
            let sample: Value = serde_json::from_str(text).expect("a sample is JSON");
            let steps = Shapes::of::<RoomStock>()
                .steps("HoldTaken", version)
                .expect("a path");
            let change = |payload, step: &&Upcast| (step.change)(payload);
            let now = steps.iter().fold(sample["payload"].clone(), change);
            let event: RoomStockEvent = serde_json::from_value(now).expect("it reads");
            let RoomStockEvent::HoldTaken { proved, yields, .. } = event else {
                panic!("{event:?}");
            };
            assert!(proved && !yields);
        }
    }

    #[test]
    fn a_shape_without_a_path_is_named_with_what_to_do() {
        let said = |kind, name, version| readable(kind, name, version).expect_err("strange").to_string();
        let newer = said("lead", "LeadEnquired", 3);
        assert_eq!(
            newer,
            "LeadEnquired version 3 in streams of the kind `lead`, newer than this program, which knows version 1: use \
             the newer program that wrote it"
        );
        assert!(said("lead", "LeadSang", 1).contains("does not know"));
        assert!(said("choir", "LeadEnquired", 1).contains("does not know"));
        assert!(said("lead", "LeadEnquired", 0).contains("no step towards version 1"));
    }

    #[test]
    fn steps_that_lead_round_in_a_circle_lead_nowhere() {
        const ROUND: [Upcast; 2] = [
            Upcast {
                from: ("Turned", 1),
                to: ("Turned", 2),
                change: as_it_is,
            },
            Upcast {
                from: ("Turned", 2),
                to: ("Turned", 1),
                change: as_it_is,
            },
        ];
        let shapes = Shapes {
            kind: "wheel",
            current: &[("Turned", 3)],
            upcasts: &ROUND,
        };
        assert!(shapes.steps("Turned", 1).is_err());
    }

    /// With `sample.rs`, which reads every sample back: whoever takes away a step, a sample or a kind hears of it.
    #[test]
    fn every_shape_ever_released_has_a_sample_and_a_path_to_now() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("events");
        let list = |folder: &Path| -> BTreeSet<String> {
            let entries = std::fs::read_dir(folder).expect("a readable folder");
            let name = |entry: std::io::Result<std::fs::DirEntry>| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            };
            entries.map(name).collect()
        };
        let kinds: BTreeSet<String> = KINDS.iter().map(|shapes| shapes.kind.to_owned()).collect();
        assert_eq!(
            list(&folder),
            kinds,
            "a kind without samples, or samples without a kind"
        );
        for shapes in KINDS {
            let samples = list(&folder.join(shapes.kind));
            let released = shapes
                .current
                .iter()
                .flat_map(|(name, version)| (1..=*version).map(move |version| (*name, version)))
                .chain(shapes.upcasts.iter().flat_map(|step| [step.from, step.to]));
            for (name, version) in released {
                let file = format!("{name}.v{version}.json");
                assert!(samples.contains(&file), "{}/{file} is missing", shapes.kind);
                shapes
                    .steps(name, version)
                    .unwrap_or_else(|strange| panic!("{strange}"));
            }
        }
    }
}
