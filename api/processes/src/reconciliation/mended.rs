//! What approved corrections have mended: an exception is left out while its amount is what was approved. Where its cause is gone, such as
//! a notice that came after all, what was posted stands in the books twice and is told with the posting that takes it back.

use std::collections::BTreeMap;

use domain::books;
use domain::moment::Moment;
use domain::payment::ledger::Account;
use projections::payment_audit::instant;
use projections::reconciliation::MendedRow;

use super::{Check, Exception, Mending, exception};

/// Balances that postings make: debits above zero.
type Balances = BTreeMap<Account, i64>;

/// Leaves out what approved corrections have mended, and names the request where one waits. An exception whose amount has changed since
/// comes back with a posting of the rest.
pub(super) fn unmended(
    found: Vec<Exception>,
    requests: Vec<(String, Option<String>, String)>,
    mended: Vec<MendedRow>,
    (whole, now): (&[Check], Moment),
) -> Vec<Exception> {
    let (mut waiting, mut approved) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    for (item, decision, id) in requests {
        if decision.is_some() {
            *approved.entry(item).or_default() += 1;
        } else {
            waiting.insert(item, id);
        }
    }
    let mut posted: BTreeMap<String, Balances> = BTreeMap::new();
    let mut currencies: BTreeMap<String, String> = BTreeMap::new();
    for row in mended {
        if let Some(account) = books::account(&row.account) {
            currencies.insert(row.item.clone(), row.currency);
            posted
                .entry(row.item)
                .or_default()
                .insert(account, row.balance_minor);
        }
    }
    let causeless = currencies.into_iter().filter_map(|(item, currency)| {
        let check = Check::of(&item).filter(|check| whole.contains(check))?;
        let is_gone = found.iter().all(|one| one.item != item);
        is_gone.then(|| gone(check, item, currency, now))
    });
    let causeless: Vec<Exception> = causeless.collect();
    let still = |mut exception: Exception| {
        exception.approval_id = waiting.get(&exception.item).cloned();
        exception.corrections = approved.get(&exception.item).copied().unwrap_or_default();
        if exception.corrections > 0 {
            let before = posted.get(&exception.item).cloned().unwrap_or_default();
            let rest = rest_of(exception.mending, before);
            if rest.is_empty() {
                return None;
            }
            exception.mending = posting_of(&rest);
            // Without a cause neither side says an amount: here stands what was posted.
            if exception.there_minor.is_none() && exception.here_minor.is_none() {
                let posted = exception
                    .mending
                    .map(|mending| mending.amount_minor.cast_signed());
                exception.here_minor = posted.map(|minor| -minor);
            }
        }
        Some(exception)
    };
    found.into_iter().chain(causeless).filter_map(still).collect()
}

/// An exception that was mended and is none any more.
fn gone(check: Check, item: String, currency: String, now: Moment) -> Exception {
    let source = item.split_once(':').map(|(_, id)| id.to_owned());
    Exception {
        item,
        source,
        at: instant(now),
        ..exception(check, "", currency)
    }
}

/// What is still to be posted, after what was posted before.
fn rest_of(mending: Option<Mending>, before: Balances) -> Balances {
    let mut rest: Balances = before
        .into_iter()
        .map(|(account, minor)| (account, -minor))
        .collect();
    if let Some(mending) = mending {
        let amount = mending.amount_minor.cast_signed();
        *rest.entry(mending.debit).or_default() += amount;
        *rest.entry(mending.credit).or_default() -= amount;
    }
    rest.retain(|_, minor| *minor != 0);
    rest
}

/// The one posting between two accounts that makes these balances; `None` where more than two accounts take part.
fn posting_of(rest: &Balances) -> Option<Mending> {
    let (debit, amount) = rest.iter().find(|(_, minor)| **minor > 0)?;
    let (credit, _) = rest.iter().find(|(_, minor)| **minor == -amount)?;
    (rest.len() == 2).then_some(Mending {
        debit: *debit,
        credit: *credit,
        amount_minor: amount.unsigned_abs(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fee(id: &str, minor: u64) -> Exception {
        let mending = Mending {
            debit: Account::Suspense,
            credit: Account::GatewayFees,
            amount_minor: minor,
        };
        Exception {
            mending: Some(mending),
            ..exception(Check::FeeDiffers, id, "GBP".to_owned())
        }
    }

    /// A correction of `minor` for each of the exceptions, as the ledger holds it.
    fn posted(items: &[&str], minor: i64) -> Vec<MendedRow> {
        let line = |item: &str, account: &str, balance_minor| MendedRow {
            item: item.to_owned(),
            currency: "GBP".to_owned(),
            account: account.to_owned(),
            balance_minor,
        };
        let lines = items
            .iter()
            .flat_map(|item| [line(item, "suspense", minor), line(item, "gateway_fees", -minor)]);
        lines.collect()
    }

    fn request(item: &str, decision: Option<&str>, id: &str) -> (String, Option<String>, String) {
        (item.to_owned(), decision.map(str::to_owned), id.to_owned())
    }

    const fn looked() -> (&'static [Check], Moment) {
        (&[Check::FeeDiffers], Moment::UNIX_EPOCH)
    }

    /// The provider gave the fee back: what was posted for it is told, until it is taken back.
    #[test]
    fn correction_without_a_cause_is_told() {
        let requests = || vec![request("fee_differs:a", Some("approved"), "1")];
        let left = unmended(vec![], requests(), posted(&["fee_differs:a"], 100), looked());
        let back = left[0].mending.unwrap();
        assert_eq!(
            (left[0].item.as_str(), left[0].difference_minor()),
            ("fee_differs:a", 100)
        );
        assert_eq!(
            (back.debit, back.credit, back.amount_minor),
            (Account::GatewayFees, Account::Suspense, 100)
        );
        let unlisted = unmended(
            vec![],
            requests(),
            posted(&["fee_differs:a"], 100),
            (&[], Moment::UNIX_EPOCH),
        );
        assert_eq!(unlisted, []);
        let taken_back = unmended(vec![], requests(), posted(&["fee_differs:a"], 0), looked());
        assert_eq!(taken_back, []);
    }

    #[test]
    fn mended_exceptions_are_left_out_and_waiting_ones_named() {
        let requests = vec![
            request("fee_differs:a", Some("approved"), "1"),
            request("fee_differs:b", None, "2"),
        ];
        let found = vec![fee("a", 100), fee("b", 100), fee("c", 100)];
        let left = unmended(found, requests, posted(&["fee_differs:a"], 100), looked());
        let items: Vec<_> = left
            .iter()
            .map(|one| (one.item.as_str(), one.approval_id.as_deref()))
            .collect();
        assert_eq!(items, [("fee_differs:b", Some("2")), ("fee_differs:c", None)]);
    }

    #[test]
    fn changed_amount_brings_its_exception_back() {
        let requests = || vec![request("fee_differs:a", Some("approved"), "1")];
        let rest = |now: u64| {
            let mended = posted(&["fee_differs:a"], 100);
            let left = unmended(vec![fee("a", now)], requests(), mended, looked());
            left.into_iter().next()
        };
        assert_eq!(rest(100), None);
        let more = rest(250).unwrap();
        let posting = more.mending.unwrap();
        assert_eq!((posting.debit, posting.amount_minor), (Account::Suspense, 150));
        let less = rest(40).unwrap().mending.unwrap();
        assert_eq!((less.debit, less.amount_minor), (Account::GatewayFees, 60));
        assert_ne!(more.request_id(), fee("a", 250).request_id());
    }
}
