//! Searches of sequences: leads to which these steps happened one after another, "declined twice, then paid within an hour" (M12).

use std::collections::BTreeMap;

use sqlx::AnyPool;
use tables::Statement;

use super::StepKind;

/// One step of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedStep {
    pub kind: StepKind,
    /// Only with this code, such as a decline's.
    pub code: Option<String>,
    /// Within so many milliseconds after the step before; of the first step, before now.
    pub within_ms: Option<i64>,
    /// It does not follow: within its time, or ever.
    pub is_absent: bool,
}

/// A step as it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    pub lead_id: String,
    pub kind: String,
    pub code: Option<String>,
    pub country: Option<String>,
    /// Milliseconds since 1970.
    pub at: i64,
}

tables::from_row!(StepRow {
    lead_id,
    kind,
    code,
    country,
    at
});

/// The steps of one lead, the first first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_lead(pool: &AnyPool, lead_id: &str) -> Result<Vec<StepRow>, sqlx::Error> {
    sqlx::query_as(
        "select lead_id, kind, code, country, at from lead_step where lead_id = $1 order by position",
    )
    .bind(lead_id.to_owned())
    .fetch_all(pool)
    .await
}

/// The leads to which a sequence happened, by id. `now`: milliseconds since 1970; an absence within a time counts once that time is over.
///
/// # Errors
/// When the read models cannot be read.
pub async fn search(pool: &AnyPool, wanted: &[WantedStep], now: i64) -> Result<Vec<String>, sqlx::Error> {
    let mut query = Statement::new("select lead_id, kind, code, country, at from lead_step where kind in ");
    // Steps of other kinds neither make a sequence nor break one.
    query.push_list(wanted.iter().map(|step| step.kind.key()));
    for step in wanted.iter().filter(|step| !step.is_absent) {
        query
            .push(" and lead_id in (select lead_id from lead_step where kind = ")
            .push_bind(step.kind.key());
        if let Some(code) = &step.code {
            query.push(" and code = ").push_bind(code.clone());
        }
        query.push(")");
    }
    query.push(" order by lead_id, position");
    let rows: Vec<StepRow> = query.build_query_as()?.fetch_all(pool).await?;
    let mut leads: BTreeMap<String, Vec<StepRow>> = BTreeMap::new();
    for row in rows {
        leads.entry(row.lead_id.clone()).or_default().push(row);
    }
    let hits = leads.into_iter().filter(|(_, steps)| matches(steps, wanted, now));
    Ok(hits.map(|(lead_id, _)| lead_id).collect())
}

/// Whether the wanted steps are found in order among these.
fn matches(steps: &[StepRow], wanted: &[WantedStep], now: i64) -> bool {
    let failed = vec![false; wanted.len() * (steps.len() + 1)];
    let mut search = Search {
        steps,
        wanted,
        now,
        failed,
    };
    search.finds(0, 0)
}

/// A search among the steps of one lead.
struct Search<'a> {
    steps: &'a [StepRow],
    wanted: &'a [WantedStep],
    now: i64,
    /// From where which wanted step was not found: it is tried once, however often steps repeat.
    failed: Vec<bool>,
}

