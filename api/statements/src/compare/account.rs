//! Whose account a file is of. The signs of its payouts say it, and the other movements that a report of the provider lists.

use std::collections::HashSet;

use super::Known;
use crate::reference::{Ids, Named};
use crate::{AccountOf, Entry, Fault, Form, Statement};

/// Finds whose account a file is of: as a person said it, else as its entries do. `None` where all that speaks of it are payouts that go
/// out: the provider's report of payouts alone, or a bank's file of payouts that came back.
pub fn find_account(statement: &Statement, known: &[Known]) -> Option<AccountOf> {
    if statement.form != Form::Csv {
        return Some(AccountOf::Bank);
    }
    if statement.account_of.is_some() {
        return statement.account_of;
    }
    let signs = Signs::read(statement, known);
    match (signs.lists_movements, signs.brings_payouts, signs.takes_payouts) {
        (true, _, _) => Some(AccountOf::Provider),
        (false, false, Some(_)) => None,
        (false, true, _) | (false, false, None) => Some(AccountOf::Bank),
    }
}

/// Checks that a file says whose account it is of.
///
/// # Errors
/// [`Fault::DoubtfulAccount`] with the first line that may be either.
pub fn check_account(statement: &Statement, known: &[Known]) -> Result<(), Fault> {
    if find_account(statement, known).is_some() {
        return Ok(());
    }
    let line = Signs::read(statement, known).takes_payouts;
    Err(Fault::DoubtfulAccount(line.unwrap_or(1)))
}

/// Signs of the entries of a file beside what is known of the provider.
#[derive(Debug, Default)]
struct Signs {
    /// A movement that is no payout, with its amount.
    lists_movements: bool,
    brings_payouts: bool,
    /// The line of the first payout that goes out.
    takes_payouts: Option<usize>,
}

impl Signs {
    fn read(statement: &Statement, known: &[Known]) -> Self {
        let ids = Ids::new(known.iter().map(|one| one.id.as_str()));
        let payouts = known.iter().filter(|one| one.is_payout);
        let payouts: HashSet<&str> = payouts.map(|one| one.id.as_str()).collect();
        let mut signs = Self::default();
        for entry in &statement.entries {
            let Named { whole, cut } = ids.named(&entry.reference);
            let named = if whole.is_empty() { &cut } else { &whole };
            let named = || named.iter().map(|place| &known[*place]);
            signs.lists_movements |=
                named().any(|one| !payouts.contains(one.id.as_str()) && is_movement(one, entry));
            for one in named().filter(|one| one.is_payout) {
                let sign = entry.amount_minor.signum() * one.amount_minor.signum();
                signs.brings_payouts |= sign > 0;
                if sign < 0 {
                    signs.takes_payouts.get_or_insert(entry.line);
                }
            }
        }
        signs
    }
}

fn is_movement(one: &Known, entry: &Entry) -> bool {
    one.amount_minor == entry.amount_minor && one.currency == entry.unit.code
}
