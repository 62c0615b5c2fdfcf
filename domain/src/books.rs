//! The books: the chart of accounts, and what the payment provider's own movements and finance's corrections post beside the entries
//! of payments ([`crate::payment::ledger`]). Every posting sums to zero.
//!
//! | account | nature | moved by |
//! |---|---|---|
//! | `gateway_clearing` | asset | charges, refunds, disputes, fees, payouts: cash at the provider |
//! | `payouts_in_transit` | asset | a payout on its way to the bank |
//! | `bank` | asset | a payout that has arrived |
//! | `disputes` | asset | withheld by a bank until it has decided |
//! | `holding_fees`, `deposits`, `rent` | liability | taken for the stay, held for others |
//! | `refunds_payable` | liability | promised back, not yet confirmed by the gateway |
//! | `paid_elsewhere` | liability | owed to the account from which a refund was paid by hand |
//! | `rewards_payable` | liability | earned by referrers, not paid out yet |
//! | `suspense` | liability | money whose right account finance has not found |
//! | `platform_fees`, `processing_fees` | income | the house's own fees |
//! | `gateway_fees`, `dispute_fees`, `dispute_losses` | expense | what the provider and lost disputes cost |
//! | `referral_rewards` | expense | rewards of referrals |
//! | `exchange_differences` | expense | settlements in another currency |

use crate::money::Currency;
use crate::payment::ledger::{Account, Entry};
use crate::referral::ReferralEvent;
use crate::settlement::{BalanceLine, Payout};

/// Kind of an account in a trial balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    Asset,
    Liability,
    Income,
    Expense,
}

impl Nature {
    /// The word that travels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Liability => "liability",
            Self::Income => "income",
            Self::Expense => "expense",
        }
    }
}

/// Every account with its nature, in the order of a trial balance.
pub const CHART: [(Account, Nature); 18] = [
    (Account::GatewayClearing, Nature::Asset),
    (Account::PayoutsInTransit, Nature::Asset),
    (Account::Bank, Nature::Asset),
    (Account::Disputes, Nature::Asset),
    (Account::Deposits, Nature::Liability),
    (Account::HoldingFees, Nature::Liability),
    (Account::Rent, Nature::Liability),
    (Account::RefundsPayable, Nature::Liability),
    (Account::PaidElsewhere, Nature::Liability),
    (Account::RewardsPayable, Nature::Liability),
    (Account::Suspense, Nature::Liability),
    (Account::PlatformFees, Nature::Income),
    (Account::ProcessingFees, Nature::Income),
    (Account::GatewayFees, Nature::Expense),
    (Account::DisputeFees, Nature::Expense),
    (Account::DisputeLosses, Nature::Expense),
    (Account::ReferralRewards, Nature::Expense),
    (Account::ExchangeDifferences, Nature::Expense),
];

/// The account of that name.
pub fn account(name: &str) -> Option<Account> {
    let mut accounts = CHART.iter().map(|(account, _)| *account);
    accounts.find(|account| account.name() == name)
}

/// What a movement of the provider's account posts, given what was told of it before: its fee, and where it was settled in another
/// currency the settled amount. Amounts themselves are posted by the payment's own events, and a dispute's fee by its dispute.
pub fn line_entries(before: Option<&BalanceLine>, line: &BalanceLine) -> Vec<Entry> {
    changed(before.map(standing_of_line), standing_of_line(line))
}

/// What a payout posts, given what was told of it before: on its way, at the bank, or back at the provider.
pub fn payout_entries(before: Option<&Payout>, payout: &Payout) -> Vec<Entry> {
    changed(before.map(standing_of_payout), standing_of_payout(payout))
}

/// What a referral posts: a cost and a debt when it earns a reward, the debt paid from the bank, both taken back with the booking. What was
/// paid before is then owed by the referrer. With the currency; `None` for events that move nothing.
pub fn reward_entries(event: &ReferralEvent) -> Option<(&'static str, Currency, [Entry; 2])> {
    use Account::{Bank, ReferralRewards, RewardsPayable};
    let (kind, reward, debit, credit) = match event {
        ReferralEvent::Completed {
            reward: Some(reward), ..
        } => ("reward_earned", reward, ReferralRewards, RewardsPayable),
        ReferralEvent::RewardPaid { reward, .. } => ("reward_paid", reward, RewardsPayable, Bank),
        ReferralEvent::RewardReversed { reward, .. } => {
            ("reward_reversed", reward, RewardsPayable, ReferralRewards)
        }
        _ => return None,
    };
    Some((
        kind,
        reward.currency,
        transfer(debit, credit, reward.amount_minor),
    ))
}

/// Signed balances that one source has made so far: debits above zero.
type Standing = Vec<(Account, i64)>;

