//! A payment provider in memory: keys that are honoured, an answer that gets lost after the deed, notices that come late,
//! twice, out of order or not at all. It outlives every kill of the server.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::PaymentId;
use domain::payment::event::Captured;
use gateway::object::Owner;
use gateway::{
    Answer, GatewayError, GatewayIntent, GatewayRefund, GatewayRefundStatus, IntentRequest, IntentStatus,
    PaymentGateway, RefundRequest,
};
use parking_lot::Mutex;
use platform::clock;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fate;
use crate::planted::Planted;

/// What notices are signed with.
pub(crate) const SECRET: &str = "whsec_simulated";
/// A notice that nobody answers is sent again after this long, at first.
const AGAIN_MS: i64 = 5_000;
/// What [`Planted::ChargedTwiceForAMoment`] charges.
const SECOND_CHARGE: &str = "ch_planted";

/// A handle on the provider.
#[derive(Clone, Default)]
pub(crate) struct Provider(Arc<Mutex<Books>>);

/// Everything the provider knows.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) intents: BTreeMap<String, Intent>,
    pub(crate) refunds: BTreeMap<String, Refund>,
    pub(crate) notices: Vec<Notice>,
    answers: BTreeMap<String, Value>,
    /// Nobody gets through.
    pub(crate) is_out: bool,
    /// Of a hundred calls, so many are carried out and their answer is lost.
    pub(crate) lost_answers: u64,
    pub(crate) planted: Option<Planted>,
}

pub(crate) struct Intent {
    pub(crate) request: IntentRequest,
    pub(crate) status: IntentStatus,
    /// Every charge that went through, by its id.
    pub(crate) charges: BTreeMap<String, u64>,
    pub(crate) declined: Option<(String, String)>,
    attempts: u32,
    /// What becomes of a slow attempt, and when.
    settles: Option<(i64, bool)>,
}

pub(crate) struct Refund {
    pub(crate) request: RefundRequest,
    pub(crate) status: GatewayRefundStatus,
    settles_ms: i64,
}

pub(crate) struct Notice {
    pub(crate) id: String,
    pub(crate) body: String,
    pub(crate) due_ms: i64,
    pub(crate) remaining: u32,
    pub(crate) is_lost: bool,
    pub(crate) answered: bool,
}

/// How a card behaves.
#[derive(Clone, Copy)]
pub(crate) enum Card {
    Good,
    Bad,
    SlowGood,
    SlowBad,
}

fn now_ms() -> i64 {
    clock::now().timestamp_millis()
}

impl Provider {
    pub(crate) fn books<T>(&self, look: impl FnOnce(&mut Books) -> T) -> T {
        look(&mut self.0.lock())
    }

    /// The payer's press, from the browser straight to the provider.
    pub(crate) fn charge(&self, intent_id: &str, card: Card) {
        self.books(|books| books.charge(intent_id, card));
    }

    /// What was slow and is now settled.
    pub(crate) fn settle(&self) {
        self.books(Books::settle);
    }

    async fn call<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        key: &str,
        deed: impl FnOnce(&mut Books) -> Result<T, GatewayError> + Send,
    ) -> Result<T, GatewayError> {
        fate::dawdle(40).await;
        let answer = self.books(|books| {
            if books.is_out {
                return Err(GatewayError::Unreachable);
            }
            let honours_keys = books.planted != Some(Planted::KeysIgnored);
            if let (Some(told), true) = (books.answers.get(key), honours_keys) {
                return serde_json::from_value(told.clone()).map_err(|_| GatewayError::KeyReused);
            }
            let done = deed(books)?;
            let told = serde_json::to_value(&done).map_err(|_| GatewayError::Unreachable)?;
            books.answers.insert(key.to_owned(), told);
            if fate::percent(books.lost_answers) {
                return Err(GatewayError::Unreachable);
            }
            Ok(done)
        });
        fate::dawdle(40).await;
        answer
    }
}

impl Books {
    fn charge(&mut self, intent_id: &str, card: Card) {
        let Some(intent) = self.intents.get_mut(intent_id) else {
            return;
        };
        if intent.status != IntentStatus::RequiresPaymentMethod {
            return;
        }
        intent.attempts += 1;
        match card {
            Card::Good => self.pay(intent_id),
            Card::Bad => self.decline(intent_id),
            Card::SlowGood | Card::SlowBad => {
                intent.status = IntentStatus::Processing;
                let wait = 500 + fate::below(120_000).cast_signed();
                intent.settles = Some((now_ms() + wait, matches!(card, Card::SlowGood)));
                self.tell_intent("payment_intent.processing", intent_id);
            }
        }
    }

