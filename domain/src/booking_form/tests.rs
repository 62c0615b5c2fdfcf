use chrono::DateTime;
use cqrs_es::test::TestFramework;
use uuid::Uuid;

use super::*;
use crate::contact::FaultCode;
use crate::country::Country;

mod kept;

type FormTest = TestFramework<BookingForm>;

fn at() -> Moment {
    DateTime::from_timestamp(1_795_000_000, 0).unwrap()
}

fn start(country: Country) -> Start {
    Start {
        form_id: BookingFormId(Uuid::from_u128(1)),
        lead_id: LeadId(Uuid::from_u128(2)),
        person_id: UserId(Uuid::from_u128(3)),
        medical_subject: UserId(Uuid::from_u128(4)),
        inventory_id: InventoryId(Uuid::from_u128(5)),
        flow: country.flow(),
        definition: FormDefinition::of(None, Some(country), None),
        source: Some("newsletter".to_owned()),
    }
}

fn started() -> BookingFormEvent {
    BookingFormEvent::Started {
        start: Box::new(start(Country::Uk)),
        at: at(),
    }
}

fn texts(pairs: &[(&str, &str)]) -> Answers {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), Answer::Text((*value).to_owned())))
        .collect()
}

fn contact() -> Answers {
    texts(&[
        ("full_name", "Li Chen"),
        ("relation", "mother"),
        ("phone", "+8613912345678"),
        ("email", "li@example.cn"),
    ])
}

fn save(section: SectionKey, answers: Answers, complete: bool) -> BookingFormCommand {
    BookingFormCommand::SaveSection {
        section,
        answers,
        complete,
        at: at(),
    }
}

fn saved(section: SectionKey, complete: bool, answers: Answers) -> BookingFormEvent {
    BookingFormEvent::SectionSaved {
        section,
        complete,
        filled: answers.keys().cloned().collect(),
        person_id: UserId(Uuid::from_u128(3)),
        at: at(),
        answers: Sealed::new(answers),
    }
}

fn medical(text: &str) -> BookingFormEvent {
    let medical_subject = UserId(Uuid::from_u128(4));
    BookingFormEvent::MedicalConditionSaved {
        medical_subject,
        at: at(),
        condition: Sealed::new(text.into()),
    }
}

#[test]
fn half_a_section_is_kept() {
    let half = texts(&[("full_name", "Mei"), ("email", "mei@")]);
    FormTest::with(())
        .given(vec![started()])
        .when(save(SectionKey::PersonalForm, half.clone(), false))
        .then_expect_events(vec![saved(SectionKey::PersonalForm, false, half)]);
}

#[test]
fn a_section_is_complete_only_when_every_field_can_be_used() {
    let mut answers = contact();
    answers.insert("email".into(), Answer::Text("12@example.cn".into()));
    answers.remove("relation");
    let faults = vec![
        FieldFault::new("emergency_form/relation", FaultCode::Required),
        FieldFault::new("emergency_form/email", FaultCode::EmailLocalDigits),
    ];
    FormTest::with(())
        .given(vec![started()])
        .when(save(SectionKey::EmergencyForm, answers, true))
        .then_expect_error(BookingFormRejection::Invalid(faults));
}

/// A guarantor who is the emergency contact needs no second form.
#[test]
fn guarantor_who_is_the_emergency_contact_needs_no_second_form() {
    let same = Answers::from([(definition::SAME_AS_EMERGENCY.to_owned(), Answer::Flag(true))]);
    FormTest::with(())
        .given(vec![started()])
        .when(save(SectionKey::GuarantorForm, same.clone(), true))
        .then_expect_events(vec![saved(SectionKey::GuarantorForm, true, same)]);
}

#[test]
fn health_is_sealed_apart_from_everything_else() {
    let mut answers = texts(&[("full_name", "Mei")]);
    let open = answers.clone();
    answers.insert("medical_condition".into(), Answer::Text("asthma".into()));
    FormTest::with(())
        .given(vec![started()])
        .when(save(SectionKey::PersonalForm, answers, false))
        .then_expect_events(vec![
            saved(SectionKey::PersonalForm, false, open),
            medical("asthma"),
        ]);
}

