//! Past prices (D60): what the provider recorded, and what was asked before each change.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate};
use domain::aggregate::Decide as _;
use domain::id::InventoryId;
use domain::inventory::market::{PriceMonth, PriceSeries};
use domain::inventory::{Inventory, InventoryEvent};
use domain::moment::Moment;
use domain::room::Configuration;

use super::InventoryPage;

/// Two years of months are kept.
const KEPT_MONTHS: usize = 24;

/// What the property asks now, as one month of each configuration. Rooms of which nothing was said in its money are left out.
pub(super) fn current(inventory: &Inventory, unsaid: &BTreeSet<InventoryId>, at: Moment) -> Vec<PriceSeries> {
    let Some(country) = inventory.property.as_deref().map(|property| property.country) else {
        return Vec::new();
    };
    let month = first_of_month(at.date_naive());
    let mut prices: Vec<(Option<Configuration>, u64)> = inventory
        .let_rooms()
        .filter(|room| !unsaid.contains(&room.details.id))
        .flat_map(|room| {
            let configuration = Configuration::of(country, room.details.attributes, room.details.bedrooms);
            room.leases
                .iter()
                .map(move |lease| (configuration, lease.price_minor))
        })
        .collect();
    prices.sort_unstable();
    let series = prices.chunk_by(|one, other| one.0 == other.0).filter_map(|same| {
        let (first, last, middle) = (same.first()?, same.last()?, same.get(same.len() / 2)?);
        Some(PriceSeries {
            configuration: first.0,
            months: vec![PriceMonth {
                month,
                min_minor: first.1,
                median_minor: middle.1,
                max_minor: last.1,
                n: u32::try_from(same.len()).unwrap_or(u32::MAX),
            }],
        })
    });
    series.collect()
}

impl InventoryPage {
    /// Months of prices per configuration, this property's history with what it asks `now` as the last one.
    pub fn price_trends(&self, now: Moment) -> Vec<PriceSeries> {
        let mut series = self.history.clone();
        merge(&mut series, &current(&self.inventory, &BTreeSet::new(), now));
        series
    }

    /// Takes an event over into the state. Past prices in another currency or for another period say nothing beside those of today.
    pub(super) fn evolve_money(&mut self, event: &InventoryEvent) {
        if let InventoryEvent::RoomPriced { room, .. } = event {
            self.unsaid.remove(room);
        }
        let money_of = |page: &Self| {
            page.property()
                .map(|property| (property.currency, property.period))
        };
        let before = money_of(self);
        self.inventory.evolve(event);
        if before.is_some() && money_of(self) != before {
            self.history.clear();
            self.unsaid = self.inventory.rooms.iter().map(|room| room.details.id).collect();
        }
    }
}

/// Adds months; one that is known already is replaced.
pub(super) fn merge(known: &mut Vec<PriceSeries>, more: &[PriceSeries]) {
    for series in more {
        let place = known
            .iter()
            .position(|old| old.configuration == series.configuration)
            .unwrap_or_else(|| {
                known.push(PriceSeries {
                    configuration: series.configuration,
                    months: Vec::new(),
                });
                known.len() - 1
            });
        let Some(into) = known.get_mut(place) else {
            continue;
        };
        for month in &series.months {
            into.months.retain(|old| old.month != month.month);
            into.months.push(month.clone());
        }
        into.months.sort_by_key(|month| month.month);
        let too_many = into.months.len().saturating_sub(KEPT_MONTHS);
        into.months.drain(..too_many);
    }
}

fn first_of_month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}
