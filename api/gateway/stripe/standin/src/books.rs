//! What the account holds, and how it changes. Every change is an event, and every event a notice.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::account::Account;
use crate::card::{Ending, ending};
use crate::form::Form;
use crate::objects::{error, published};
use crate::{Call, Weather};

/// What a call is answered: a status and a body.
pub(crate) type Answer = (u16, Value);

const INVALID: &str = "invalid_request_error";

#[derive(Default)]
pub(crate) struct Books {
    pub(crate) weather: Weather,
    pub(crate) webhook_url: Option<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) customers: Vec<Value>,
    pub(crate) intents: Vec<Value>,
    pub(crate) refunds: Vec<Value>,
    pub(crate) files: Vec<Value>,
    pub(crate) account: Account,
    pub(crate) events: Vec<Value>,
    /// Bodies on their way.
    pub(crate) notices: Vec<String>,
    /// First answers, by key: what was asked, and what was answered.
    answers: BTreeMap<String, (Vec<String>, Answer)>,
    pub(crate) disputes: BTreeMap<String, Value>,
    charges: BTreeMap<String, Value>,
    count: u64,
}

pub(crate) fn refused(status: u16, code: &str, message: &str) -> Answer {
    (status, error(INVALID, Some(code), message))
}

pub(crate) fn now_s() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// What Stripe wants an amount to be a multiple of, from its list of special currencies.
fn step_of(currency: &str) -> u64 {
    match currency {
        "isk" | "ugx" => 100,
        "bhd" | "jod" | "kwd" | "omr" | "tnd" => 10,
        _ => 1,
    }
}

