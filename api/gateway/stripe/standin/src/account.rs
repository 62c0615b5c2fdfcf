//! The account's balance: a transaction for each movement, with the fee that is kept, and payouts to a bank.

use serde_json::{Value, json};

use crate::api::{page, since};
use crate::books::{Answer, Books, now_s, refused};
use crate::form::Form;
use crate::objects::published;

/// What is kept of a charge: so many thousandths, and so many minor units.
const FEE_THOUSANDTHS: i64 = 15;
const FEE_MINOR: i64 = 20;

#[derive(Default)]
pub(crate) struct Account {
    pub(crate) transactions: Vec<Value>,
    pub(crate) payouts: Vec<Value>,
    /// The payout of each transaction that went out.
    sent: Vec<(String, String)>,
    /// The currency that the account is settled in, where it is another one, with millionths of it for one unit of a charge's.
    pub(crate) settles_in: Option<(String, i64)>,
}

/// Millionths as the decimal that Stripe writes.
fn decimal(millionths: i64) -> Value {
    let text = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
    serde_json::from_str(&text).unwrap_or_default()
}

impl Books {
    /// Books a movement; `fee` is what is kept of it.
    pub(crate) fn book(&mut self, (kind, source): (&str, &str), currency: &Value, (amount, fee): (i64, i64)) {
        let id = self.name("txn");
        let exchanged = |minor: i64, millionths: i64| (minor * millionths + 500_000) / 1_000_000;
        let settled = self.account.settles_in.clone();
        let settled = settled.filter(|(into, _)| currency != into.as_str() && kind != "payout");
        let (currency, amount, fee, rate) = match settled {
            Some((into, millionths)) => (
                json!(into),
                exchanged(amount, millionths),
                exchanged(fee, millionths),
                decimal(millionths),
            ),
            None => (currency.clone(), amount, fee, Value::Null),
        };
        let transaction = published(
            "balance_transaction",
            &json!({ "id": id, "type": kind, "source": source, "amount": amount, "fee": fee, "net": amount - fee,
                "currency": currency, "exchange_rate": rate, "created": now_s(), "available_on": now_s() }),
        );
        self.account.transactions.push(transaction);
    }

    pub(crate) fn book_charge(&mut self, charge: &Value) {
        let amount = charge["amount"].as_i64().unwrap_or_default();
        let fee = amount * FEE_THOUSANDTHS / 1_000 + FEE_MINOR;
        let id = charge["id"].as_str().unwrap_or_default().to_owned();
        self.book(("charge", &id), &charge["currency"], (amount, fee));
    }

    pub(crate) fn list_transactions(&self, form: &Form) -> Answer {
        let all = since(&self.account.transactions, form);
        let Some(payout) = form.get("payout") else {
            return page(&all, form);
        };
        let mut payouts = self.account.payouts.iter();
        if payouts.any(|known| known["id"] == payout && known["automatic"] == false) {
            let said = "Balance transaction history can only be filtered on automatic transfers, not manual.";
            return refused(400, "invalid_request_error", said);
        }
        let went = |transaction: &&Value| {
            let sent = self.account.sent.iter();
            sent.clone()
                .any(|(id, with)| transaction["id"] == *id && with == payout)
        };
        page(&all.iter().filter(went).cloned().collect::<Vec<_>>(), form)
    }

    /// Sends all that is on the account, one payout a currency.
    pub(crate) fn pay_out(&mut self) -> Answer {
        let is_left = |one: &&Value| !self.account.sent.iter().any(|(id, _)| one["id"] == *id);
        let left: Vec<Value> = self
            .account
            .transactions
            .iter()
            .filter(is_left)
            .cloned()
            .collect();
        let Some(currency) = left.first().map(|one| one["currency"].clone()) else {
            return refused(400, "balance_insufficient", "There is nothing to pay out.");
        };
        let id = self.name("po");
        let mut amount = 0;
        for one in left.iter().filter(|one| one["currency"] == currency) {
            amount += one["net"].as_i64().unwrap_or_default();
            let name = one["id"].as_str().unwrap_or_default();
            self.account.sent.push((name.to_owned(), id.clone()));
        }
        let payout = published(
            "payout",
            &json!({ "id": id, "amount": amount, "currency": currency, "status": "paid", "created": now_s(), "arrival_date": now_s() }),
        );
        self.book(("payout", &id), &currency, (-amount, 0));
        if let Some(own) = self.account.transactions.last() {
            let name = own["id"].as_str().unwrap_or_default().to_owned();
            self.account.sent.push((name, id));
        }
        self.account.payouts.push(payout.clone());
        (200, payout)
    }

    /// Sends a part of what is on the account, as a person does in the dashboard.
    pub(crate) fn pay_out_by_hand(&mut self, amount: i64, currency: &str) -> String {
        let id = self.name("po");
        let payout = published(
            "payout",
            &json!({ "id": id, "amount": amount, "currency": currency, "status": "paid", "automatic": false,
                "created": now_s(), "arrival_date": now_s() }),
        );
        self.book(("payout", &id), &json!(currency), (-amount, 0));
        self.account.payouts.push(payout);
        id
    }

    pub(crate) fn delete_customer(&mut self, id: &str) -> Answer {
        let before = self.customers.len();
        self.customers.retain(|customer| customer["id"] != id);
        if self.customers.len() == before {
            return refused(404, "resource_missing", &format!("No such customer: '{id}'"));
        }
        (200, json!({ "id": id, "object": "customer", "deleted": true }))
    }

    /// Money from elsewhere on the same account: an intent that names no payment of the server's, paid.
    pub(crate) fn stray(&mut self, amount: u64, currency: &str) -> String {
        let metadata = [("metadata[order_number]", "A-77")];
        let fields = [("amount", amount.to_string()), ("currency", currency.to_owned())];
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .extend_pairs(metadata)
            .append_pair("automatic_payment_methods[enabled]", "true")
            .finish();
        let (_, intent) = self.make_intent(&Form::read("", body.as_bytes()));
        let id = intent["id"].as_str().unwrap_or_default().to_owned();
        self.pay(&intent, "pm_card_visa");
        id
    }
}
