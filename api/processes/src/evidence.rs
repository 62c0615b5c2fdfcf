//! What the log holds against a dispute: each line with the event that says it, under the names that Stripe gives to evidence, and as
//! a PDF for a bank. Only the kinds of events that `evidence/disclosed.rs` lists leave the house, and of them no act of staff in the
//! payer's name and no line that finance struck. Addresses stay masked, as everywhere in finance; the payer is named, as on the receipt.
//! The words of the terms are those that were accepted.

use std::sync::Arc;

use chrono::SecondsFormat;
use domain::id::{PaymentId, UserId};
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::money::Money;
use domain::payment::Payment;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::terms::Terms;
use gateway::evidence::StripeEvidence;
use pdf::PdfError;
use platform::config::Settings;
use platform::{clock, days, terms_of_use};
use projections::lead_timeline::query::history;
use projections::listing_name;
use projections::payment_audit::{instant, reference};
use records::Records;
use records::error::RecordsError;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

mod continuity;
mod disclosed;
mod paper;
mod sentence;

use continuity::History;
use disclosed::{Field, field_of};
use sentence::Sentences;

/// Everything that answers a dispute.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DisputeEvidence)]
pub struct Evidence {
    pub payment_id: String,
    pub reference: String,
    pub disputes: Vec<DisputeLine>,
    /// Under Stripe's names (<https://docs.stripe.com/api/disputes/evidence_object>).
    pub evidence: StripeEvidence,
    /// Every event of the booking that the fields rest on, in order.
    pub lines: Vec<EvidenceLine>,
    /// The version of the terms of use that the payer accepted; null for payments of before versions were recorded.
    pub terms_of_use: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EvidenceDispute)]
pub struct DisputeLine {
    pub id: String,
    pub amount: String,
    /// `open`, `won` or `lost`.
    pub outcome: &'static str,
    /// When the pack was laid with the gateway.
    pub laid_at: Option<String>,
    /// Until when the bank takes an answer.
    pub due_by: Option<String>,
    /// The deadline is over, by the server's clock.
    pub is_late: bool,
    /// Who pressed Send, and when.
    pub asked_by: Option<String>,
    pub asked_at: Option<String>,
    pub sent_at: Option<String>,
    /// How many lines finance struck from what it sent.
    pub struck: usize,
    /// Why the gateway did not take it.
    pub refused: Option<String>,
    /// Whether finance may send it now.
    pub can_send: bool,
}

/// One thing that happened.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EvidenceLine {
    pub at: String,
    pub text: String,
    /// The event that says so: `latchkey prove POSITION` proves it.
    pub event_id: String,
    pub position: i64,
    #[serde(rename = "type")]
    pub kind: String,
}

/// Why there is no evidence.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error("there is no such payment")]
    NoPayment,
    #[error("no bank disputes this payment")]
    NoDispute,
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error("the paper cannot be written: {0}")]
    Paper(#[from] PdfError),
}

/// Gathers evidence; cheap to clone.
#[derive(Clone)]
pub struct EvidenceOffice {
    records: Records,
    settings: Arc<Settings>,
}

impl EvidenceOffice {
    /// Of the services that the evidence is read from.
    pub fn new(records: &Records, settings: &Arc<Settings>) -> Self {
        Self {
            records: records.clone(),
            settings: settings.clone(),
        }
    }

