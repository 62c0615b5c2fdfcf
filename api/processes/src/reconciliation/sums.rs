//! The sums of both sides in each currency: what is told of them beside the single movements.

use domain::moment::Moment;
use domain::payment::ledger::Account;
use projections::payment_audit::instant;
use projections::reconciliation::TotalRow;

use super::{Check, Exception, below_zero, exception};

/// Finds currencies in which the books hold less than nothing at the provider, and the provider does not say the same: a refund or a
/// dispute after a payout takes its balance below zero too. Both are cut at the provider's newest movement.
pub(super) fn of_provider_below_zero(totals: &[TotalRow], now: Moment) -> Vec<Exception> {
    let found = totals
        .iter()
        .filter(|total| total.here_minor < 0 && total.here_minor != total.there_minor);
    found
        .map(|total| Exception {
            there_minor: Some(total.there_minor),
            here_minor: Some(total.here_minor),
            at: instant(now),
            ..below_zero(Account::GatewayClearing.name(), total.currency.clone())
        })
        .collect()
}

/// Finds sums that differ by another amount than the movements of their currency do: what does not agree is never without an exception.
/// The books' side is told as it would be with those movements, so that the difference is what is left.
pub(super) fn of_totals(
    totals: &[TotalRow],
    found: &[Exception],
    whole: &[Check],
    now: Moment,
) -> Vec<Exception> {
    let left = totals.iter().filter_map(|total| {
        let explained = sum_explained(&total.currency, found, whole)?;
        let here_minor = total.here_minor.saturating_add(explained);
        (total.there_minor != here_minor).then(|| Exception {
            there_minor: Some(total.there_minor),
            here_minor: Some(here_minor),
            at: instant(now),
            ..exception(Check::TotalDiffers, &total.currency, total.currency.clone())
        })
    });
    left.collect()
}

/// The checks whose exceptions are movements that the provider's account has and the books do not, or the other way round. The others
/// leave both sums alone (a payout that is late) or are read off the sums themselves.
const MOVEMENTS: [Check; 3] = [Check::MissingHere, Check::MissingThere, Check::Differing];

/// Sums by how much the listed movements make a currency's sums differ; `None` where that cannot be told, because not all of them are
/// listed or one of them is of two currencies.
fn sum_explained(currency: &str, found: &[Exception], whole: &[Check]) -> Option<i64> {
    let mut explained = 0_i64;
    let of_currency = found.iter().filter(|exception| exception.currency == currency);
    for exception in of_currency.filter(|exception| MOVEMENTS.contains(&exception.check)) {
        let mending = exception.mending.filter(|_| whole.contains(&exception.check))?;
        let amount = mending.amount_minor.cast_signed();
        explained = match (mending.debit, mending.credit) {
            (Account::GatewayClearing, _) => explained.checked_add(amount)?,
            (_, Account::GatewayClearing) => explained.checked_sub(amount)?,
            _ => return None,
        };
    }
    Some(explained)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconciliation::at_gateway;

    fn total(there_minor: i64, here_minor: i64) -> TotalRow {
        TotalRow {
            currency: "GBP".to_owned(),
            there_minor,
            here_minor,
            newer_minor: 0,
            books_minor: 0,
        }
    }

    fn found(check: Check, amount: i64) -> Exception {
        Exception {
            mending: at_gateway(amount),
            ..exception(check, "txn_1", "GBP".to_owned())
        }
    }

    /// Lists the differences of the sums that these exceptions do not explain, where all movements are listed.
    fn left_beside(total: &TotalRow, found: &[Exception]) -> Option<i64> {
        let left = of_totals(std::slice::from_ref(total), found, &MOVEMENTS, Moment::UNIX_EPOCH);
        left.first().map(Exception::difference_minor)
    }

    #[test]
    fn provider_below_zero_is_told_only_where_it_says_otherwise() {
        let told = |there, here| {
            let found = of_provider_below_zero(&[total(there, here)], Moment::UNIX_EPOCH);
            found.first().map(Exception::difference_minor)
        };
        assert_eq!(told(-27_407, -27_407), None, "a dispute after a payout");
        assert_eq!(told(0, -27_407), Some(27_407));
        assert_eq!(told(-100, -27_407), Some(27_307));
        assert_eq!(told(-27_407, 0), None, "the sums tell it");
        assert_eq!(told(5, 7), None);
    }

    #[test]
    fn exceptions_explain_sums_by_their_own_amount() {
        let differs = total(300, 0);
        assert_eq!(left_beside(&differs, &[]), Some(300));
        for check in Check::ALL.into_iter().filter(|check| !MOVEMENTS.contains(check)) {
            assert_eq!(
                left_beside(&differs, &[found(check, 300)]),
                Some(300),
                "{check:?}"
            );
        }
        for check in MOVEMENTS {
            assert_eq!(left_beside(&differs, &[found(check, 300)]), None, "{check:?}");
            assert_eq!(
                left_beside(&differs, &[found(check, 100)]),
                Some(200),
                "{check:?}"
            );
            assert_eq!(
                left_beside(&differs, &[found(check, -100)]),
                Some(400),
                "{check:?}"
            );
        }
        let two = [found(Check::MissingHere, 500), found(Check::MissingThere, -200)];
        assert_eq!(left_beside(&differs, &two), None);
        let dollars = Exception {
            currency: "USD".to_owned(),
            ..found(Check::MissingHere, 300)
        };
        assert_eq!(left_beside(&differs, &[dollars]), Some(300));
    }

    #[test]
    fn movements_that_hide_each_other_are_told_with_agreeing_sums() {
        let agrees = total(0, 0);
        assert_eq!(left_beside(&agrees, &[]), None);
        assert_eq!(
            left_beside(&agrees, &[found(Check::MissingHere, 300)]),
            Some(-300)
        );
    }

    /// Of a charge in two currencies, and of a list that was cut, it cannot be told what they explain.
    #[test]
    fn unknown_amounts_explain_the_whole_difference() {
        let differs = total(300, 0);
        let of_two_currencies = Exception {
            mending: None,
            ..found(Check::Differing, 300)
        };
        assert_eq!(left_beside(&differs, &[of_two_currencies]), None);
        let listed = [found(Check::MissingHere, 100)];
        assert_eq!(of_totals(&[differs], &listed, &[], Moment::UNIX_EPOCH), []);
    }
}
