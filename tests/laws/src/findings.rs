//! What a law says of what it has found, and how it treats exemptions.

use std::collections::BTreeMap;

/// Offences by the subject that an exemption can name: a file, a crate, a word.
pub(crate) type Findings = BTreeMap<String, Vec<String>>;
/// How many offences of each subject are exempt.
pub(crate) type Exemptions = BTreeMap<String, usize>;

/// Fails with every finding and the way out.
#[track_caller]
pub(crate) fn assert_none(broken: impl Iterator<Item = String>, advice: &str) {
    let broken: Vec<_> = broken.collect();
    assert!(broken.is_empty(), "{}\n{advice}", broken.join("\n"));
}

/// Fails for a subject that offends more than it may, and for an exemption of more than is found: a number only falls, and an
/// exemption that nothing needs goes.
#[track_caller]
pub(crate) fn assert_exempted(found: &Findings, exempt: &Exemptions, advice: &str) {
    assert_none(excess(found, exempt).into_iter(), advice);
    assert_none(
        too_generous(found, exempt).into_iter(),
        "lower the exemption to what is found; take it off the list when nothing is found",
    );
}

fn excess(found: &Findings, exempt: &Exemptions) -> Vec<String> {
    let allowed = |subject: &str| exempt.get(subject).copied().unwrap_or_default();
    let beyond = found
        .iter()
        .filter(|(subject, offences)| offences.len() > allowed(subject));
    beyond
        .map(|(subject, offences)| {
            let (count, most) = (offences.len(), allowed(subject));
            format!("{subject}: {count} found, {most} exempt: {}", offences.join(", "))
        })
        .collect()
}

fn too_generous(found: &Findings, exempt: &Exemptions) -> Vec<String> {
    let count = |subject: &str| found.get(subject).map_or(0, Vec::len);
    let unneeded = exempt.iter().filter(|(subject, most)| **most > count(subject));
    unneeded
        .map(|(subject, most)| format!("{subject}: {most} exempt, {} found", count(subject)))
        .collect()
}

/// Exemptions of whole subjects, however often they offend: found with [`once`].
pub(crate) fn each<'s>(subjects: impl IntoIterator<Item = &'s str>) -> Exemptions {
    subjects
        .into_iter()
        .map(|subject| (subject.to_owned(), 1))
        .collect()
}

/// Findings of whole subjects, with one offence of each.
pub(crate) fn once(found: impl IntoIterator<Item = (String, String)>) -> Findings {
    let mut subjects = Findings::new();
    for (subject, offence) in found {
        subjects.entry(subject).or_insert_with(|| vec![offence]);
    }
    subjects
}

/// Findings with every offence of each subject.
pub(crate) fn all(found: impl IntoIterator<Item = (String, String)>) -> Findings {
    let mut subjects = Findings::new();
    for (subject, offence) in found {
        subjects.entry(subject).or_default().push(offence);
    }
    subjects
}

#[test]
fn exemptions_are_held_to_what_is_found() {
    let offence = |subject: &str| (subject.to_owned(), "x".to_owned());
    let found = all([offence("a"), offence("a"), offence("b")]);
    let exempt = |numbers: &[(&str, usize)]| -> Exemptions {
        let owned = numbers
            .iter()
            .map(|(subject, most)| ((*subject).to_owned(), *most));
        owned.collect()
    };
    let just = exempt(&[("a", 2), ("b", 1)]);
    assert!(excess(&found, &just).is_empty() && too_generous(&found, &just).is_empty());
    assert_eq!(
        excess(&found, &exempt(&[("a", 1)])),
        ["a: 2 found, 1 exempt: x, x", "b: 1 found, 0 exempt: x"]
    );
    assert_eq!(
        too_generous(&found, &exempt(&[("a", 3), ("b", 1), ("c", 1)])),
        ["a: 3 exempt, 2 found", "c: 1 exempt, 0 found"]
    );
    assert_eq!(once([offence("a"), offence("a")])["a"].len(), 1);
}
