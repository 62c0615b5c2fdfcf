//! Faults of a form's fields as the envelope of an error shows them: each with its sentence.

use domain::contact::{FaultCode, FieldFault};

use crate::error::FieldError;
use crate::said::Said;

/// Bad fields as the envelope shows them: each with its sentence.
pub fn field_errors(faults: &[FieldFault]) -> Vec<FieldError> {
    faults
        .iter()
        .map(|fault| field_error(&fault.field, fault.code))
        .collect()
}

/// One bad field with its sentence.
pub fn field_error(field: &str, code: FaultCode) -> FieldError {
    let sentence = Said::of_fault(code.key());
    let sentence = match code {
        FaultCode::NameSign(sign) => sentence.with("sign", sign),
        _ => sentence,
    };
    FieldError::new(field, code.key(), sentence)
}