#[test]
fn an_incomplete_form_cannot_be_sent() {
    FormTest::with(())
        .given(vec![started(), saved(SectionKey::PersonalForm, true, texts(&[]))])
        .when(BookingFormCommand::Submit { at: at() })
        .then_expect_error(BookingFormRejection::Incomplete(vec![
            SectionKey::EmergencyForm,
            SectionKey::GuarantorForm,
        ]));
}

#[test]
fn a_complete_form_is_sent_once_and_then_stands() {
    let ready = || {
        let mut events = vec![started()];
        for key in [
            SectionKey::PersonalForm,
            SectionKey::EmergencyForm,
            SectionKey::GuarantorForm,
        ] {
            events.push(saved(key, true, texts(&[])));
        }
        events
    };
    let submitted = BookingFormEvent::Submitted {
        flow: Flow::Book,
        at: at(),
    };
    FormTest::with(())
        .given(ready())
        .when(BookingFormCommand::Submit { at: at() })
        .then_expect_events(vec![submitted.clone()]);
    let after = || [ready(), vec![submitted.clone()]].concat();
    FormTest::with(())
        .given(after())
        .when(BookingFormCommand::Submit { at: at() })
        .then_expect_events(vec![]);
    FormTest::with(())
        .given(after())
        .when(save(SectionKey::EmergencyForm, contact(), true))
        .then_expect_error(BookingFormRejection::AlreadySubmitted);
    let papers = texts(&[("identity_number", "X1")]);
    FormTest::with(())
        .given(after())
        .when(save(SectionKey::ConfirmationDocuments, papers.clone(), false))
        .then_expect_events(vec![saved(SectionKey::ConfirmationDocuments, false, papers)]);
}

#[test]
fn unknown_fields_are_named() {
    FormTest::with(())
        .given(vec![started()])
        .when(save(SectionKey::EmergencyForm, texts(&[("price", "1")]), false))
        .then_expect_error(BookingFormRejection::Invalid(vec![FieldFault::new(
            "emergency_form/price",
            FaultCode::UnknownField,
        )]));
}

#[test]
fn steps_count_from_two_before_payment_and_from_one_after_it() {
    use SectionKey as S;
    let numbers = |country| {
        let form = FormDefinition::of(None, Some(country), None);
        let shown = form.sections.into_iter().filter(|section| !section.hidden);
        shown
            .map(|section| (section.key, section.step, section.last))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        numbers(Country::Uk),
        [
            (S::PersonalForm, 2, false),
            (S::EmergencyForm, 3, false),
            (S::GuarantorForm, 4, true),
            (S::ConfirmationDocuments, 1, true)
        ]
    );
    assert_eq!(
        numbers(Country::Canada),
        [
            (S::PersonalForm, 2, false),
            (S::EmergencyForm, 3, true),
            (S::ConfirmationDocuments, 1, true)
        ]
    );
    assert!(
        numbers(Country::Us)
            .iter()
            .all(|(key, _, last)| !last || *key == S::ConfirmationDocuments)
    );
}

#[test]
fn a_form_that_hides_everything_shows_everything() {
    let mut hidden = FormDefinition::of(None, None, None);
    for section in &mut hidden.sections {
        section.hidden = true;
    }
    let form = FormDefinition::of(Some(hidden), Some(Country::Uk), None);
    assert_eq!(form.visible(false).count(), 3);
}

#[test]
fn who_books_is_between_16_and_99() {
    let outcome = |dob: &str| {
        let form = crate::aggregate::fold::<BookingForm>(&[started()]);
        let answers = texts(&[("dob", dob)]);
        let Err(BookingFormRejection::Invalid(faults)) =
            form.decide(save(SectionKey::PersonalForm, answers, true))
        else {
            return None;
        };
        faults
            .into_iter()
            .find(|fault| fault.field == "personal_form/dob")
            .map(|fault| fault.code)
    };
    assert_eq!(outcome("2000-02-29"), None);
    assert_eq!(outcome("2015-01-01"), Some(FaultCode::AgeRange));
    assert_eq!(outcome("1900-01-01"), Some(FaultCode::AgeRange));
    assert_eq!(outcome("29.2.2000"), Some(FaultCode::DateFormat));
}