fn standing_of_line(line: &BalanceLine) -> Standing {
    let of_payments = ["charge", "payment", "refund", "payment_refund"].contains(&line.kind.as_str());
    let mut standing = match line.kind.as_str() {
        // Of the account itself: the movement is the fee.
        "stripe_fee" | "network_cost" | "application_fee" => pair(
            Account::GatewayFees,
            Account::GatewayClearing,
            line.net_minor.saturating_neg(),
        ),
        _ if of_payments => pair(Account::GatewayFees, Account::GatewayClearing, line.fee_minor),
        _ => vec![],
    };
    if of_payments && line.exchange_rate.is_some() {
        standing.extend(pair(
            Account::GatewayClearing,
            Account::ExchangeDifferences,
            line.amount_minor,
        ));
    }
    standing
}

fn standing_of_payout(payout: &Payout) -> Standing {
    match payout.status.as_str() {
        "paid" => pair(Account::Bank, Account::GatewayClearing, payout.amount_minor),
        "failed" | "canceled" => vec![],
        _ => pair(
            Account::PayoutsInTransit,
            Account::GatewayClearing,
            payout.amount_minor,
        ),
    }
}

fn pair(to: Account, from: Account, amount: i64) -> Standing {
    vec![(to, amount), (from, amount.saturating_neg())]
}

/// The entries that lead from one standing to another. An account that stays as it is has none.
fn changed(before: Option<Standing>, after: Standing) -> Vec<Entry> {
    let mut sums: std::collections::BTreeMap<Account, i64> = std::collections::BTreeMap::new();
    for (account, amount) in after {
        *sums.entry(account).or_default() += amount;
    }
    for (account, amount) in before.unwrap_or_default() {
        *sums.entry(account).or_default() -= amount;
    }
    let moved = sums.into_iter().filter(|(_, amount)| *amount != 0);
    moved.map(|(account, amount)| entry(account, amount)).collect()
}

/// One entry: above zero a debit, below zero a credit.
const fn entry(account: Account, amount: i64) -> Entry {
    if amount < 0 {
        Entry {
            account,
            debit_minor: 0,
            credit_minor: amount.unsigned_abs(),
        }
    } else {
        Entry {
            account,
            debit_minor: amount.unsigned_abs(),
            credit_minor: 0,
        }
    }
}