    /// The evidence as it stands now; once it is sent, without the lines that were struck.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn now(&self, payment_id: PaymentId) -> Result<Evidence, EvidenceError> {
        self.records.heard().await?;
        self.gather(payment_id, None, None).await
    }

    /// The evidence as it stands now with every line, also those that were struck.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn with_struck_lines(&self, payment_id: PaymentId) -> Result<Evidence, EvidenceError> {
        self.records.heard().await?;
        self.gather(payment_id, None, Some(&[])).await
    }

    /// The evidence for one dispute as it stood at an event, without the lines that were struck, and the same as a paper: made again
    /// later, both are the same.
    ///
    /// # Errors
    /// Why there is none; [`RecordsError::Behind`] while the read models have not folded the event.
    pub async fn at(
        &self,
        payment_id: PaymentId,
        event_id: Uuid,
        struck: &[Uuid],
    ) -> Result<(Evidence, Vec<u8>), EvidenceError> {
        self.records.hear_all().await?;
        let evidence = self.gather(payment_id, Some(event_id), Some(struck)).await?;
        let last = evidence.lines.last();
        let at = last
            .and_then(|line| line.at.parse::<Moment>().ok())
            .unwrap_or_default();
        let office = self.clone();
        // Fonts are cut and pages compressed: off the threads that answer.
        let written = tokio::task::spawn_blocking(move || {
            let paper = office.paper(&evidence, at)?;
            Ok::<_, PdfError>((evidence, paper))
        });
        let written = written
            .await
            .map_err(|error| PdfError::Writing(error.to_string()))?;
        Ok(written?)
    }

    /// The evidence as a PDF that says it was made at that moment.
    ///
    /// # Errors
    /// When the library refuses it.
    pub fn paper(&self, evidence: &Evidence, at: Moment) -> Result<Vec<u8>, PdfError> {
        paper::write(evidence, self.settings.seller(), at)
    }

    async fn gather(
        &self,
        payment_id: PaymentId,
        until: Option<Uuid>,
        struck: Option<&[Uuid]>,
    ) -> Result<Evidence, EvidenceError> {
        let pool = self.records.read.readers();
        let loaded = self.records.log.load::<Payment>(payment_id).await;
        let payment = loaded.map_err(RecordsError::from)?.state;
        let terms = payment.terms.clone().ok_or(EvidenceError::NoPayment)?;
        if payment.disputes.is_empty() {
            return Err(EvidenceError::NoDispute);
        }
        let home = listing_name::find(pool, &terms.inventory_root_id.to_string()).await;
        let home = home.map_err(RecordsError::from)?.map(|home| home.property);
        let home = home.unwrap_or_default();
        let rows = history(pool, terms.lead_id).await.map_err(RecordsError::from)?;
        let last = match until {
            None => i64::MAX,
            Some(event_id) => {
                let event_id = event_id.to_string();
                let found = rows.iter().find(|placed| placed.row.event_id == event_id);
                found.ok_or(RecordsError::Behind)?.row.position
            }
        };
        let sentences = Sentences::english();
        let struck = struck.map_or_else(|| struck_when_sent(&payment), <[Uuid]>::to_vec);
        let lead = self.records.log.load::<Lead>(terms.lead_id).await;
        let lead = lead.map_err(RecordsError::from)?.state;
        let sent_from = lead.submission.as_ref().and_then(|sent| sent.device);
        let told = History {
            rows: rows.iter().map(|placed| &placed.row).collect(),
            struck: struck.iter().map(Uuid::to_string).collect(),
            payment_id: payment_id.to_string(),
            devices: sent_from.zip(payment.device),
        };
        let lines = told.lines(&sentences, last);
        let customer_name = lead.personal.map(|person| person.name.as_str().to_owned());
        Ok(Evidence {
            payment_id: payment_id.to_string(),
            reference: reference(payment_id),
            disputes: disputes(&payment, &terms),
            evidence: StripeEvidence {
                customer_name,
                ..fields(&self.settings, &terms, &home, &lines)
            },
            lines,
            terms_of_use: terms.terms_of_use,
        })
    }
}

/// What finance struck from what is on its way to the bank, or was sent.
fn struck_when_sent(payment: &Payment) -> Vec<Uuid> {
    let evidence = payment.evidence.values();
    let sent = evidence.filter(|evidence| evidence.is_being_sent() || evidence.sent_at.is_some());
    sent.flat_map(|evidence| evidence.struck.iter().copied())
        .collect()
}

