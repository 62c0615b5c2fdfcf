//! A booking form's events in sentences. Which fields are filled is told; what is in them never.

use domain::booking_form::BookingFormEvent;

use super::told::Told;

/// `complete` counts the sections complete after this event, `total` those asked before payment.
pub(super) fn tell(event: &BookingFormEvent, complete: usize, total: usize) -> Told {
    use BookingFormEvent as E;
    let sections = || format!("{complete} / {total}");
    match event {
        E::Started { start, .. } => Told::new(format!("form_started.{}", start.flow.key()))
            .set("form_status", "started")
            .set("form_flow", start.flow.key())
            .set_some("bookform_source", start.source.clone())
            .set("sections", sections()),
        E::SectionSaved {
            section,
            complete: true,
            filled,
            ..
        } => Told::new(format!("form_section_completed.{}", section.key()))
            .with("count", filled.len())
            .set(section.key(), "complete")
            .set("sections", sections()),
        E::SectionSaved {
            section,
            complete: false,
            filled,
            ..
        } => Told::new(format!("form_section_saved.{}", section.key()))
            .with("count", filled.len())
            .set(section.key(), "draft")
            .set("sections", sections()),
        E::MedicalConditionSaved { .. } => Told::new("form_medical_condition_saved"),
        E::DocumentAdded { document, .. } => {
            Told::new("form_document_added").with("kind", document.media_type.as_str())
        }
        E::DocumentRemoved { .. } => Told::new("form_document_removed"),
        E::DocumentLinkMade { link, .. } => {
            Told::new(format!("form_document_link_made.{}", link.audience.key()))
        }
        E::DocumentOpened { link, .. } => Told::new(format!("form_document_opened.{}", link.audience.key())),
        E::RoomChanged { .. } => Told::new("form_room_changed"),
        E::PlaceKept { place, .. } => Told::new(format!("form_place_kept.{}", place.section.key())),
        E::DefinitionChanged { reopened, .. } => {
            let told = Told::new("form_definition_changed").with("count", reopened.len());
            reopened
                .iter()
                .fold(told.set("sections", sections()), |told, section| {
                    told.set(section.key(), "draft")
                })
        }
        E::Submitted { flow, .. } => {
            Told::new(format!("form_submitted.{}", flow.key())).set("form_status", "completed")
        }
    }
}