/// An amount in minor units that finance moves from one account to another.
pub const fn transfer(debit: Account, credit: Account, amount_minor: u64) -> [Entry; 2] {
    [
        Entry {
            account: debit,
            debit_minor: amount_minor,
            credit_minor: 0,
        },
        Entry {
            account: credit,
            debit_minor: 0,
            credit_minor: amount_minor,
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::moment::Moment;

    fn line(kind: &str, amount_minor: i64, fee_minor: i64, is_exchanged: bool) -> BalanceLine {
        BalanceLine {
            line_id: "txn_1".to_owned(),
            kind: kind.to_owned(),
            source: Some("ch_1".to_owned()),
            amount_minor,
            fee_minor,
            net_minor: amount_minor - fee_minor,
            currency: "GBP".to_owned(),
            created_at: Moment::UNIX_EPOCH,
            available_at: Moment::UNIX_EPOCH,
            payout_id: None,
            exchange_rate: is_exchanged.then(|| "1.2".to_owned()),
        }
    }

    fn payout(amount_minor: i64, status: &str) -> Payout {
        Payout {
            payout_id: "po_1".to_owned(),
            amount_minor,
            currency: "GBP".to_owned(),
            status: status.to_owned(),
            created_at: Moment::UNIX_EPOCH,
            arrives_at: Moment::UNIX_EPOCH,
            is_by_hand: None,
        }
    }

    fn add(sums: &mut BTreeMap<Account, i64>, entries: &[Entry]) -> i64 {
        let mut balance = 0;
        for entry in entries {
            let signed = entry.debit_minor.cast_signed() - entry.credit_minor.cast_signed();
            *sums.entry(entry.account).or_default() += signed;
            balance += signed;
        }
        balance
    }

    /// Whatever is told of one source, each posting sums to zero and the end is what the last of it says alone.
    #[test]
    fn corrected_sources_end_where_the_last_one_says() {
        proptest!(|(
            lines in prop::collection::vec((0_usize..5, -90_000_i64..90_000, -900_i64..900, any::<bool>()), 1..6),
            payouts in prop::collection::vec((-90_000_i64..90_000, 0_usize..4), 1..6),
        )| {
            let kinds = ["charge", "refund", "adjustment", "payout", "stripe_fee"];
            let mut sums = BTreeMap::new();
            let lines: Vec<_> = lines.iter().map(|one| line(kinds[one.0], one.1, one.2, one.3)).collect();
            for (place, line) in lines.iter().enumerate() {
                let before = place.checked_sub(1).map(|place| &lines[place]);
                prop_assert_eq!(add(&mut sums, &line_entries(before, line)), 0);
            }
            let states = ["pending", "in_transit", "paid", "failed"];
            let payouts: Vec<_> = payouts.iter().map(|one| payout(one.0, states[one.1])).collect();
            for (place, payout) in payouts.iter().enumerate() {
                let before = place.checked_sub(1).map(|place| &payouts[place]);
                prop_assert_eq!(add(&mut sums, &payout_entries(before, payout)), 0);
            }
            let mut last = BTreeMap::new();
            add(&mut last, &line_entries(None, &lines[lines.len() - 1]));
            add(&mut last, &payout_entries(None, &payouts[payouts.len() - 1]));
            sums.retain(|_, sum| *sum != 0);
            last.retain(|_, sum| *sum != 0);
            prop_assert_eq!(sums, last);
        });
    }

    #[test]
    fn payout_goes_by_transit_to_the_bank() {
        let (sent, paid) = (payout(25_499, "in_transit"), payout(25_499, "paid"));
        assert_eq!(
            payout_entries(Some(&sent), &paid),
            transfer(Account::Bank, Account::PayoutsInTransit, 25_499)
                .into_iter()
                .rev()
                .collect::<Vec<_>>()
        );
        assert!(payout_entries(Some(&paid), &paid).is_empty());
    }

    #[test]
    fn only_a_settlement_in_another_currency_posts_its_amount() {
        let posted = |kind, is_exchanged| {
            let mut sums = BTreeMap::new();
            add(
                &mut sums,
                &line_entries(None, &line(kind, 1_000, 30, is_exchanged)),
            );
            sums
        };
        let differences = |sums: BTreeMap<Account, i64>| sums.get(&Account::ExchangeDifferences).copied();
        assert_eq!(differences(posted("charge", true)), Some(-1_000));
        assert_eq!(differences(posted("charge", false)), None);
        assert!(posted("adjustment", true).is_empty());
    }

    fn sums(entries: &[Entry]) -> BTreeMap<Account, i64> {
        let mut sums = BTreeMap::new();
        assert_eq!(add(&mut sums, entries), 0);
        for entry in entries {
            assert!((entry.debit_minor == 0) != (entry.credit_minor == 0), "{entry:?}");
        }
        sums
    }

    /// A charge of the provider for the account itself is a cost by its whole amount, a payment by the fee that is kept of it.
    #[test]
    fn provider_s_fees_are_costs_paid_from_its_account() {
        for (kind, amount, fee, cost) in [
            ("charge", 25_907, 830, 830),
            ("refund", -5_000, 25, 25),
            ("stripe_fee", -200, 0, 200),
            ("network_cost", -30, 0, 30),
        ] {
            let posted = sums(&line_entries(None, &line(kind, amount, fee, false)));
            let wanted = BTreeMap::from([(Account::GatewayFees, cost), (Account::GatewayClearing, -cost)]);
            assert_eq!(posted, wanted, "{kind}");
        }
        for kind in ["adjustment", "payout"] {
            assert!(
                line_entries(None, &line(kind, -5_000, 100, false)).is_empty(),
                "{kind}"
            );
        }
    }

    #[test]
    fn payout_that_fails_is_back_at_the_provider() {
        let sent = payout(25_499, "in_transit");
        for end in ["failed", "canceled"] {
            let back = sums(&payout_entries(Some(&sent), &payout(25_499, end)));
            let wanted = [
                (Account::PayoutsInTransit, -25_499),
                (Account::GatewayClearing, 25_499),
            ];
            assert_eq!(back, BTreeMap::from(wanted), "{end}");
            assert!(payout_entries(None, &payout(25_499, end)).is_empty());
        }
    }

    #[test]
    fn account_is_found_by_its_name() {
        for (one, nature) in CHART {
            assert_eq!(account(one.name()), Some(one));
            assert!(["asset", "liability", "income", "expense"].contains(&nature.name()));
        }
        assert_eq!(account("petty_cash"), None);
        let natures = CHART.map(|(_, nature)| nature.name());
        let count = |name| natures.iter().filter(|nature| **nature == name).count();
        let counts = ["asset", "liability", "income", "expense"].map(count);
        assert_eq!(counts, [4, 7, 2, 5]);
    }

    /// Earned: a cost and a debt. Paid: the debt is settled from the bank. Reversed: cost and debt are taken back.
    #[test]
    fn reward_is_owed_then_paid_or_taken_back() {
        use crate::id::{PaymentId, UserId};
        use crate::referral::Reward;
        let reward = Reward {
            amount_minor: 2_500,
            currency: Currency::Gbp,
            due_on: "2027-10-01".parse().unwrap(),
        };
        let at = Moment::UNIX_EPOCH;
        let by = UserId(uuid::Uuid::from_u128(7));
        let payment_id = PaymentId(uuid::Uuid::from_u128(3));
        let completed = |reward| ReferralEvent::Completed {
            payment_id,
            reward,
            at,
        };
        let paid = ReferralEvent::RewardPaid { reward, by, at };
        let reversed = ReferralEvent::RewardReversed { reward, at };
        for (event, kind, debit, credit) in [
            (
                completed(Some(reward)),
                "reward_earned",
                Account::ReferralRewards,
                Account::RewardsPayable,
            ),
            (paid, "reward_paid", Account::RewardsPayable, Account::Bank),
            (
                reversed,
                "reward_reversed",
                Account::RewardsPayable,
                Account::ReferralRewards,
            ),
        ] {
            let wanted = (kind, Currency::Gbp, transfer(debit, credit, 2_500));
            assert_eq!(reward_entries(&event), Some(wanted));
        }
        assert_eq!(reward_entries(&completed(None)), None);
    }
}