/// A form begun when documents were named in words; such forms go on as they began.
fn first_released() -> BookingFormEvent {
    use definition::{Field, FieldKind};
    let field = |key: &str, kind, required, options: &[&str]| Field {
        key: key.to_owned(),
        kind,
        required,
        options: options.iter().map(|&option| option.to_owned()).collect(),
        visible_if: None,
    };
    let mut start = start(Country::Uk);
    let documents = start.definition.sections.last_mut().unwrap();
    documents.fields = vec![
        field(
            "identity_document",
            FieldKind::Select,
            true,
            &["passport", "national_id"],
        ),
        field("identity_number", FieldKind::Text, true, &[]),
        field("enrolment_letter_reference", FieldKind::Text, false, &[]),
        field("documents_are_genuine", FieldKind::Checkbox, true, &[]),
    ];
    BookingFormEvent::Started {
        start: Box::new(start),
        at: at(),
    }
}

fn document_added() -> BookingFormEvent {
    BookingFormEvent::DocumentAdded {
        document: Document {
            document_id: Uuid::from_u128(7),
            media_type: "application/pdf".into(),
            size_bytes: 48_213,
            digest: "9f".repeat(32),
        },
        person_id: UserId(Uuid::from_u128(3)),
        at: at(),
        name: Sealed::new("passport.pdf".into()),
    }
}

#[test]
fn a_document_counts_only_once_it_was_sent() {
    let mut answers = texts(&[
        ("identity_document", "passport"),
        ("identity_number", "P1"),
        ("identity_file", &Uuid::from_u128(7).to_string()),
    ]);
    answers.insert("documents_are_genuine".into(), Answer::Flag(true));
    let save = || save(SectionKey::ConfirmationDocuments, answers.clone(), true);
    FormTest::with(())
        .given(vec![started()])
        .when(save())
        .then_expect_error(BookingFormRejection::Invalid(vec![FieldFault::new(
            "confirmation_documents/identity_file",
            FaultCode::Document,
        )]));
    FormTest::with(())
        .given(vec![started(), document_added()])
        .when(save())
        .then_expect_events(vec![saved(
            SectionKey::ConfirmationDocuments,
            true,
            answers.clone(),
        )]);
}

fn room_changed() -> BookingFormEvent {
    BookingFormEvent::RoomChanged {
        inventory_id: InventoryId(Uuid::from_u128(6)),
        at: at(),
    }
}

#[test]
fn another_room_is_chosen_once_and_keeps_what_was_filled_in() {
    let change = |room| BookingFormCommand::ChangeRoom {
        inventory_id: InventoryId(Uuid::from_u128(room)),
        at: at(),
    };
    FormTest::with(())
        .given(vec![started(), saved(SectionKey::EmergencyForm, true, contact())])
        .when(change(6))
        .then_expect_events(vec![room_changed()]);
    FormTest::with(())
        .given(vec![started(), room_changed()])
        .when(change(6))
        .then_expect_events(vec![]);
}

fn place_kept(field: &str) -> BookingFormEvent {
    BookingFormEvent::PlaceKept {
        place: Place {
            section: SectionKey::EmergencyForm,
            field: Some(field.to_owned()),
        },
        at: at(),
    }
}

fn merge(answers: Answers, complete: bool, focused: &str) -> BookingFormCommand {
    BookingFormCommand::Merge(Fields {
        section: SectionKey::EmergencyForm,
        answers,
        complete,
        focused: Some(focused.to_owned()),
        at: at(),
    })
}