impl Books {
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}_standin{:06}", self.count)
    }

    /// Under a key that was used before the first answer counts; for another request it is refused.
    pub(crate) fn once(
        &mut self,
        key: Option<&str>,
        asked: Vec<String>,
        deed: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        let Some(key) = key else {
            return deed(self);
        };
        match self.answers.get(key) {
            Some((first, answer)) if *first == asked => answer.clone(),
            Some(_) => (
                400,
                error(
                    "idempotency_error",
                    None,
                    "Keys for idempotent requests can only be used with the same parameters they were first used with.",
                ),
            ),
            None => {
                let answer = deed(self);
                self.answers.insert(key.to_owned(), (asked, answer.clone()));
                answer
            }
        }
    }

    pub(crate) fn tell(&mut self, kind: &str, object: &Value) {
        let id = self.name("evt");
        let event = published(
            "event",
            &json!({ "id": id, "type": kind, "created": now_s(), "data": { "object": object } }),
        );
        if self.webhook_url.is_some() {
            self.notices.push(event.to_string());
        }
        self.events.push(event);
    }

    pub(crate) fn make_customer(&mut self, form: &Form) -> Answer {
        let id = self.name("cus");
        let customer =
            json!({ "id": id, "object": "customer", "metadata": form.pairs("metadata"), "livemode": false });
        self.customers.push(customer.clone());
        (200, customer)
    }

    pub(crate) fn make_intent(&mut self, form: &Form) -> Answer {
        let (Some(amount), Some(currency)) = (form.number("amount"), form.get("currency")) else {
            return refused(
                400,
                "parameter_missing",
                "Missing required param: amount or currency.",
            );
        };
        if form.get("automatic_payment_methods[enabled]") != Some("true") {
            return refused(
                400,
                "parameter_missing",
                "This stand-in takes automatic payment methods alone.",
            );
        }
        if amount % step_of(currency) != 0 {
            return refused(400, "parameter_invalid_integer", "Invalid integer: amount.");
        }
        let id = self.name("pi");
        let intent = published(
            "payment_intent",
            &json!({
                "id": id, "amount": amount, "currency": currency, "status": "requires_payment_method",
                "client_secret": format!("{id}_secret_standin"), "metadata": form.pairs("metadata"),
                "customer": form.get("customer"), "description": form.get("description"),
                "statement_descriptor_suffix": form.get("statement_descriptor_suffix"),
                "last_payment_error": null, "next_action": null, "canceled_at": null, "created": now_s(),
            }),
        );
        self.intents.push(intent.clone());
        (200, intent)
    }

    pub(crate) fn intent(&self, id: &str, form: &Form) -> Answer {
        let Some(intent) = self.intents.iter().find(|intent| intent["id"] == id) else {
            return refused(
                404,
                "resource_missing",
                &format!("No such payment_intent: '{id}'"),
            );
        };
        let mut intent = intent.clone();
        if form.list("expand").iter().any(|field| field == "latest_charge")
            && let Some(charge) = intent["latest_charge"]
                .as_str()
                .and_then(|id| self.charges.get(id))
        {
            intent["latest_charge"] = charge.clone();
        }
        (200, intent)
    }

    /// Changes an intent, and tells what became of it.
    fn change(&mut self, id: &str, set: &Value, kind: Option<&str>) -> Value {
        let Some(intent) = self.intents.iter_mut().find(|intent| intent["id"] == id) else {
            return Value::Null;
        };
        for (field, value) in set.as_object().into_iter().flatten() {
            intent[field] = value.clone();
        }
        let intent = intent.clone();
        if let Some(kind) = kind {
            self.tell(kind, &intent);
        }
        intent
    }

    pub(crate) fn cancel(&mut self, id: &str) -> Answer {
        let status = self.intents.iter().find(|intent| intent["id"] == id);
        match status.and_then(|intent| intent["status"].as_str()) {
            None => refused(
                404,
                "resource_missing",
                &format!("No such payment_intent: '{id}'"),
            ),
            Some("succeeded" | "processing" | "canceled") => refused(
                400,
                "payment_intent_unexpected_state",
                "You cannot cancel this PaymentIntent because of its status.",
            ),
            Some(_) => {
                let set = json!({ "status": "canceled", "canceled_at": now_s(), "next_action": null });
                (200, self.change(id, &set, Some("payment_intent.canceled")))
            }
        }
    }

    /// As Stripe's script asks with the client secret, once the payer has pressed Pay.
    pub(crate) fn confirm(&mut self, id: &str, form: &Form) -> Answer {
        let Some(intent) = self.intents.iter().find(|intent| intent["id"] == id).cloned() else {
            return refused(
                404,
                "resource_missing",
                &format!("No such payment_intent: '{id}'"),
            );
        };
        let waits = matches!(
            intent["status"].as_str(),
            Some("requires_payment_method" | "requires_action")
        );
        if !waits {
            return refused(
                400,
                "payment_intent_unexpected_state",
                "This PaymentIntent's status does not allow confirming.",
            );
        }
        // An answer to 3-D Secure, which Stripe's own page gives.
        let answered = form.get("authentication");
        let card = form
            .get("payment_method_data[card][number]")
            .or(form.get("payment_method"))
            .unwrap_or("pm_card_visa");
        match (answered, ending(card)) {
            (Some("fail"), _) => {
                self.decline(id, (402, "payment_intent_authentication_failure", None), false)
            }
            (Some(_), _) | (None, Ending::Paid) => (200, self.pay(&intent, card)),
            (None, Ending::Disputed) => {
                let paid = self.pay(&intent, card);
                self.dispute(id, "needs_response");
                (200, paid)
            }
            (None, Ending::Declined(code, by_bank)) => self.decline(id, (402, code, by_bank), true),
            (None, Ending::Asked) => {
                let set = json!({ "status": "requires_action",
                    "next_action": { "type": "use_stripe_sdk", "use_stripe_sdk": {} } });
                (200, self.change(id, &set, Some("payment_intent.requires_action")))
            }
            (None, Ending::Slow) => {
                let set = json!({ "status": "processing" });
                (200, self.change(id, &set, Some("payment_intent.processing")))
            }
            (None, Ending::Voucher) => {
                let voucher = json!({ "reference": "123456789", "hosted_voucher_url": "https://pay.stripe.com/voucher/standin" });
                let set = json!({ "status": "requires_action",
                    "next_action": { "type": "multibanco_display_details", "multibanco_display_details": voucher } });
                (200, self.change(id, &set, Some("payment_intent.requires_action")))
            }
        }
    }

    /// Settles what a slow method or a voucher began; with `outcome=failed` it comes to nothing.
    pub(crate) fn settle(&mut self, id: &str, form: &Form) -> Answer {
        let found = self.intents.iter().find(|intent| intent["id"] == id).cloned();
        let is_under_way = |intent: &Value| {
            let voucher = &intent["next_action"]["multibanco_display_details"];
            intent["status"] == "processing" || voucher.is_object()
        };
        match found.filter(is_under_way) {
            Some(_) if form.get("outcome") == Some("failed") => {
                self.decline(id, (200, "payment_method_provider_decline", None), true)
            }
            Some(intent) => (200, self.pay(&intent, "pm_usBankAccount")),
            None => refused(
                400,
                "payment_intent_unexpected_state",
                "There is nothing to settle.",
            ),
        }
    }

    pub(crate) fn pay(&mut self, intent: &Value, card: &str) -> Value {
        let (id, charge_id) = (intent["id"].as_str().unwrap_or_default(), self.name("ch"));
        let last4 = card.get(card.len().saturating_sub(4)..).unwrap_or_default();
        let last4 = if card.starts_with("pm_") { "4242" } else { last4 };
        let mut charge = published(
            "charge",
            &json!({ "id": charge_id, "amount": intent["amount"], "amount_captured": intent["amount"],
                "currency": intent["currency"], "payment_intent": id, "metadata": intent["metadata"], "captured": true }),
        );
        charge["payment_method_details"]["card"]["last4"] = json!(last4);
        self.book_charge(&charge);
        self.charges.insert(charge_id.clone(), charge);
        let set = json!({ "status": "succeeded", "amount_received": intent["amount"], "latest_charge": charge_id,
            "next_action": null, "last_payment_error": null });
        self.change(id, &set, Some("payment_intent.succeeded"))
    }

    fn decline(
        &mut self,
        id: &str,
        (status, code, by_bank): (u16, &str, Option<&str>),
        is_charged: bool,
    ) -> Answer {
        let charge = is_charged.then(|| self.name("ch"));
        let why = json!({ "type": "card_error", "code": code, "decline_code": by_bank, "charge": charge,
            "message": "Your card was declined.", "payment_method": { "id": "pm_standin", "object": "payment_method" } });
        let set =
            json!({ "status": "requires_payment_method", "last_payment_error": why, "next_action": null });
        self.change(id, &set, Some("payment_intent.payment_failed"));
        (
            status,
            json!({ "error": { "type": "card_error", "code": code, "decline_code": by_bank, "charge": charge,
                "message": "Your card was declined." } }),
        )
    }

    /// All refunds of a charge together never exceed it.
    pub(crate) fn refund(
        &mut self,
        intent_id: &str,
        amount: u64,
        metadata: &Value,
    ) -> Result<String, Answer> {
        let intent = self.intents.iter().find(|intent| intent["id"] == intent_id);
        let charge = intent.and_then(|intent| intent["latest_charge"].as_str());
        let Some(charge) = charge.map(str::to_owned) else {
            return Err(refused(
                400,
                "charge_missing",
                "This PaymentIntent has no successful charge.",
            ));
        };
        let received = intent.and_then(|intent| intent["amount_received"].as_u64());
        let of_intent = self
            .refunds
            .iter()
            .filter(|refund| refund["payment_intent"] == intent_id);
        let refunded: u64 = of_intent.filter_map(|refund| refund["amount"].as_u64()).sum();
        let left = received.unwrap_or_default().saturating_sub(refunded);
        if amount > left {
            let said =
                format!("Refund amount ({amount}) is greater than unrefunded amount on charge ({left})");
            return Err(refused(400, "amount_too_large", &said));
        }
        let currency = intent.map(|intent| intent["currency"].clone());
        let step = currency.as_ref().and_then(Value::as_str).map_or(1, step_of);
        if !amount.is_multiple_of(step) {
            return Err(refused(
                400,
                "parameter_invalid_integer",
                "Invalid integer: amount.",
            ));
        }
        let id = self.name("re");
        let metadata = if metadata.is_object() {
            metadata.clone()
        } else {
            json!({})
        };
        let refund = published(
            "refund",
            &json!({ "id": id, "amount": amount, "payment_intent": intent_id, "charge": charge, "metadata": metadata, "currency": currency,
                "status": "succeeded", "created": now_s() }),
        );
        self.book(("refund", &id), &refund["currency"], (-amount.cast_signed(), 0));
        self.refunds.push(refund.clone());
        self.tell("refund.created", &refund);
        let set = json!({ "amount_refunded": refunded + amount, "refunded": amount == left });
        let mut refunded = self.charges.get(&charge).cloned().unwrap_or_default();
        for (field, value) in set.as_object().into_iter().flatten() {
            refunded[field] = value.clone();
        }
        self.tell("charge.refunded", &refunded);
        Ok(id)
    }

    /// The bank could not take it: the money is back on the account.
    pub(crate) fn return_refund(&mut self, refund_id: &str) {
        let Some(at) = self.refunds.iter().position(|refund| refund["id"] == refund_id) else {
            return;
        };
        let failed = json!({ "status": "failed", "failure_reason": "lost_or_stolen_card" });
        for (field, value) in failed.as_object().into_iter().flatten() {
            self.refunds[at][field] = value.clone();
        }
        let refund = self.refunds[at].clone();
        let amount = refund["amount"].as_i64().unwrap_or_default();
        self.book(("refund_failure", refund_id), &refund["currency"], (amount, 0));
        for kind in ["refund.updated", "charge.refund.updated", "refund.failed"] {
            self.tell(kind, &refund);
        }
    }

    pub(crate) fn dispute(&mut self, intent_id: &str, status: &str) {
        let intent = self
            .intents
            .iter()
            .find(|intent| intent["id"] == intent_id)
            .cloned();
        let Some(intent) = intent else {
            return;
        };
        let known = self.disputes.get(intent_id);
        // A decided dispute is not opened again: the bank opens another one.
        let known = known.filter(|dispute| status != "needs_response" || dispute["status"] == status);
        let known = known.map(|dispute| dispute["id"].clone());
        let is_new = known.is_none();
        if is_new {
            self.disputes.remove(intent_id);
        }
        let id = known.unwrap_or_else(|| json!(self.name("dp")));
        let moved = json!([{ "amount": -1, "fee": 1_500, "currency": intent["currency"] }]);
        let dispute = published(
            "dispute",
            &json!({ "id": id, "amount": intent["amount_received"], "currency": intent["currency"], "status": status,
                "payment_intent": intent_id, "charge": intent["latest_charge"], "balance_transactions": moved }),
        );
        let dispute = self.with_evidence(intent_id, dispute);
        self.disputes.insert(intent_id.to_owned(), dispute.clone());
        let kind = if is_new {
            "charge.dispute.created"
        } else {
            "charge.dispute.closed"
        };
        self.tell(kind, &dispute);
    }
}