    fn pay(&mut self, intent_id: &str) {
        if let Some(intent) = self.intents.get_mut(intent_id) {
            let charge = format!("ch_{}_{}", intent_id, intent.attempts);
            intent.charges.insert(charge, intent.request.amount.amount_minor);
            intent.status = IntentStatus::Succeeded;
        }
        self.tell_intent("payment_intent.succeeded", intent_id);
        if let (Some(Planted::ChargedTwiceForAMoment), Some(intent)) =
            (self.planted, self.intents.get_mut(intent_id))
        {
            intent
                .charges
                .insert(SECOND_CHARGE.to_owned(), intent.request.amount.amount_minor);
        }
    }

    fn decline(&mut self, intent_id: &str) {
        if let Some(intent) = self.intents.get_mut(intent_id) {
            let attempt = format!("ch_{}_{}", intent_id, intent.attempts);
            intent.declined = Some((attempt, "insufficient_funds".to_owned()));
            intent.status = IntentStatus::RequiresPaymentMethod;
        }
        self.tell_intent("payment_intent.payment_failed", intent_id);
    }

    fn settle(&mut self) {
        let now = now_ms();
        for intent in self.intents.values_mut() {
            intent.charges.remove(SECOND_CHARGE);
        }
        let due: Vec<(String, bool)> = self
            .intents
            .iter_mut()
            .filter_map(|(id, intent)| {
                let (at, paid) = intent.settles?;
                (at <= now).then(|| {
                    intent.settles = None;
                    (id.clone(), paid)
                })
            })
            .collect();
        for (id, paid) in due {
            if paid {
                self.pay(&id);
            } else {
                self.decline(&id);
            }
        }
        let slow: Vec<String> = self
            .refunds
            .iter()
            .filter(|(_, refund)| refund.status == GatewayRefundStatus::Pending && refund.settles_ms <= now)
            .map(|(id, _)| id.clone())
            .collect();
        for id in slow {
            if let Some(refund) = self.refunds.get_mut(&id) {
                refund.status = GatewayRefundStatus::Succeeded;
            }
            self.tell_refund(&id);
        }
    }

    /// What of an intent went back or is on its way.
    pub(crate) fn returned(&self, intent_id: &str) -> u64 {
        self.refunds
            .values()
            .filter(|refund| refund.request.intent_id == intent_id)
            .filter(|refund| refund.status != GatewayRefundStatus::Failed)
            .map(|refund| refund.request.amount_minor)
            .sum()
    }

    pub(crate) fn captured(&self, payment_id: PaymentId) -> u64 {
        self.intents
            .values()
            .filter(|intent| intent.request.payment_id == payment_id)
            .flat_map(|intent| intent.charges.values())
            .sum()
    }

    fn tell_intent(&mut self, kind: &str, id: &str) {
        let Some(intent) = self.intents.get(id) else {
            return;
        };
        let charge = intent.charges.iter().next_back();
        let declined = intent.declined.as_ref().filter(|_| charge.is_none());
        let object = json!({
            "id": id,
            "amount": intent.request.amount.amount_minor,
            "amount_received": intent.charges.values().sum::<u64>(),
            "status": intent.status,
            "latest_charge": charge.map(|(id, _)| json!({ "id": id })),
            "last_payment_error": declined.map(|(charge, code)| json!({ "charge": charge, "decline_code": code })),
            "metadata": { "payment_id": intent.request.payment_id, "subject": intent.request.subject },
        });
        self.tell(kind, &object);
    }

    fn tell_refund(&mut self, id: &str) {
        let Some(refund) = self.refunds.get(id) else {
            return;
        };
        let request = &refund.request;
        let object = json!({
            "id": id,
            "amount": request.amount_minor,
            "status": refund.status,
            "metadata": {
                "payment_id": request.payment_id, "subject": request.subject, "refund_id": request.refund_id,
            },
        });
        self.tell("refund.updated", &object);
    }

    fn tell(&mut self, kind: &str, object: &Value) {
        let id = format!("evt_{}", self.notices.len() + 1);
        let body = json!({ "id": id, "type": kind, "data": { "object": object } }).to_string();
        self.notices.push(Notice {
            id,
            body,
            due_ms: now_ms() + fate::below(20_000).cast_signed(),
            remaining: if fate::percent(30) { 3 } else { 1 },
            is_lost: fate::percent(5),
            answered: false,
        });
    }

    /// Whether nothing of this provider's is on its way.
    pub(crate) fn is_clear(&self) -> bool {
        let told = |notice: &Notice| notice.remaining == 0 || notice.is_lost;
        self.notices.iter().all(told)
            && self.intents.values().all(|intent| intent.settles.is_none())
            && self
                .refunds
                .values()
                .all(|refund| refund.status != GatewayRefundStatus::Pending)
    }