impl Search<'_> {
    /// Whether the wanted steps from `next` on are found from `place` on; the step before `place` is the one found before.
    fn finds(&mut self, next: usize, place: usize) -> bool {
        let Some(step) = self.wanted.get(next) else {
            return true;
        };
        let tried = next * (self.steps.len() + 1) + place;
        if self.failed.get(tried) == Some(&true) {
            return false;
        }
        let found = if step.is_absent {
            self.is_missing(step, place) && self.finds(next + 1, place)
        } else {
            (place..self.steps.len())
                .any(|at| self.is_in_time(step, place, at) && self.finds(next + 1, at + 1))
        };
        if let Some(failed) = self.failed.get_mut(tried) {
            *failed = !found;
        }
        found
    }

    /// The moment of the step found before.
    fn before(&self, place: usize) -> Option<i64> {
        let before = self.steps.get(place.checked_sub(1)?)?;
        Some(before.at)
    }

    fn is_missing(&self, wanted: &WantedStep, place: usize) -> bool {
        let end = wanted
            .within_ms
            .zip(self.before(place))
            .map(|(within, before)| before + within);
        let in_time = |step: &&StepRow| end.is_none_or(|end| step.at <= end);
        let is_over = end.is_none_or(|end| end <= self.now);
        let mut rest = self.steps.iter().skip(place).filter(in_time);
        is_over && !rest.any(|step| wanted.is(step))
    }

    fn is_in_time(&self, wanted: &WantedStep, place: usize, at: usize) -> bool {
        let Some(step) = self.steps.get(at).filter(|step| wanted.is(step)) else {
            return false;
        };
        let since = self
            .before(place)
            .map_or(self.now - step.at, |before| step.at - before);
        wanted.within_ms.is_none_or(|within| since <= within)
    }
}

impl WantedStep {
    fn is(&self, step: &StepRow) -> bool {
        let has_code = |code: &String| step.code.as_ref() == Some(code);
        step.kind == self.kind.key() && self.code.as_ref().is_none_or(has_code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn happened(steps: &[(StepKind, i64)]) -> Vec<StepRow> {
        let row = |(kind, minutes): &(StepKind, i64)| StepRow {
            lead_id: "1".to_owned(),
            kind: kind.key().to_owned(),
            code: None,
            country: None,
            at: minutes * MINUTE,
        };
        steps.iter().map(row).collect()
    }

    fn step(kind: StepKind, within: Option<i64>, is_absent: bool) -> WantedStep {
        WantedStep {
            kind,
            code: None,
            within_ms: within.map(|minutes| minutes * MINUTE),
            is_absent,
        }
    }

    #[test]
    fn sequence_needs_its_order_and_its_times() {
        use StepKind::{Declined, Enquired, Paid};
        let wanted = [
            step(Declined, None, false),
            step(Declined, None, false),
            step(Paid, Some(60), false),
        ];
        let found = |steps: &[(StepKind, i64)]| matches(&happened(steps), &wanted, 1_000 * MINUTE);
        assert!(found(&[(Enquired, 0), (Declined, 1), (Declined, 2), (Paid, 50)]));
        // The last two of three count.
        assert!(found(&[
            (Declined, 1),
            (Declined, 70),
            (Declined, 90),
            (Paid, 140)
        ]));
        assert!(!found(&[(Declined, 1), (Declined, 2), (Paid, 90)]));
        assert!(!found(&[(Declined, 1), (Paid, 2), (Declined, 3)]));
    }

    #[test]
    fn absence_counts_once_its_time_is_over() {
        use StepKind::{Answered, Enquired};
        let wanted = [step(Enquired, None, false), step(Answered, Some(120), true)];
        let found = |steps: &[(StepKind, i64)], now: i64| matches(&happened(steps), &wanted, now * MINUTE);
        assert!(!found(&[(Enquired, 0)], 60));
        assert!(found(&[(Enquired, 0)], 121));
        assert!(found(&[(Enquired, 0), (Answered, 130)], 200));
        assert!(!found(&[(Enquired, 0), (Answered, 100)], 200));
    }
    /// A search that tries every choice of six among two hundred steps would not end.
    #[test]
    fn repeated_steps_are_tried_once() {
        use StepKind::{Declined, Paid};
        let mut wanted = vec![step(Declined, None, false); 6];
        let declines: Vec<_> = (0..200).map(|minute| (Declined, minute)).collect();
        assert!(matches(&happened(&declines), &wanted, 1_000 * MINUTE));
        wanted.push(step(Paid, None, false));
        assert!(!matches(&happened(&declines), &wanted, 1_000 * MINUTE));
    }
}
