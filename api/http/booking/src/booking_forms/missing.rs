//! Faults of a form's answers, each with its sentence: that of a missing answer names its field, as the form in the browser does.

use domain::booking_form::SectionKey;
use domain::contact::{FaultCode, FieldFault};
use http_kit::error::FieldError;
use http_kit::field_errors::field_error;
use http_kit::said::Said;

/// Sections about another person than the student.
const OF_OTHERS: [SectionKey; 2] = [SectionKey::EmergencyForm, SectionKey::GuarantorForm];

/// Bad answers as the envelope shows them.
pub(super) fn answer_errors(faults: &[FieldFault]) -> Vec<FieldError> {
    faults.iter().map(answer_error).collect()
}

fn answer_error(fault: &FieldFault) -> FieldError {
    let is_missing = matches!(fault.code, FaultCode::Required | FaultCode::MustAccept);
    match name_missing(&fault.field).filter(|_| is_missing) {
        Some(sentence) => FieldError::new(fault.field.clone(), fault.code.key(), sentence),
        None => field_error(&fault.field, fault.code),
    }
}

/// The sentence for a missing answer of `section/key`; `None` for a question of the property's own.
fn name_missing(field: &str) -> Option<Said> {
    let (section, key) = field.split_once('/')?;
    let is_of_others = OF_OTHERS.iter().any(|other| other.key() == section);
    if is_of_others && key != "relation" {
        return Said::of_missing(&format!("their_{key}"));
    }
    Said::of_missing(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_answer_is_named_with_whose_it_is() {
        let refused_with = |field: &str, code| answer_error(&FieldFault::new(field, code)).message.written();
        let required = FaultCode::Required;
        for (field, sentence) in [
            ("personal_form/dob", "Enter your date of birth"),
            ("personal_form/full_name", "Enter your full name"),
            ("guarantor_form/full_name", "Enter their full name"),
            ("emergency_form/relation", "Enter their relation to you"),
            ("emergency_form/dob", "Enter an answer here"),
            ("personal_form/pets", "Enter an answer here"),
        ] {
            assert_eq!(refused_with(field, required), sentence, "{field}");
        }
        let genuine = refused_with(
            "confirmation_documents/documents_are_genuine",
            FaultCode::MustAccept,
        );
        assert_eq!(genuine, "Tick the box to confirm that these details are true");
        let length = refused_with("personal_form/dob", FaultCode::TooLong);
        assert_eq!(length, "This is too long. Shorten it");
    }
}
