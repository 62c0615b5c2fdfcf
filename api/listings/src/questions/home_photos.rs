//! The photos of a home and of its room types, with who named each first, and those that nobody names any more. Read from the home's own
//! stream, which alone holds all of it.

use std::collections::BTreeMap;

use domain::aggregate::Decide as _;
use domain::id::InventoryId;
use domain::inventory::media::SaidPhoto;
use domain::inventory::photo_list::PhotoList;
use domain::inventory::{Inventory, InventoryEvent};
use eventlog::{EventLog, Loaded, LogError, Position, RecordedEvent, StreamId};

use super::home_values::Origin;

/// Events of one home, far more than any has.
const EVENTS_MAX: usize = 1_000_000;

/// The home, or one of its room types.
pub type PhotoHolder = Option<InventoryId>;

/// A photo that a home or a room type names, or named once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPhoto {
    /// The room type; `None` for the home itself.
    pub room: PhotoHolder,
    /// As it is shown, or as it was named last.
    pub said: SaidPhoto,
    /// When the home heard of it, and from whom.
    pub origin: Origin,
}

/// The photos of a home.
#[derive(Debug, Clone)]
pub struct HomePhotos {
    pub home: Loaded<Inventory>,
    /// Of its last event.
    pub position: Position,
    /// Of the last event that changed a photo.
    pub changed_at: Position,
    /// Of the home, then of each room type that it lets, each in its order.
    pub named: Vec<NamedPhoto>,
    /// Those that nobody names any more, by their places.
    pub former: Vec<NamedPhoto>,
}

impl HomePhotos {
    /// The feed that is the home's source.
    pub fn feed(&self) -> Option<&str> {
        let source = self.home.state.property.as_deref()?.source.as_ref()?;
        Some(&source.feed)
    }

    /// All of them, those that are shown first.
    pub fn all(&self) -> impl Iterator<Item = &NamedPhoto> {
        self.named.iter().chain(&self.former)
    }
}

/// Photos and plans of the home, then of each room type that it lets.
pub(crate) fn list_lists(home: &Inventory) -> Vec<(PhotoHolder, PhotoList)> {
    let own = home.property.as_deref().map(|property| &property.media);
    let own = own.map(|media| (None, PhotoList::of(media)));
    let rooms = home.let_rooms().map(|room| {
        let details = &room.details;
        (Some(details.id), PhotoList::of(&details.media))
    });
    own.into_iter().chain(rooms).collect()
}

/// Reads the photos of a home; `None` where there is none.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_home_photos(log: &EventLog, home_id: InventoryId) -> Result<Option<HomePhotos>, LogError> {
    let stream = StreamId::of::<Inventory>(home_id);
    let mut folding = Folding::new();
    for event in log.read_stream(&stream, 0, EVENTS_MAX).await? {
        let happened = event.decode::<Inventory>();
        let happened: InventoryEvent = happened.map_err(|source| LogError::Unreadable {
            position: event.position,
            source,
        })?;
        folding.take(&event, &happened);
    }
    Ok(folding.finish())
}

struct Folding {
    home: Loaded<Inventory>,
    position: Position,
    changed_at: Position,
    lists: Vec<(PhotoHolder, PhotoList)>,
    /// Every photo that was ever named, by its place, as it was named last.
    heard: BTreeMap<String, NamedPhoto>,
}

impl Folding {
    fn new() -> Self {
        Self {
            home: Loaded::beginning(),
            position: 0,
            changed_at: 0,
            lists: Vec::new(),
            heard: BTreeMap::new(),
        }
    }

    fn take(&mut self, event: &RecordedEvent, happened: &InventoryEvent) {
        self.home.state.evolve(happened);
        self.home.revision = event.revision;
        self.home.last_event = Some(event.event_id);
        self.position = event.position;
        let is_about_rooms = matches!(happened, InventoryEvent::RoomWithdrawn { .. });
        if happened.described().is_none() && !is_about_rooms {
            return;
        }
        let lists = list_lists(&self.home.state);
        if lists == self.lists {
            return;
        }
        self.changed_at = event.position;
        for (room, list) in &lists {
            for said in list.pictures() {
                self.hear(*room, said, event);
            }
        }
        self.lists = lists;
    }

    fn hear(&mut self, room: PhotoHolder, said: &SaidPhoto, event: &RecordedEvent) {
        if let Some(known) = self.heard.get_mut(&said.place) {
            if known.said != *said {
                known.said = said.clone();
            }
            known.room = room;
            return;
        }
        let named = NamedPhoto {
            room,
            said: said.clone(),
            origin: Origin {
                position: event.position,
                at: event.occurred_at,
                actor: event.actor,
                correlation_id: event.correlation_id,
            },
        };
        self.heard.insert(said.place.clone(), named);
    }

    fn finish(mut self) -> Option<HomePhotos> {
        self.home.state.property.as_deref()?;
        let mut named = Vec::new();
        for (room, list) in &self.lists {
            for said in list.pictures() {
                let known = self.heard.get(&said.place)?;
                named.push(NamedPhoto {
                    room: *room,
                    said: said.clone(),
                    origin: known.origin.clone(),
                });
            }
        }
        for photo in &named {
            self.heard.remove(&photo.said.place);
        }
        Some(HomePhotos {
            home: self.home,
            position: self.position,
            changed_at: self.changed_at,
            named,
            former: self.heard.into_values().collect(),
        })
    }
}
