use super::super::document_link::{Audience, DocumentLink};
use super::*;
use crate::sample::assert_kept;

#[test]
fn every_event_reads_back_from_its_sample() {
    assert_kept::<BookingForm>(&[
        first_released(),
        saved(SectionKey::EmergencyForm, true, contact()),
        medical("asthma"),
        document_added(),
        room_changed(),
        BookingFormEvent::Submitted {
            flow: Flow::Book,
            at: at(),
        },
        place_kept("full_name"),
        BookingFormEvent::DefinitionChanged {
            definition: asking_for_a_visa(),
            reopened: vec![SectionKey::EmergencyForm],
            at: at(),
        },
        BookingFormEvent::DocumentRemoved {
            document_id: Uuid::from_u128(7),
            at: at(),
        },
        BookingFormEvent::DocumentLinkMade {
            link: sample_link(Audience::Staff),
            at: at(),
        },
        BookingFormEvent::DocumentOpened {
            link: sample_link(Audience::Provider),
            at: at(),
        },
    ]);
}

fn sample_link(audience: Audience) -> DocumentLink {
    DocumentLink {
        link_id: Uuid::from_u128(8),
        document_id: Uuid::from_u128(7),
        audience,
        expires_at: at() + chrono::TimeDelta::minutes(10),
    }
}
