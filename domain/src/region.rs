//! A place students search for: country, state, city, area or establishment (Spec §3 Region, D47).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::aggregate::Decide;
use crate::contact::is_blank;
use crate::country::Country;
use crate::id::{RegionId, UserId};
use crate::place::{Bounds, Coordinates, is_canonical};
use crate::sealed::{Sealable, Sealed};
use crate::shape::as_it_is;
use crate::wording::Wording;

/// What is known about a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionDetails {
    pub name: String,
    pub canonical_name: String,
    pub region_type: RegionType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<Subtype>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RegionId>,
    pub country: Country,
    /// The city's name, for cities and what lies in them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locality: Option<String>,
    pub centre: Coordinates,
    pub bounds: Bounds,
    /// IANA name, for viewing slots (D63).
    pub time_zone: String,
    /// Other names people type: short forms and names in other languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Shown as its name where the reader's language has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_name: Option<Wording>,
    /// Place in its country's list of popular cities, from 1 (D62).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub popular_rank: Option<u16>,
    /// Where a retired campus leads to (D8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_canonical_name: Option<String>,
    /// A university whose campus is not known: `centre` is the middle of its town, and no distance to the university is measured from it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_without_campus: bool,
    /// Staff said where it is and what it is called: no import corrects it by the atlas (decision 0048).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_mended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegionType {
    Country,
    State,
    Locality,
    Sublocality,
    Establishment,
}

impl RegionType {
    pub const ALL: [Self; 5] = [
        Self::Country,
        Self::State,
        Self::Locality,
        Self::Sublocality,
        Self::Establishment,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Country => "country",
            Self::State => "state",
            Self::Locality => "locality",
            Self::Sublocality => "sublocality",
            Self::Establishment => "establishment",
        }
    }
}

/// What kind of establishment it is (D47).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subtype {
    University,
    CollegeCampus,
    Residence,
}

impl Subtype {
    pub const fn key(self) -> &'static str {
        match self {
            Self::University => "university",
            Self::CollegeCampus => "college_campus",
            Self::Residence => "residence",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegionState {
    #[default]
    Active,
    Inactive,
    Retired,
}

impl RegionState {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
            Self::Retired => "retired",
        }
    }
}

/// What staff and the importer may ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegionCommand {
    /// Take the place as described: opens it when new, records only what differs.
    Describe {
        region: Box<RegionDetails>,
    },
    /// Staff correct what is known of the place: it stays what it is, and where in the tree.
    Mend {
        region: Box<RegionDetails>,
        by: UserId,
        reason: String,
    },
    Activate,
    Deactivate,
    /// A campus that is no more: visitors go to `redirect_canonical_name`.
    Retire {
        redirect_canonical_name: String,
    },
}

/// What happened to a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RegionEvent {
    RegionOpened {
        region: Box<RegionDetails>,
    },
    RegionDescribed {
        region: Box<RegionDetails>,
    },
    RegionMended {
        region: Box<RegionDetails>,
        by: UserId,
        #[serde(skip)]
        reason: Sealed<String>,
    },
    RegionActivated {},
    RegionDeactivated {},
    RegionRetired {
        redirect_canonical_name: String,
    },
}

crate::event_names!(RegionEvent {
    RegionOpened => "RegionOpened" 3,
    RegionDescribed => "RegionDescribed" 3,
    RegionMended => "RegionMended" 1,
    RegionActivated => "RegionActivated" 1,
    RegionDeactivated => "RegionDeactivated" 1,
    RegionRetired => "RegionRetired" 1,
} upcasts {
    "RegionOpened" 1 => "RegionOpened" 2: as_it_is,
    "RegionOpened" 2 => "RegionOpened" 3: as_it_is,
    "RegionDescribed" 1 => "RegionDescribed" 2: as_it_is,
    "RegionDescribed" 2 => "RegionDescribed" 3: as_it_is,
});

impl RegionEvent {
    /// The place as it is from this event on; `None` for one that describes nothing.
    pub fn described(&self) -> Option<&RegionDetails> {
        match self {
            Self::RegionOpened { region }
            | Self::RegionDescribed { region }
            | Self::RegionMended { region, .. } => Some(region),
            Self::RegionActivated {} | Self::RegionDeactivated {} | Self::RegionRetired { .. } => None,
        }
    }
}

/// A person's reason is sealed under their own key.
impl Sealable for RegionEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::RegionMended { by, .. } => Some(*by),
            _ => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::RegionMended { reason, .. } => reason.to_json(),
            _ => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::RegionMended { reason, .. } = self {
            reason.reveal(plain);
        }
    }
}

