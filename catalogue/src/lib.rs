//! The demo catalogue: checked-in facts and a deterministic generator. No clock, no random numbers: the seed and today's
//! date decide every byte.

mod amenities;
mod dice;
pub mod facts;
mod homes;
mod ids;
mod market;
mod postal;
pub mod regions;
mod rooms;
mod texts;

use std::collections::HashSet;

use chrono::NaiveDate;
use domain::aggregate::Decide;
use domain::id::{InventoryId, RegionId};
use domain::inventory::{Inventory, InventoryCommand, InventoryEvent, InventoryRejection};
use domain::region::{Region, RegionEvent, RegionRejection};
use thiserror::Error;

use crate::dice::Dice;
use crate::facts::{Facts, FactsError};
use crate::homes::{Builder, Home};
use crate::ids::Ids;
use crate::regions::{NewRegion, Regions};

/// The seed of the catalogue that the first start loads.
pub const SEED: u64 = 2_026;

/// Why the catalogue cannot be made; only a broken build has one.
#[derive(Debug, Error)]
pub enum CatalogueError {
    #[error(transparent)]
    Facts(#[from] FactsError),
    #[error("region `{name}`: {source}")]
    Region { name: String, source: RegionRejection },
    #[error("property `{name}`: {source}")]
    Inventory {
        name: String,
        source: InventoryRejection,
    },
}

/// One stream of the catalogue with its first events, ready to be appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewStream {
    Region {
        id: RegionId,
        events: Vec<RegionEvent>,
    },
    Inventory {
        id: InventoryId,
        events: Vec<InventoryEvent>,
    },
}

/// A catalogue that can be made as often as wanted, always the same.
#[derive(Debug)]
pub struct Catalogue {
    facts: Facts,
    seed: u64,
    today: NaiveDate,
}

impl Catalogue {
    /// The catalogue of `seed` as it looks on `today`.
    ///
    /// # Errors
    /// When the checked-in facts are broken.
    pub fn new(seed: u64, today: NaiveDate) -> Result<Self, CatalogueError> {
        Ok(Self {
            facts: Facts::load()?,
            seed,
            today,
        })
    }

    /// How many properties it has.
    pub fn properties(&self) -> usize {
        self.facts.cities.iter().map(|city| city.homes).sum()
    }

    /// Hands every stream to `take`: regions first, parents before children, then properties city by city.
    ///
    /// # Errors
    /// The first error of `take`, or a fact the domain turns down.
    pub fn each<E: From<CatalogueError>>(
        &self,
        mut take: impl FnMut(NewStream) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut ids = Ids::new(self.seed);
        let regions = Regions::of(&self.facts, &mut ids);
        for region in &regions.all {
            take(region_stream(region)?)?;
        }
        let mut builder = Builder {
            facts: &self.facts,
            regions: &regions,
            today: self.today,
            names: HashSet::new(),
        };
        for city in &self.facts.cities {
            let Some(region) = regions.find(&city.canonical_name).map(|region| region.id) else {
                continue;
            };
            let mut dice = Dice::new(self.seed, &city.canonical_name);
            for number in 0..city.homes {
                let home = builder.home(city, region, number, &mut dice, &mut ids);
                take(inventory_stream(home, number, self.today, &mut dice)?)?;
            }
        }
        Ok(())
    }

    /// Every stream at once.
    ///
    /// # Errors
    /// A fact the domain turns down.
    pub fn streams(&self) -> Result<Vec<NewStream>, CatalogueError> {
        let mut streams = Vec::with_capacity(self.properties() + 1_000);
        self.each(|stream| {
            streams.push(stream);
            Ok::<(), CatalogueError>(())
        })?;
        Ok(streams)
    }
}

fn region_stream(region: &NewRegion) -> Result<NewStream, CatalogueError> {
    let events =
        decided::<Region>(region.commands.iter().cloned()).map_err(|source| CatalogueError::Region {
            name: region.details.name.clone(),
            source,
        })?;
    Ok(NewStream::Region {
        id: region.id,
        events,
    })
}

fn inventory_stream(
    home: Home,
    number: usize,
    today: NaiveDate,
    dice: &mut Dice,
) -> Result<NewStream, CatalogueError> {
    let name = home.property.name.clone();
    let country = home.property.country;
    let (written, unwritten) = market::reviews(&home.seed, today, dice);
    let series = market::price_history(country, &home.rooms, today, dice);
    let mut commands = vec![
        InventoryCommand::Adopt {
            property: Box::new(home.property),
            rooms: home
                .rooms
                .into_iter()
                .map(|(room, leases)| (room, leases.into()))
                .collect(),
        },
        InventoryCommand::RecordPriceHistory { series },
        InventoryCommand::PublishReviews { written, unwritten },
    ];
    for offer in market::offers(&home.seed, country, today, dice) {
        commands.push(InventoryCommand::PublishOffer {
            offer: Box::new(offer),
        });
    }
    commands.push(InventoryCommand::Activate);
    // Every hundredth house is let no longer, and one after it was taken down: the rules for both have real cases.
    match number % 100 {
        97 => commands.push(InventoryCommand::Deactivate),
        98 => commands.push(InventoryCommand::Delete),
        96 => commands.push(InventoryCommand::MarkUnavailable),
        _ => {}
    }
    let events =
        decided::<Inventory>(commands).map_err(|source| CatalogueError::Inventory { name, source })?;
    Ok(NewStream::Inventory { id: home.id, events })
}

/// What the domain makes of the commands, one after another.
fn decided<A: Decide>(commands: impl IntoIterator<Item = A::Command>) -> Result<Vec<A::Event>, A::Rejection> {
    let mut state = A::default();
    let mut all = Vec::new();
    for command in commands {
        let events = state.decide(command)?;
        for event in &events {
            state.evolve(event);
        }
        all.extend(events);
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