fn disputes(payment: &Payment, terms: &Terms) -> Vec<DisputeLine> {
    let shown = |minor| {
        let money = Money::new(minor, terms.quote.currency);
        format!("{} {}", money.currency.code(), money.decimal())
    };
    let told = |at: Moment| at.to_rfc3339_opts(SecondsFormat::Micros, true);
    let now = clock::now();
    let each = payment.disputes.iter().map(|(id, dispute)| {
        let evidence = payment.evidence.get(id).cloned().unwrap_or_default();
        let (asked_by, asked_at): (Option<UserId>, Option<Moment>) = evidence.asked.unzip();
        let is_late = evidence.is_late(now);
        DisputeLine {
            id: id.clone(),
            amount: shown(dispute.amount_minor),
            outcome: match dispute.outcome {
                None => "open",
                Some(DisputeOutcome::Won) => "won",
                Some(DisputeOutcome::Lost) => "lost",
            },
            can_send: dispute.outcome.is_none()
                && evidence.sent_at.is_none()
                && !evidence.is_being_sent()
                && !is_late,
            laid_at: evidence.laid_at.map(told),
            due_by: evidence.due_by.map(told),
            is_late,
            asked_by: asked_by.map(|by| by.to_string()),
            asked_at: asked_at.map(told),
            sent_at: evidence.sent_at.map(told),
            struck: evidence.struck.len(),
            refused: evidence.refused,
        }
    });
    each.collect()
}

fn fields(settings: &Settings, terms: &Terms, home: &str, lines: &[EvidenceLine]) -> StripeEvidence {
    let of = |field| told(lines, move |line| field_of(&line.kind) == Some(field));
    let stay = terms.stay();
    let due = terms
        .quote
        .lines
        .iter()
        .map(|line| line.kind.code().replace('_', " "));
    StripeEvidence {
        access_activity_log: of(Field::Activity),
        customer_name: None,
        customer_communication: of(Field::Communication),
        product_description: format!(
            "Student room at {home}, {} {} from {}; paid: {}",
            stay.length.duration,
            stay.length.unit.key(),
            stay.move_in,
            due.collect::<Vec<_>>().join(", ")
        ),
        service_date: stay.move_in.to_string(),
        refund_policy: accepted(settings, terms, "legal.terms_4_text"),
        refund_policy_disclosure: disclosed(settings, terms),
        refund_refusal_explanation: of(Field::Refunds),
        uncategorized_text: of(Field::Other),
    }
}

/// A text of the terms in the words of the version that the payer accepted.
fn accepted(settings: &Settings, terms: &Terms, key: &str) -> String {
    let text = terms_of_use::wording(terms.terms_of_use.as_deref(), Language::En, key);
    let hold = days::lasting(Language::En, settings.hold_seconds);
    let text = text.unwrap_or_default().replace("{brand}", &settings.brand_name);
    text.replace("{hold}", &hold)
}

/// What was shown before paying, in which version and language, and when.
fn disclosed(settings: &Settings, terms: &Terms) -> String {
    let version = terms.terms_of_use.as_deref();
    let version = version.map_or(String::new(), |version| {
        let lang = terms.language.unwrap_or_default().code();
        format!(" Terms of use of {version}, shown in the language {lang}.")
    });
    format!(
        "{}{version} Every line of the price was shown before paying, at {}.",
        accepted(settings, terms, "legal.terms_3_text"),
        to_the_second(&instant(terms.opened_at))
    )
}

/// A stored instant as a reader takes it in.
fn to_the_second(at: &str) -> String {
    at.get(..19).map_or_else(
        || at.to_owned(),
        |seconds| format!("{} UTC", seconds.replace('T', " ")),
    )
}

fn told(lines: &[EvidenceLine], is_meant: impl Fn(&EvidenceLine) -> bool) -> String {
    let lines = lines.iter().filter(|line| is_meant(line));
    let lines = lines.map(|line| {
        format!(
            "{}  {}  [event {} at {}]",
            to_the_second(&line.at),
            line.text,
            line.event_id,
            line.position
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