    /// Notices that are due, in no order.
    pub(crate) fn due(&mut self) -> Vec<(usize, String)> {
        let now = now_ms();
        let mut due: Vec<(usize, String)> = self
            .notices
            .iter()
            .enumerate()
            .filter(|(_, notice)| notice.remaining > 0 && !notice.is_lost && notice.due_ms <= now)
            .map(|(place, notice)| (place, notice.body.clone()))
            .collect();
        for place in (1..due.len()).rev() {
            let other = usize::try_from(fate::below(place as u64 + 1)).unwrap_or_default();
            due.swap(place, other);
        }
        due
    }

    /// The server answered a notice, or did not.
    pub(crate) fn delivered(&mut self, place: usize, answered: bool) {
        if let Some(notice) = self.notices.get_mut(place) {
            notice.answered |= answered;
            if answered {
                notice.remaining -= 1;
            }
            notice.due_ms = now_ms() + AGAIN_MS;
        }
    }
}

fn told(id: &str, intent: &Intent) -> GatewayIntent {
    GatewayIntent {
        id: id.to_owned(),
        client_secret: format!("{id}_secret"),
        status: intent.status,
        captured: intent
            .charges
            .iter()
            .next_back()
            .map(|(charge, amount)| Captured {
                intent_id: id.to_owned(),
                charge_id: charge.clone(),
                amount_minor: *amount,
                card: None,
            }),
        declined: intent.declined.clone(),
        action_url: None,
    }
}

fn unknown() -> GatewayError {
    GatewayError::Refused("there is no such thing".to_owned())
}

impl PaymentGateway for Provider {
    fn kind(&self) -> &'static str {
        "simulated"
    }

    fn create_intent<'a>(&'a self, key: &'a str, request: &'a IntentRequest) -> Answer<'a, GatewayIntent> {
        Box::pin(self.call(key, |books| {
            let id = format!("pi_{}", books.intents.len() + 1);
            let intent = Intent {
                request: request.clone(),
                status: IntentStatus::RequiresPaymentMethod,
                charges: BTreeMap::new(),
                declined: None,
                attempts: 0,
                settles: None,
            };
            let answer = told(&id, &intent);
            books.intents.insert(id, intent);
            Ok(answer)
        }))
    }

    fn intent<'a>(&'a self, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        let key = format!("look {}", Uuid::now_v7());
        Box::pin(async move {
            self.call(&key, |books| {
                let intent = books.intents.get(intent_id).ok_or_else(unknown)?;
                Ok(told(intent_id, intent))
            })
            .await
        })
    }

    fn cancel_intent<'a>(&'a self, key: &'a str, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        Box::pin(self.call(key, |books| {
            let intent = books.intents.get_mut(intent_id).ok_or_else(unknown)?;
            match intent.status {
                IntentStatus::Succeeded | IntentStatus::Processing => Err(GatewayError::Refused(
                    "it cannot be cancelled any more".to_owned(),
                )),
                IntentStatus::RequiresPaymentMethod
                | IntentStatus::RequiresAction
                | IntentStatus::Canceled => {
                    intent.status = IntentStatus::Canceled;
                    Ok(told(intent_id, intent))
                }
            }
        }))
    }

    fn refund<'a>(&'a self, key: &'a str, request: &'a RefundRequest) -> Answer<'a, GatewayRefund> {
        Box::pin(self.call(key, |books| {
            let intent = books.intents.get(&request.intent_id).ok_or_else(unknown)?;
            let captured: u64 = intent.charges.values().sum();
            if books.returned(&request.intent_id) + request.amount_minor > captured {
                return Err(GatewayError::Refused("more than was charged".to_owned()));
            }
            let id = format!("re_{}", books.refunds.len() + 1);
            books.refunds.insert(
                id.clone(),
                Refund {
                    request: request.clone(),
                    status: GatewayRefundStatus::Pending,
                    settles_ms: now_ms() + fate::below(60_000).cast_signed(),
                },
            );
            Ok(GatewayRefund {
                id,
                amount_minor: request.amount_minor,
                status: GatewayRefundStatus::Pending,
            })
        }))
    }

    fn find_refund<'a>(&'a self, refund_id: &'a str) -> Answer<'a, GatewayRefund> {
        let key = format!("look {}", Uuid::now_v7());
        Box::pin(async move {
            self.call(&key, |books| {
                let refund = books.refunds.get(refund_id).ok_or_else(unknown)?;
                Ok(GatewayRefund {
                    id: refund_id.to_owned(),
                    amount_minor: refund.request.amount_minor,
                    status: refund.status,
                })
            })
            .await
        })
    }

    fn owner<'a>(&'a self, intent_id: &'a str) -> Answer<'a, Option<Owner>> {
        let key = format!("look {}", Uuid::now_v7());
        Box::pin(async move {
            self.call(&key, |books| {
                let intent = books.intents.get(intent_id);
                Ok(intent.map(|intent| Owner {
                    payment_id: intent.request.payment_id,
                    subject: intent.request.subject,
                }))
            })
            .await
        })
    }

    fn webhook_secrets(&self) -> Vec<&str> {
        vec![SECRET]
    }
}