/// Two devices that fill in different fields both keep theirs.
#[test]
fn fields_of_two_devices_both_stay() {
    let first = texts(&[("full_name", "Li Chen"), ("email", "li@")]);
    let both = texts(&[("full_name", "Li Chen"), ("email", "li@"), ("relation", "mother")]);
    FormTest::with(())
        .given(vec![started(), saved(SectionKey::EmergencyForm, false, first)])
        .when(merge(texts(&[("relation", "mother")]), false, "relation"))
        .then_expect_events(vec![
            saved(SectionKey::EmergencyForm, false, both),
            place_kept("relation"),
        ]);
}

#[test]
fn overwritten_answers_are_named_unless_they_were_seen() {
    let stored = texts(&[("full_name", "Li Chen"), ("relation", "mother")]);
    let form =
        crate::aggregate::fold::<BookingForm>(&[started(), saved(SectionKey::EmergencyForm, false, stored)]);
    let typed = texts(&[
        ("full_name", "Li Wang"),
        ("relation", "mother"),
        ("email", "li@example.cn"),
    ]);
    let key = SectionKey::EmergencyForm;
    assert_eq!(
        form.overwritten(key, &typed, &texts(&[])),
        texts(&[("full_name", "Li Chen")])
    );
    assert_eq!(
        form.overwritten(key, &typed, &texts(&[("full_name", "Li Chen")])),
        texts(&[])
    );
}

fn asking_for_a_visa() -> FormDefinition {
    let mut definition = start(Country::Uk).definition;
    let emergency = &mut definition.sections[1].fields;
    emergency.retain(|field| field.key != "relation");
    let mut visa = emergency[0].clone();
    visa.key = "visa".to_owned();
    emergency.push(visa);
    definition
}

/// A field that is not asked any more keeps its answer; a newly required one reopens its section and is asked for.
#[test]
fn changed_definition_loses_no_answer() {
    let under = |then| BookingFormCommand::Under {
        definition: Box::new(asking_for_a_visa()),
        then: Box::new(then),
        at: at(),
    };
    let given = vec![started(), saved(SectionKey::EmergencyForm, true, contact())];
    FormTest::with(())
        .given(given.clone())
        .when(under(merge(texts(&[]), true, "visa")))
        .then_expect_error(BookingFormRejection::Invalid(vec![FieldFault::new(
            "emergency_form/visa",
            FaultCode::Required,
        )]));
    let mut whole = contact();
    whole.extend(texts(&[("visa", "Student")]));
    // A device that shows the old definition still sends the field that is not asked any more.
    let sent = texts(&[("visa", "Student"), ("relation", "aunt")]);
    whole.extend(texts(&[("relation", "aunt")]));
    FormTest::with(())
        .given(given)
        .when(under(merge(sent, true, "visa")))
        .then_expect_events(vec![
            BookingFormEvent::DefinitionChanged {
                definition: asking_for_a_visa(),
                reopened: vec![SectionKey::EmergencyForm],
                at: at(),
            },
            saved(SectionKey::EmergencyForm, true, whole),
            BookingFormEvent::PlaceKept {
                place: Place {
                    section: SectionKey::GuarantorForm,
                    field: None,
                },
                at: at(),
            },
        ]);
}

#[test]
fn removed_document_reopens_the_section_that_named_it() {
    let id = Uuid::from_u128(7);
    let named = texts(&[("identity_number", "P1"), ("identity_file", &id.to_string())]);
    let section = SectionKey::ConfirmationDocuments;
    let remove = |document_id| BookingFormCommand::RemoveDocument {
        document_id,
        at: at(),
    };
    let given = vec![started(), document_added(), saved(section, true, named)];
    FormTest::with(())
        .given(given.clone())
        .when(remove(id))
        .then_expect_events(vec![
            BookingFormEvent::DocumentRemoved {
                document_id: id,
                at: at(),
            },
            saved(section, false, texts(&[("identity_number", "P1")])),
        ]);
    FormTest::with(())
        .given(given)
        .when(remove(Uuid::from_u128(8)))
        .then_expect_error(BookingFormRejection::NoSuchDocument);
}
