//! What approved corrections have mended: an exception is left out while its amount is what was approved.

use std::collections::BTreeMap;

use domain::books;
use domain::payment::ledger::Account;
use projections::reconciliation::MendedRow;

use super::{Exception, Mending};

/// Balances that postings make: debits above zero.
type Balances = BTreeMap<Account, i64>;

/// Leaves out what approved corrections have mended, and names the request where one waits. An exception whose amount has changed since
/// comes back with a posting of the rest.
pub(super) fn unmended(
    found: Vec<Exception>,
    requests: Vec<(String, Option<String>, String)>,
    mended: Vec<MendedRow>,
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
    for row in mended {
        if let Some(account) = books::account(&row.account) {
            posted
                .entry(row.item)
                .or_default()
                .insert(account, row.balance_minor);
        }
    }
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
        }
        Some(exception)
    };
    found.into_iter().filter_map(still).collect()
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
    use super::super::{Check, exception};
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

    #[test]
    fn mended_exceptions_are_left_out_and_waiting_ones_named() {
        let requests = vec![
            request("fee_differs:a", Some("approved"), "1"),
            request("fee_differs:b", None, "2"),
        ];
        let found = vec![fee("a", 100), fee("b", 100), fee("c", 100)];
        let left = unmended(found, requests, posted(&["fee_differs:a"], 100));
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
            let left = unmended(vec![fee("a", now)], requests(), posted(&["fee_differs:a"], 100));
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
