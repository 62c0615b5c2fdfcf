//! What a room is: the three attributes of the specification and the configuration names made from them (Spec §5, §9).

use serde::{Deserialize, Serialize};

use crate::country::Country;

/// Whether something is one's own or shared with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    Private,
    Shared,
}

/// The `meta_types` of a room: one answer each for room, bathroom and kitchen, where known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct RoomAttributes {
    pub room: Option<Sharing>,
    pub bathroom: Option<Sharing>,
    pub kitchen: Option<Sharing>,
}

impl RoomAttributes {
    pub const fn new(room: Sharing, bathroom: Sharing, kitchen: Sharing) -> Self {
        Self {
            room: Some(room),
            bathroom: Some(bathroom),
            kitchen: Some(kitchen),
        }
    }

    /// The words of the `meta_types` filter, e.g. `private_room`, `shared_kitchen`.
    pub fn meta_types(self) -> Vec<&'static str> {
        [self.room_type(), self.bathroom_type(), self.kitchen_type()]
            .into_iter()
            .flatten()
            .collect()
    }

    pub fn room_type(self) -> Option<&'static str> {
        self.room.map(|sharing| match sharing {
            Sharing::Private => "private_room",
            Sharing::Shared => "shared_room",
        })
    }

    pub fn bathroom_type(self) -> Option<&'static str> {
        self.bathroom.map(|sharing| match sharing {
            Sharing::Private => "private_bathroom",
            Sharing::Shared => "shared_bathroom",
        })
    }

    pub fn kitchen_type(self) -> Option<&'static str> {
        self.kitchen.map(|sharing| match sharing {
            Sharing::Private => "private_kitchen",
            Sharing::Shared => "shared_kitchen",
        })
    }
}

/// The configuration names that filters and forms show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Configuration {
    EnsuiteRoom,
    StudioRoom,
    SharedRoom,
    PrivateRoom,
    Studio,
    OneBedroom,
    TwoBedrooms,
    ThreeBedrooms,
}

impl Configuration {
    /// The name as the specification writes it (Spec §9).
    pub const fn name(self) -> &'static str {
        match self {
            Self::EnsuiteRoom => "Ensuite Room",
            Self::StudioRoom => "Studio Room",
            Self::SharedRoom => "Shared Room",
            Self::PrivateRoom => "Private Room",
            Self::Studio => "Studio",
            Self::OneBedroom => "1BHK Apartment",
            Self::TwoBedrooms => "2BHK Apartment",
            Self::ThreeBedrooms => "3BHK Apartment",
        }
    }

    /// The stable word used in URLs and events.
    pub const fn key(self) -> &'static str {
        match self {
            Self::EnsuiteRoom => "ensuite_room",
            Self::StudioRoom => "studio_room",
            Self::SharedRoom => "shared_room",
            Self::PrivateRoom => "private_room",
            Self::Studio => "studio",
            Self::OneBedroom => "one_bedroom",
            Self::TwoBedrooms => "two_bedrooms",
            Self::ThreeBedrooms => "three_bedrooms",
        }
    }

    /// Only exactly three attributes make a name (Spec §5); in the US whole flats are named by their bedrooms (Spec §9). A flat of
    /// several bedrooms is no studio.
    pub fn of(country: Country, attributes: RoomAttributes, bedrooms: Option<u8>) -> Option<Self> {
        use Sharing::{Private, Shared};
        let (room, bathroom, kitchen) = (attributes.room?, attributes.bathroom?, attributes.kitchen?);
        if country == Country::Us && (room, bathroom, kitchen) == (Private, Private, Private) {
            return match bedrooms? {
                0 => Some(Self::Studio),
                1 => Some(Self::OneBedroom),
                2 => Some(Self::TwoBedrooms),
                3 => Some(Self::ThreeBedrooms),
                _ => None,
            };
        }
        match (room, bathroom, kitchen) {
            (Private, Private, Shared) => Some(Self::EnsuiteRoom),
            (Private, Private, Private) => bedrooms.is_none_or(|count| count < 2).then_some(Self::StudioRoom),
            (Shared, Shared, Shared) => Some(Self::SharedRoom),
            (Private, Shared, Shared) => Some(Self::PrivateRoom),
            (Private | Shared, Shared, Private) | (Shared, Private, Private | Shared) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Sharing::{Private, Shared};

    #[test]
    fn three_attributes_make_a_configuration_name() {
        let named = |room, bathroom, kitchen| {
            Configuration::of(Country::Uk, RoomAttributes::new(room, bathroom, kitchen), None)
                .map(Configuration::name)
        };
        assert_eq!(named(Private, Private, Shared), Some("Ensuite Room"));
        assert_eq!(named(Private, Private, Private), Some("Studio Room"));
        assert_eq!(named(Shared, Shared, Shared), Some("Shared Room"));
        assert_eq!(named(Private, Shared, Shared), Some("Private Room"));
        assert_eq!(named(Shared, Private, Shared), None);
    }

    #[test]
    fn two_attributes_make_none() {
        let attributes = RoomAttributes {
            kitchen: None,
            ..RoomAttributes::new(Private, Private, Private)
        };
        assert_eq!(Configuration::of(Country::Uk, attributes, Some(1)), None);
    }

    #[test]
    fn whole_flats_in_the_us_are_named_by_bedrooms() {
        let own = RoomAttributes::new(Private, Private, Private);
        assert_eq!(
            Configuration::of(Country::Us, own, Some(0)).map(Configuration::name),
            Some("Studio")
        );
        assert_eq!(
            Configuration::of(Country::Us, own, Some(2)).map(Configuration::name),
            Some("2BHK Apartment")
        );
        assert_eq!(Configuration::of(Country::Us, own, Some(7)), None);
        assert_eq!(Configuration::of(Country::Us, own, None), None, "none is said");
    }

    #[test]
    fn flat_of_several_bedrooms_is_no_studio() {
        let own = RoomAttributes::new(Private, Private, Private);
        let named = |bedrooms| Configuration::of(Country::Uk, own, bedrooms);
        for studio in [None, Some(0), Some(1)] {
            assert_eq!(named(studio), Some(Configuration::StudioRoom));
        }
        assert_eq!((named(Some(2)), named(Some(9))), (None, None));
    }
}
