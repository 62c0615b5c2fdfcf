//! The figures of the desk: how long answers take, how far leads come, and why cards are declined.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use sqlx::{AnyPool, AssertSqlSafe};

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

/// The leads of one group as they are counted: how many reached each step, and how many waited so many seconds for their first answer.
#[derive(Debug, Default)]
struct Counted {
    reached: [u64; STEPS.len()],
    waits: BTreeMap<i64, u64>,
}

impl Counted {
    fn add(&mut self, other: &Self) {
        for (sum, count) in self.reached.iter_mut().zip(other.reached) {
            *sum += count;
        }
        for (wait, count) in &other.waits {
            *self.waits.entry(*wait).or_default() += count;
        }
    }

    fn group(&self, name: String) -> Group {
        let [leads, answered, ..] = self.reached;
        Group {
            name,
            leads,
            answered,
            median_seconds: at_share(&self.waits, 50),
            p90_seconds: at_share(&self.waits, 90),
            reached: self.reached,
        }
    }
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
    let groups = counted(pool, (from, to), grouping).await?;
    let mut whole = Counted::default();
    for counted in groups.values() {
        whole.add(counted);
    }
    Ok(Report {
        whole: whole.group(String::new()),
        groups: groups
            .into_iter()
            .map(|(name, counted)| counted.group(name))
            .collect(),
        declines: declines(pool, (from, to)).await?,
    })
}

/// How many leads of one group reached each step of [`STEPS`].
type Reached = (String, i64, i64, i64, i64, i64, i64);

/// The leads that came in a period, by group.
async fn counted(
    pool: &AnyPool,
    (from, to): (i64, i64),
    grouping: Grouping,
) -> Result<BTreeMap<String, Counted>, sqlx::Error> {
    // Weeks are numbered by their Mondays: the first day of 1970 was a Thursday.
    let (group, sources) = match grouping {
        Grouping::Week => ("cast((r.enquired / 86400000 + 3) / 7 as text)", ""),
        Grouping::Source => (
            "coalesce(b.source, '')",
            "left join lead_board b on b.lead_id = r.lead_id",
        ),
    };
    let of_period = format!("from lead_reach r {sources} where r.enquired >= $1 and r.enquired < $2");
    let counts = format!(
        "select {group}, count(*), count(r.answered), count(r.form_started), count(r.form_completed), count(r.payment_started),
           count(r.booked) {of_period} group by 1"
    );
    let waits = format!(
        "select {group}, case when r.answered > r.enquired then (r.answered - r.enquired) / 1000 else 0 end, count(*)
         {of_period} and r.answered is not null group by 1, 2"
    );
    let counts: Vec<Reached> = sqlx::query_as(AssertSqlSafe(counts))
        .bind(from)
        .bind(to)
        .fetch_all(pool)
        .await?;
    let waits: Vec<(String, i64, i64)> = sqlx::query_as(AssertSqlSafe(waits))
        .bind(from)
        .bind(to)
        .fetch_all(pool)
        .await?;
    let name = |group: String| match grouping {
        Grouping::Week => monday(&group),
        Grouping::Source => group,
    };
    let mut groups: BTreeMap<String, Counted> = BTreeMap::new();
    for (group, enquired, answered, form_started, form_completed, payment_started, booked) in counts {
        let reached = [
            enquired,
            answered,
            form_started,
            form_completed,
            payment_started,
            booked,
        ];
        groups.entry(name(group)).or_default().reached = reached.map(i64::cast_unsigned);
    }
    for (group, wait, count) in waits {
        let counted = groups.entry(name(group)).or_default();
        counted.waits.insert(wait, count.cast_unsigned());
    }
    Ok(groups)
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

/// The day on which a week begins.
fn monday(week: &str) -> String {
    let days = week.parse::<u64>().ok().map(|week| Days::new(week * 7));
    let first = NaiveDate::from_ymd_opt(1969, 12, 29);
    let monday = first
        .zip(days)
        .and_then(|(first, days)| first.checked_add_days(days));
    monday.map(|day| day.to_string()).unwrap_or_default()
}

/// The smallest wait that so many percent of all waits do not exceed.
fn at_share(waits: &BTreeMap<i64, u64>, percent: u64) -> Option<i64> {
    let place = (waits.values().sum::<u64>() * percent).div_ceil(100);
    let mut passed = 0;
    waits.iter().find_map(|(wait, count)| {
        passed += count;
        (passed >= place).then_some(*wait)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_smallest_waits_that_suffice() {
        let waits: BTreeMap<i64, u64> = (1..=8).map(|wait| (wait, 1)).chain([(9, 2)]).collect();
        assert_eq!((at_share(&waits, 50), at_share(&waits, 90)), (Some(5), Some(9)));
        let one = BTreeMap::from([(7, 1)]);
        assert_eq!(
            (at_share(&one, 90), at_share(&BTreeMap::new(), 50)),
            (Some(7), None)
        );
    }

    #[test]
    fn weeks_begin_on_their_mondays() {
        assert_eq!(
            (monday("0"), monday("2917")),
            ("1969-12-29".into(), "2025-11-24".into())
        );
    }
}
