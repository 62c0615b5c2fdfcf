//! Count and totals come from the tally: they are what the rows themselves come to.

use sqlx::FromRow as _;

use super::*;
use crate::lead_timeline::tests::everything;
use crate::trial::places;

/// The slow way: every row that matches.
async fn added_up(pool: &AnyPool, filter: &AuditFilter) -> (u64, Vec<TotalsRow>) {
    let query = filtered("select a.*", filter).build().unwrap();
    let (mut count, mut totals) = (0, Vec::<TotalsRow>::new());
    for row in query.fetch_all(pool).await.unwrap() {
        let row = TotalsRow::from_row(&row).unwrap();
        count += 1;
        match totals.iter_mut().find(|it| it.currency == row.currency) {
            None => totals.push(row),
            Some(sum) => {
                sum.captured_minor += row.captured_minor;
                sum.refunded_minor += row.refunded_minor;
                sum.pending_minor += row.pending_minor;
                sum.disputed_minor += row.disputed_minor;
                sum.fees_minor += row.fees_minor;
            }
        }
    }
    totals.sort_by(|one, other| one.currency.cmp(&other.currency));
    (count, totals)
}

#[tokio::test]
async fn totals_are_what_the_matching_rows_come_to() {
    for (place, _folder) in places() {
        let (_log, read, _projector) = everything(&place).await;
        let pool = read.readers();
        let all = page(pool, &AuditFilter::default(), 1_000, 0).await.unwrap();
        assert!(all.len() > 10, "{}", all.len());
        let mut ends: Vec<Option<String>> = all.iter().map(|row| Some(row.recorded_at.clone())).collect();
        ends.extend([
            None,
            Some("2020-01-01T00:00:00.000000Z".to_owned()),
            Some("no moment".to_owned()),
        ]);
        ends.dedup();
        for kind in [None, Some("captured".to_owned()), Some("declined".to_owned())] {
            for currency in [None, Some("gbp".to_owned()), Some("EUR".to_owned())] {
                for (from, to) in ends
                    .iter()
                    .flat_map(|from| ends.iter().step_by(3).map(move |to| (from, to)))
                {
                    let filter = AuditFilter {
                        kind: kind.clone(),
                        currency: currency.clone(),
                        from: from.clone(),
                        to: to.clone(),
                        ..AuditFilter::default()
                    };
                    assert_eq!(
                        totals(pool, &filter).await.unwrap(),
                        added_up(pool, &filter).await,
                        "{filter:?}"
                    );
                }
            }
        }
    }
}
