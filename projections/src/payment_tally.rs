//! How many payment events there were in each year, month, day and hour, and what they come to: what a list of millions adds up
//! to is read from few rows (decision 0038).

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, Days, Months, SecondsFormat, TimeDelta, Timelike as _, Utc};
use domain::moment::Moment;
use sqlx::AnyConnection;

/// RFC 3339 with microseconds: sorts as text (X5).
pub fn instant(at: Moment) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Sums that events add to the totals: captured, refunded, pending, disputed, fees of disputes.
pub(crate) type Sums = [i64; 5];

/// Spans of time, named by so many characters of the instants in them; `Row` is a single event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    Row = 0,
    Hour = 13,
    Day = 10,
    Month = 7,
    Year = 4,
}

const SPANS: [Span; 4] = [Span::Hour, Span::Day, Span::Month, Span::Year];

/// A stretch of time that is told by spans of one length: from a moment, and up to one that is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) span: Span,
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
}

/// What a batch of events adds, gathered before it is written.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<(String, &'static str, &'static str), (i64, Sums)>);

impl Tally {
    pub(crate) fn add(&mut self, recorded_at: &str, kind: &'static str, currency: &'static str, sums: Sums) {
        for span in SPANS {
            let bucket = recorded_at.get(..span as usize).unwrap_or(recorded_at);
            let (events, so_far) = self.0.entry((bucket.to_owned(), kind, currency)).or_default();
            *events += 1;
            for (so_far, sum) in so_far.iter_mut().zip(sums) {
                *so_far += sum;
            }
        }
    }

    pub(crate) async fn write(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        for ((bucket, kind, currency), (events, [captured, refunded, pending, disputed, fees])) in self.0 {
            sqlx::query(
                "insert into payment_tally
                 (span, bucket, kind, currency, events, captured_minor, refunded_minor, pending_minor, disputed_minor,
                 fees_minor) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                 on conflict (span, bucket, kind, currency) do update set
                 events = payment_tally.events + excluded.events,
                 captured_minor = payment_tally.captured_minor + excluded.captured_minor,
                 refunded_minor = payment_tally.refunded_minor + excluded.refunded_minor,
                 pending_minor = payment_tally.pending_minor + excluded.pending_minor,
                 disputed_minor = payment_tally.disputed_minor + excluded.disputed_minor,
                 fees_minor = payment_tally.fees_minor + excluded.fees_minor",
            )
            .bind(i64::try_from(bucket.len()).unwrap_or_default())
            .bind(bucket)
            .bind(kind)
            .bind(currency)
            .bind(events)
            .bind(captured)
            .bind(refunded)
            .bind(pending)
            .bind(disputed)
            .bind(fees)
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }
}

/// Puts a stretch of time together from whole years, and at its ends from months, days, hours and single events.
pub(crate) fn stretches(from: Option<&str>, to: Option<&str>) -> Vec<Stretch> {
    let moment = |text: Option<&str>| text.map(str::parse::<DateTime<Utc>>).transpose();
    let (Ok(mut begin), Ok(mut end)) = (moment(from), moment(to)) else {
        // What is no moment is still a place in the order of texts.
        return vec![Stretch {
            span: Span::Row,
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
        }];
    };
    let mut all = Vec::new();
    let mut push = |span: Span, from: Option<DateTime<Utc>>, to: Option<DateTime<Utc>>| {
        let name = |at: DateTime<Utc>| {
            let mut name = instant(at);
            if span != Span::Row {
                name.truncate(span as usize);
            }
            name
        };
        all.push(Stretch {
            span,
            from: from.map(name),
            to: to.map(name),
        });
    };
    let mut finer = Span::Row;
    for span in SPANS {
        let (first, last) = (begin.map(|at| next(span, at)), end.map(|at| beginning(span, at)));
        if let (Some(first), Some(last)) = (first, last)
            && first >= last
        {
            push(finer, begin, end);
            return all;
        }
        if first != begin {
            push(finer, begin, first);
        }
        if last != end {
            push(finer, last, end);
        }
        (begin, end, finer) = (first, last, span);
    }
    push(finer, begin, end);
    all
}

/// The moment at which the span began that a moment lies in.
fn beginning(span: Span, at: DateTime<Utc>) -> DateTime<Utc> {
    let hour = TimeDelta::minutes(at.minute().into())
        + TimeDelta::seconds(at.second().into())
        + TimeDelta::nanoseconds(at.nanosecond().into());
    let hour = at - hour;
    let day = || hour - TimeDelta::hours(hour.hour().into());
    let month = || day() - Days::new(u64::from(at.day0()));
    match span {
        Span::Row => at,
        Span::Hour => hour,
        Span::Day => day(),
        Span::Month => month(),
        Span::Year => month() - Months::new(at.month0()),
    }
}

/// The next moment at which such a span begins; the moment itself, if one does there.
fn next(span: Span, at: DateTime<Utc>) -> DateTime<Utc> {
    let began = beginning(span, at);
    if began == at {
        return at;
    }
    let after = match span {
        Span::Row => Some(at),
        Span::Hour => began.checked_add_signed(TimeDelta::hours(1)),
        Span::Day => began.checked_add_days(Days::new(1)),
        Span::Month => began.checked_add_months(Months::new(1)),
        Span::Year => began.checked_add_months(Months::new(12)),
    };
    after.unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a moment is in a stretch, by its name alone.
    fn holds(stretch: &Stretch, at: &str) -> bool {
        let name = if stretch.span == Span::Row {
            at
        } else {
            &at[..stretch.span as usize]
        };
        stretch.from.as_deref().is_none_or(|from| name >= from)
            && stretch.to.as_deref().is_none_or(|to| name < to)
    }

    /// Every moment of a stretch is in one of its parts and no other is in any.
    #[test]
    fn each_moment_is_in_exactly_one_part_of_its_stretch() {
        let begin: DateTime<Utc> = "2024-01-30T22:10:05.000001Z".parse().unwrap();
        let moments: Vec<String> = (0..400)
            .map(|step| instant(begin + TimeDelta::minutes(step * step * 13 + step)))
            .collect();
        let ends: Vec<Option<&str>> = [None]
            .into_iter()
            .chain(moments.iter().step_by(23).map(|at| Some(at.as_str())))
            .chain([
                Some("2025-01-01T00:00:00.000000Z"),
                Some("2024-03-01T00:00:00.000000Z"),
            ])
            .collect();
        for from in &ends {
            for to in &ends {
                let parts = stretches(*from, *to);
                assert!(parts.len() <= 9, "{parts:?}");
                for at in &moments {
                    let within =
                        from.is_none_or(|from| at.as_str() >= from) && to.is_none_or(|to| at.as_str() < to);
                    let found = parts.iter().filter(|part| holds(part, at)).count();
                    assert_eq!(
                        found,
                        usize::from(within),
                        "{at} of {from:?} to {to:?}: {parts:?}"
                    );
                }
            }
        }
    }
}
