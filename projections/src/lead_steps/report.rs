//! The figures of the desk: how long answers take, how far leads come, and why cards are declined.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, Days, NaiveDate};
use sqlx::AnyPool;

use super::StepKind;

/// How the leads of a report are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// By the Monday of the week in which the enquiry came.
    Week,
    /// By where the enquiry came from.
    Source,
}

/// Leads that came in one week or from one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// A Monday, or a source; empty where none is known.
    pub name: String,
    pub leads: u64,
    pub answered: u64,
    /// From the enquiry to its first answer, in seconds; none without an answer.
    pub median_seconds: Option<i64>,
    /// Nine of ten answers took no longer.
    pub p90_seconds: Option<i64>,
    /// How many of the leads reached each step.
    pub reached: [u64; STEPS.len()],
}

/// The steps of the way to a booking.
pub const STEPS: [StepKind; 6] = [
    StepKind::Enquired,
    StepKind::Answered,
    StepKind::FormStarted,
    StepKind::FormCompleted,
    StepKind::PaymentStarted,
    StepKind::Booked,
];

/// Declined attempts to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declines {
    pub code: String,
    /// The country of the home.
    pub country: String,
    pub count: u64,
}

/// The figures of one period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub whole: Group,
    pub groups: Vec<Group>,
    pub declines: Vec<Declines>,
}

/// What is known of one lead.
#[derive(Debug, Default)]
struct Known {
    group: String,
    came: Option<i64>,
    first: BTreeMap<StepKind, i64>,
}

/// The report on the leads that came in a period, and on the cards declined in it. Ends are milliseconds since 1970, `to` is not in it.
///
/// # Errors
/// When the read models cannot be read.
pub async fn report(
    pool: &AnyPool,
    (from, to): (i64, i64),
    grouping: Grouping,
) -> Result<Report, sqlx::Error> {
    let rows: Vec<(String, String, i64, Option<String>)> = sqlx::query_as(
        "select s.lead_id, s.kind, s.at, b.source from lead_step s left join lead_board b on b.lead_id = s.lead_id
         where s.lead_id in (select lead_id from lead_step where kind = 'enquired' and at >= $1 and at < $2)
         order by s.position",
    )
    .bind(from)
    .bind(to)
    .fetch_all(pool)
    .await?;
    let mut leads: BTreeMap<String, Known> = BTreeMap::new();
    for (lead_id, kind, at, source) in rows {
        let Some(kind) = StepKind::from_key(&kind) else {
            continue;
        };
        let lead = leads.entry(lead_id).or_default();
        if kind == StepKind::Enquired {
            lead.came = Some(at);
            lead.group = match grouping {
                Grouping::Week => monday(at),
                Grouping::Source => source.unwrap_or_default(),
            };
        }
        lead.first.entry(kind).or_insert(at);
    }
    let mut groups: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
    for lead in leads.values() {
        groups.entry(&lead.group).or_default().push(lead);
    }
    let all: Vec<&Known> = leads.values().collect();
    Ok(Report {
        whole: group(String::new(), &all),
        groups: groups
            .into_iter()
            .map(|(name, leads)| group(name.to_owned(), &leads))
            .collect(),
        declines: declines(pool, (from, to)).await?,
    })
}

async fn declines(pool: &AnyPool, (from, to): (i64, i64)) -> Result<Vec<Declines>, sqlx::Error> {
    let rows: Vec<(String, String, i64)> = sqlx::query_as(
        "select coalesce(code, 'other'), coalesce(country, ''), count(*) from lead_step
         where kind = 'declined' and at >= $1 and at < $2 group by 1, 2 order by 3 desc, 1, 2",
    )
    .bind(from)
    .bind(to)
    .fetch_all(pool)
    .await?;
    let read = |(code, country, count): (String, String, i64)| Declines {
        code,
        country,
        count: count.cast_unsigned(),
    };
    Ok(rows.into_iter().map(read).collect())
}

fn monday(at: i64) -> String {
    let day = DateTime::from_timestamp_millis(at).map(|at| at.date_naive());
    let monday = day.and_then(|day: NaiveDate| {
        day.checked_sub_days(Days::new(u64::from(day.weekday().num_days_from_monday())))
    });
    monday.map(|day| day.to_string()).unwrap_or_default()
}

fn group(name: String, leads: &[&Known]) -> Group {
    let mut waits: Vec<i64> = leads
        .iter()
        .filter_map(|lead| Some((lead.first.get(&StepKind::Answered)? - lead.came?).max(0) / 1_000))
        .collect();
    waits.sort_unstable();
    let count = |kind: StepKind| {
        let reached = |lead: &&&Known| lead.first.keys().any(|first| *first == kind);
        u64::try_from(leads.iter().filter(reached).count()).unwrap_or(u64::MAX)
    };
    Group {
        name,
        leads: count(StepKind::Enquired),
        answered: count(StepKind::Answered),
        median_seconds: at_share(&waits, 50),
        p90_seconds: at_share(&waits, 90),
        reached: STEPS.map(count),
    }
}

/// The smallest value that so many percent of the sorted values do not exceed.
fn at_share(sorted: &[i64], percent: usize) -> Option<i64> {
    let place = (sorted.len() * percent).div_ceil(100);
    sorted.get(place.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_smallest_values_that_suffice() {
        let waits: Vec<i64> = (1..=10).collect();
        assert_eq!((at_share(&waits, 50), at_share(&waits, 90)), (Some(5), Some(9)));
        assert_eq!((at_share(&[7], 90), at_share(&[], 50)), (Some(7), None));
    }
}
