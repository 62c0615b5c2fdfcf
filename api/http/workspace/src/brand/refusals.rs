//! Refusals about a brand, as they read over HTTP.

use brands::error::BrandError;
use brands::picture::PictureFault;
use domain::brand::BrandRejection;
use domain::brand::look::LookFault;
use http_kit::error::ApiError;
use http_kit::said::say;

use super::shown::BrandView;

/// 409 with the brand as it stands now.
pub(super) fn say_changed(now: &BrandView) -> ApiError {
    ApiError::conflict("changed_meanwhile", say("refusal.brand_changed")).with_current(now)
}

pub(super) fn refuse(error: BrandError) -> ApiError {
    match error {
        BrandError::ChangedMeanwhile => ApiError::conflict("changed_meanwhile", say("refusal.brand_changed")),
        BrandError::UnknownValue(name) => {
            let said = say("refusal.brand_no_value").with("name", &name);
            ApiError::invalid_field(name, "unknown", said)
        }
        BrandError::Unreadable(name) => {
            let said = say("refusal.brand_value").with("name", &name);
            ApiError::invalid_field(name, "invalid", said)
        }
        BrandError::NoValues => ApiError::malformed(say("refusal.unreadable")),
        BrandError::ReasonTooLong { max } => {
            let said = say("refusal.at_most_characters").with("field", "reason");
            ApiError::invalid_field("reason", "too_long", said.with("max", max))
        }
        BrandError::Picture(fault) => refuse_picture(fault),
        BrandError::Store(cause) => ApiError::broken(cause),
        BrandError::Rejected(rejection) => refuse_command(rejection),
    }
}

fn refuse_command(rejection: BrandRejection) -> ApiError {
    match rejection {
        BrandRejection::Fault(fault) => refuse_value(&fault),
        BrandRejection::NothingToPublish => {
            ApiError::conflict("nothing_to_publish", say("refusal.brand_nothing"))
        }
        BrandRejection::UnknownVersion(_) => ApiError::not_found(say("refusal.brand_no_version")),
        BrandRejection::InUse(_) => ApiError::conflict("version_in_use", say("refusal.brand_in_use")),
        BrandRejection::TooManyPictures => {
            ApiError::conflict("too_many_pictures", say("refusal.brand_pictures"))
        }
    }
}

fn refuse_value(fault: &LookFault) -> ApiError {
    let field = fault.field();
    let said = match fault {
        LookFault::Empty { .. } => say("validation.required"),
        LookFault::TooLong { max, .. } => say("refusal.at_most_characters")
            .with("field", field)
            .with("max", max),
        LookFault::TooMany { max, .. } => say("refusal.brand_too_many").with("max", max),
        LookFault::Unseen { .. } => say("refusal.brand_unseen"),
        LookFault::UnknownLanguage { tag, .. } => say("refusal.no_such_language").with("language", tag),
        LookFault::Twice { .. } => say("refusal.brand_twice"),
        LookFault::NoAddress { .. } => say("refusal.brand_address"),
        LookFault::UnknownPicture { .. } => say("refusal.brand_no_picture"),
    };
    ApiError::invalid_field(field, fault.code(), said)
}

/// 422 with the reason why a file is not taken.
fn refuse_picture(fault: PictureFault) -> ApiError {
    let key = match fault {
        PictureFault::TooLarge => "refusal.brand_file_large",
        PictureFault::TooManyPixels => "refusal.brand_file_pixels",
        PictureFault::NotAPicture => "refusal.brand_file_kind",
        PictureFault::Damaged => "validation.document_damaged",
        PictureFault::TooLong => "refusal.brand_file_long",
        PictureFault::Script => "refusal.brand_file_script",
        PictureFault::Outside => "refusal.brand_file_outside",
        PictureFault::Text => "refusal.brand_file_text",
        PictureFault::TooComplex => "refusal.brand_file_complex",
    };
    ApiError::invalid_field("file", fault.code(), say(key))
}