/// Why a command was turned down.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegionRejection {
    #[error("this region does not exist")]
    Unknown,
    #[error("the region's name is empty")]
    NoName,
    #[error("canonical name `{0}` is not lower-case words joined by hyphens")]
    BadCanonicalName(String),
    #[error("the coordinates are not on the earth")]
    OffEarth,
    #[error("the box does not hold the centre")]
    CentreOutside,
    #[error("only an establishment has a subtype")]
    SubtypeOfAPlace,
    #[error("only a college campus can be retired")]
    NotACampus,
    #[error("a {0} has a region above it")]
    NoParent(&'static str),
}

/// A place as its events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    pub details: Option<Box<RegionDetails>>,
    pub state: RegionState,
}

crate::aggregate!(Region);

fn check(region: &RegionDetails) -> Result<(), RegionRejection> {
    if is_blank(&region.name) {
        return Err(RegionRejection::NoName);
    }
    if !is_canonical(&region.canonical_name) {
        return Err(RegionRejection::BadCanonicalName(region.canonical_name.clone()));
    }
    if !region.centre.on_earth() {
        return Err(RegionRejection::OffEarth);
    }
    if region
        .local_name
        .iter()
        .flat_map(Wording::texts)
        .any(|(_, name)| is_blank(name))
    {
        return Err(RegionRejection::NoName);
    }
    if region.subtype.is_some() && region.region_type != RegionType::Establishment {
        return Err(RegionRejection::SubtypeOfAPlace);
    }
    if region.parent.is_none() && region.region_type != RegionType::Country {
        return Err(RegionRejection::NoParent(region.region_type.key()));
    }
    Ok(())
}

impl Region {
    fn describe(&self, region: Box<RegionDetails>) -> Result<Vec<RegionEvent>, RegionRejection> {
        check(&region)?;
        Ok(match self.details.as_deref() {
            None => vec![RegionEvent::RegionOpened { region }],
            Some(known) if *known == *region => vec![],
            // Whoever describes it so has read it before staff corrected it.
            Some(known) if known.is_mended && !region.is_mended => vec![],
            Some(_) => vec![RegionEvent::RegionDescribed { region }],
        })
    }

    fn mend(
        &self,
        mut region: Box<RegionDetails>,
        (by, reason): (UserId, String),
    ) -> Result<Vec<RegionEvent>, RegionRejection> {
        let known = self.details.as_deref().ok_or(RegionRejection::Unknown)?;
        check(&region)?;
        if !region.bounds.contains(region.centre) {
            return Err(RegionRejection::CentreOutside);
        }
        region.is_mended = known.is_mended;
        if *known == *region {
            return Ok(vec![]);
        }
        region.is_mended = true;
        let reason = Sealed::new(reason);
        Ok(vec![RegionEvent::RegionMended { region, by, reason }])
    }
}

impl Decide for Region {
    const KIND: &'static str = "region";
    type Command = RegionCommand;
    type Event = RegionEvent;
    type Rejection = RegionRejection;

    fn decide(&self, command: RegionCommand) -> Result<Vec<RegionEvent>, RegionRejection> {
        let known = || self.details.as_deref().ok_or(RegionRejection::Unknown);
        match command {
            RegionCommand::Describe { region } => self.describe(region),
            RegionCommand::Mend { region, by, reason } => self.mend(region, (by, reason)),
            RegionCommand::Activate => {
                known()?;
                let active = self.state == RegionState::Active;
                Ok(if active {
                    vec![]
                } else {
                    vec![RegionEvent::RegionActivated {}]
                })
            }
            RegionCommand::Deactivate => {
                known()?;
                let inactive = self.state == RegionState::Inactive;
                Ok(if inactive {
                    vec![]
                } else {
                    vec![RegionEvent::RegionDeactivated {}]
                })
            }
            RegionCommand::Retire {
                redirect_canonical_name,
            } => {
                let region = known()?;
                if region.subtype != Some(Subtype::CollegeCampus) {
                    return Err(RegionRejection::NotACampus);
                }
                if !is_canonical(&redirect_canonical_name) {
                    return Err(RegionRejection::BadCanonicalName(redirect_canonical_name));
                }
                let same = self.state == RegionState::Retired
                    && region.redirect_canonical_name.as_ref() == Some(&redirect_canonical_name);
                Ok(if same {
                    vec![]
                } else {
                    vec![RegionEvent::RegionRetired {
                        redirect_canonical_name,
                    }]
                })
            }
        }
    }

    fn evolve(&mut self, event: &RegionEvent) {
        match event {
            RegionEvent::RegionOpened { region }
            | RegionEvent::RegionDescribed { region }
            | RegionEvent::RegionMended { region, .. } => {
                self.details = Some(region.clone());
            }
            RegionEvent::RegionActivated {} => self.state = RegionState::Active,
            RegionEvent::RegionDeactivated {} => self.state = RegionState::Inactive,
            RegionEvent::RegionRetired {
                redirect_canonical_name,
            } => {
                self.state = RegionState::Retired;
                if let Some(region) = &mut self.details {
                    region.redirect_canonical_name = Some(redirect_canonical_name.clone());
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
