//! Messages to the sender of a lead.

use super::*;

#[test]
fn letter_is_noted_once_for_each_fact() {
    let note = |about| LeadCommand::NoteLetter {
        posted: Posted {
            about,
            ..refused_letter()
        },
        text: Some(Box::new(letter_text())),
        at: at(9),
    };
    let mut lead = crate::aggregate::fold::<Lead>(&[created()]);
    let first = lead.decide(note(Some(id(5)))).unwrap();
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].subject(), lead.sealed_by());
    lead.evolve(&first[0]);
    assert!(lead.knows(LetterKind::FormLeft, Some(id(5))));
    assert_eq!(lead.decide(note(Some(id(5)))).unwrap(), vec![]);
    assert_eq!(lead.decide(note(Some(id(6)))).unwrap().len(), 1);
}

#[test]
fn recipient_of_a_letter_is_masked() {
    assert_eq!(letter_text().masked_recipient(), "m•••@•••.uk");
    let text = LetterText {
        to: "+447700900123".into(),
        ..letter_text()
    };
    assert_eq!(text.masked_recipient(), "+44 7•••123");
}
