//! The day by which a listing is judged: nights that are over and leases that can no longer be booked count no more.

use chrono::NaiveDate;
use domain::moment::Moment;

use super::Listing;
use crate::follower::deadlines::DayAt;

impl Listing {
    /// Takes down when the last of its events happened.
    pub fn note_day(&mut self, at: Moment) {
        self.day = self.day.max(at.date_naive());
    }

    /// Judges it by the day that it is in its city, as `day_at` tells it of the city's zone.
    pub(crate) fn see_day(&mut self, time_zone: &str, day_at: DayAt) {
        if let Some(facts) = &self.facts {
            self.day = day_at(time_zone, facts.country);
        }
    }

    /// The next day that is the last one to book one of its leases.
    pub(crate) fn next_deadline(&self) -> Option<NaiveDate> {
        let leases = self.let_rooms().flat_map(|room| &room.leases);
        let last_days = leases.filter_map(|lease| lease.terms.book_by);
        last_days.filter(|last| *last >= self.day).min()
    }
}
