//! A kind of room as the index folds it: what it is, its leases and its stock.

use chrono::NaiveDate;
use domain::id::InventoryId;
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::media::PhotoKind;
use domain::room::RoomAttributes;
use domain::room_stock::RoomStock;

use super::card_photos::{NamedPhoto, name_photos};

#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) id: InventoryId,
    pub(super) attributes: RoomAttributes,
    pub(super) bedrooms: Option<u8>,
    pub(super) bathrooms: Option<u8>,
    pub(super) dual_occupancy: Option<bool>,
    asked_minor: Option<u64>,
    pub(super) photos: Box<[NamedPhoto]>,
    pub(super) withdrawn: bool,
    /// How many there are of it.
    pub(super) rooms: u32,
    /// Whether somebody said so.
    pub(super) is_count_said: bool,
    pub(super) leases: Vec<LeaseOption>,
    /// Whether each lease may take all rooms.
    pub(super) leases_take_all: bool,
    pub(super) stock: RoomStock,
}

impl Room {
    pub(super) fn new(details: &RoomDetails) -> Self {
        Self {
            id: details.id,
            attributes: details.attributes,
            bedrooms: details.bedrooms,
            bathrooms: details.bathrooms,
            dual_occupancy: details.dual_occupancy,
            asked_minor: details.asked_minor,
            photos: name_photos(&details.media, Some(PhotoKind::Room)),
            withdrawn: false,
            rooms: 0,
            is_count_said: false,
            leases: Vec::new(),
            leases_take_all: false,
            stock: RoomStock::default(),
        }
    }

    /// Takes over what it is; its leases and its stock stay.
    pub(super) fn describe(&mut self, details: &RoomDetails) {
        self.attributes = details.attributes;
        self.bedrooms = details.bedrooms;
        self.bathrooms = details.bathrooms;
        self.dual_occupancy = details.dual_occupancy;
        self.asked_minor = details.asked_minor;
        self.photos = name_photos(&details.media, Some(PhotoKind::Room));
        self.withdrawn = false;
    }

    /// Rooms that the lease with most of them has: leases of the same nights share them.
    pub(super) fn given(&self) -> u32 {
        let given = self.leases.iter().map(|lease| self.most_of(lease));
        given.max().unwrap_or(0)
    }

    pub(super) fn left(&self, today: NaiveDate) -> u32 {
        let left = self.leases.iter().map(|lease| self.left_of(lease, today));
        left.max().unwrap_or(0)
    }

    pub(super) fn left_of(&self, lease: &LeaseOption, today: NaiveDate) -> u32 {
        if !lease.is_open_on(today) {
            return 0;
        }
        self.stock
            .open(lease.stay(), (self.rooms, self.most_of(lease)), today)
    }

    pub(super) fn most_of(&self, lease: &LeaseOption) -> u32 {
        if self.leases_take_all && lease.rooms_available > 0 {
            self.rooms
        } else {
            lease.rooms_available.min(self.rooms)
        }
    }

    /// Its rent where it is let on terms still to be agreed: no lease says when and for how long.
    pub(super) fn on_request_minor(&self) -> Option<u64> {
        self.asked_minor.filter(|_| self.leases.is_empty())
    }
}
