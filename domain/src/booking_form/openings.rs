//! How a link to a document is made, used once and ends, and who opened a document.

use uuid::Uuid;

use super::document_link::{Audience, DocumentLink, LinkCommand};
use super::{BookingForm, BookingFormEvent, BookingFormRejection};
use crate::moment::Moment;

impl BookingForm {
    pub(super) fn link(&self, command: LinkCommand) -> Result<Vec<BookingFormEvent>, BookingFormRejection> {
        match command {
            LinkCommand::Make { link, at } => {
                if !self.documents.contains_key(&link.document_id) {
                    return Err(BookingFormRejection::NoSuchDocument);
                }
                let is_known = self.document_links.contains_key(&link.link_id);
                let made = (!is_known).then_some(BookingFormEvent::DocumentLinkMade { link, at });
                Ok(made.into_iter().collect())
            }
            LinkCommand::Use { link_id, at } => {
                let link = self.open_link(link_id, at)?;
                Ok(vec![BookingFormEvent::DocumentOpened { link, at }])
            }
        }
    }

    /// The link, where it opens its document at this moment.
    ///
    /// # Errors
    /// Says whether it was used, is over, or never was one.
    pub fn open_link(&self, link_id: Uuid, at: Moment) -> Result<DocumentLink, BookingFormRejection> {
        let (link, used) = self
            .document_links
            .get(&link_id)
            .ok_or(BookingFormRejection::NoSuchDocument)?;
        if used.is_some() {
            return Err(BookingFormRejection::LinkUsed);
        }
        if at >= link.expires_at {
            return Err(BookingFormRejection::LinkOver);
        }
        if !self.documents.contains_key(&link.document_id) {
            return Err(BookingFormRejection::NoSuchDocument);
        }
        Ok(*link)
    }

    /// Who opened a document, and when, oldest first.
    pub fn openings(&self, document_id: Uuid) -> Vec<(Audience, Moment)> {
        let links = self.document_links.values();
        let mut opened: Vec<(Audience, Moment)> = links
            .filter(|(link, _)| link.document_id == document_id)
            .filter_map(|(link, used)| Some((link.audience, (*used)?)))
            .collect();
        opened.sort_unstable_by_key(|(_, at)| *at);
        opened
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::aggregate::Decide as _;
    use crate::booking_form::{BookingFormCommand, Document};

    #[test]
    fn link_opens_its_document_once_and_in_time() {
        let at: Moment = "2026-11-26T12:00:00Z".parse().unwrap();
        let link = |number, audience| DocumentLink {
            link_id: Uuid::from_u128(number),
            document_id: Uuid::from_u128(1),
            audience,
            expires_at: at + TimeDelta::minutes(10),
        };
        let document = Document {
            document_id: Uuid::from_u128(1),
            media_type: "application/pdf".to_owned(),
            size_bytes: 1,
            digest: String::new(),
        };
        let mut form = BookingForm::default();
        let staff = link(5, Audience::Staff);
        let make = |link| LinkCommand::Make { link, at };
        assert_eq!(form.link(make(staff)), Err(BookingFormRejection::NoSuchDocument));
        form.documents.insert(document.document_id, document);
        for link in [staff, link(6, Audience::Provider)] {
            for event in form.link(make(link)).unwrap() {
                form.evolve(&event);
            }
        }
        let used = LinkCommand::Use {
            link_id: staff.link_id,
            at,
        };
        for event in form.link(used).unwrap() {
            form.evolve(&event);
        }
        assert_eq!(form.link(used), Err(BookingFormRejection::LinkUsed));
        let late = LinkCommand::Use {
            link_id: Uuid::from_u128(6),
            at: staff.expires_at,
        };
        assert_eq!(form.link(late), Err(BookingFormRejection::LinkOver));
        assert_eq!(form.openings(staff.document_id), [(Audience::Staff, at)]);
        let unknown = BookingFormCommand::Link(used);
        assert_eq!(
            BookingForm::default().decide(unknown),
            Err(BookingFormRejection::Unknown)
        );
    }
}
