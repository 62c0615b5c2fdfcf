//! What the log holds against a dispute: each line with the event that says it, under the names that Stripe gives to evidence, and as
//! a PDF for a bank. Only the kinds of events that `evidence/disclosed.rs` lists leave the house, and of them no act of staff in the
//! payer's name, no line that finance struck from this dispute and none that came after what finance saw. Addresses stay masked, as
//! everywhere in finance; the payer is named, as on the receipt. The words of the terms are those that were accepted.

use std::sync::Arc;

use chrono::SecondsFormat;
use domain::id::{PaymentId, UserId};
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::money::Money;
use domain::payment::Payment;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::evidence::Evidence as Noted;
use domain::payment::terms::Terms;
use gateway::evidence::StripeEvidence;
use pdf::PdfError;
use platform::config::Settings;
use platform::forms::forms_of;
use platform::{clock, days, terms_of_use};
use projections::lead_timeline::query::{TimelineRow, history};
use projections::listing_name;
use projections::payment_audit::{instant, reference};
use records::Records;
use records::error::RecordsError;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accepted_terms;

mod continuity;
mod disclosed;
mod paper;
mod sentence;

use continuity::History;
use disclosed::{Field, field_of};

/// Everything that answers a dispute.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DisputeEvidence)]
pub struct Evidence {
    pub payment_id: String,
    pub reference: String,
    /// The dispute that `evidence` and `lines` answer: the one that was asked for, else the first of `disputes`.
    pub dispute_id: String,
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
    /// Member of staff who pressed Send, and when.
    pub asked_by: Option<String>,
    pub asked_at: Option<String>,
    pub sent_at: Option<String>,
    /// How many lines finance struck from what it sent.
    pub struck: usize,
    /// How many lines came after those that finance saw, until it was sent: the bank did not get them.
    pub came_since: usize,
    /// Why the gateway did not take it.
    pub refused: Option<String>,
    /// True where finance may send it now.
    pub can_send: bool,
    /// The lines that answer this dispute: those that were sent, or are being sent; before that every line.
    pub lines: Vec<EvidenceLine>,
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

/// Which lines of the evidence the bank gets in answer to one dispute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Events whose lines finance struck.
    pub struck: Vec<Uuid>,
    /// Event of the last line that finance saw; `None` takes every line.
    pub last_seen: Option<Uuid>,
}

impl Choice {
    /// Reads the choice with which finance pressed Send.
    pub fn read(noted: &Noted) -> Self {
        Self {
            struck: noted.struck.clone(),
            last_seen: noted.last_seen,
        }
    }

    /// Finds the choice of evidence that is on its way to the bank, or was sent.
    fn find_sent(noted: Option<&Noted>) -> Option<Self> {
        let sent = noted.filter(|noted| noted.is_being_sent() || noted.sent_at.is_some());
        sent.map(Self::read)
    }
}

/// How much of the history the evidence for a dispute is cut from.
#[derive(Clone, Copy)]
enum Cut<'c> {
    /// Every line until now, also those that were struck.
    Every,
    /// Until now: as it was sent, before that by this choice.
    Now(&'c Choice),
    /// As it stood at an event, by this choice.
    At(Uuid, &'c Choice),
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

    /// The evidence for a dispute as it stands now: once it is sent, what was sent; before that, what this choice would send.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn now(
        &self,
        payment_id: PaymentId,
        dispute_id: Option<&str>,
        choice: &Choice,
    ) -> Result<Evidence, EvidenceError> {
        self.records.heard().await?;
        self.gather(payment_id, dispute_id, Cut::Now(choice)).await
    }

    /// The evidence as it stands now with every line, also those that were struck or came after what finance saw.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn with_every_line(
        &self,
        payment_id: PaymentId,
        dispute_id: Option<&str>,
    ) -> Result<Evidence, EvidenceError> {
        self.records.heard().await?;
        self.gather(payment_id, dispute_id, Cut::Every).await
    }

    /// The evidence for one dispute as it stood at an event, with the lines of a choice, and the same as a paper: made again later, both
    /// are the same.
    ///
    /// # Errors
    /// Why there is none; [`RecordsError::Behind`] while the read models have not folded the event.
    pub async fn at(
        &self,
        payment_id: PaymentId,
        dispute_id: &str,
        (event_id, choice): (Uuid, &Choice),
    ) -> Result<(Evidence, Vec<u8>), EvidenceError> {
        self.records.hear_all().await?;
        let cut = Cut::At(event_id, choice);
        let evidence = self.gather(payment_id, Some(dispute_id), cut).await?;
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
        paper::write(evidence, &self.settings.seller(), at)
    }

    async fn gather(
        &self,
        payment_id: PaymentId,
        dispute_id: Option<&str>,
        cut: Cut<'_>,
    ) -> Result<Evidence, EvidenceError> {
        let pool = self.records.read.readers();
        let loaded = self.records.log.load::<Payment>(payment_id).await;
        let payment = loaded.map_err(RecordsError::from)?.state;
        let terms = payment.terms.clone().ok_or(EvidenceError::NoPayment)?;
        let dispute_id = find_dispute(&payment, dispute_id)?;
        let home = listing_name::find(pool, &terms.inventory_root_id.to_string()).await;
        let home = home.map_err(RecordsError::from)?.map(|home| home.property);
        let home = home.unwrap_or_default();
        let rows = history(pool, terms.lead_id).await.map_err(RecordsError::from)?;
        let rows: Vec<&TimelineRow> = rows.iter().map(|placed| &placed.row).collect();
        let lead = self.records.log.load::<Lead>(terms.lead_id).await;
        let lead = lead.map_err(RecordsError::from)?.state;
        let sent_from = lead.submission.as_ref().and_then(|sent| sent.device);
        let told = History {
            rows,
            payment_id: payment_id.to_string(),
            devices: sent_from.zip(payment.device),
        };
        let lines = told.cut_lines(cut, payment.evidence.get(&dispute_id))?;
        let own = accepted_terms::read_own(&self.records.log, terms.terms_of_use.as_deref()).await;
        let own = own.map_err(RecordsError::from)?;
        let customer_name = lead.personal.map(|person| person.name.as_str().to_owned());
        Ok(Evidence {
            payment_id: payment_id.to_string(),
            reference: reference(payment_id),
            dispute_id,
            disputes: list_disputes(&payment, &terms, &told)?,
            evidence: StripeEvidence {
                customer_name,
                ..fields(&self.settings, (&terms, own.as_deref()), &home, &lines)
            },
            lines,
            terms_of_use: terms.terms_of_use,
        })
    }
}

/// Finds the dispute that is asked for, else the first one.
fn find_dispute(payment: &Payment, dispute_id: Option<&str>) -> Result<String, EvidenceError> {
    let found = match dispute_id {
        Some(dispute_id) => payment.disputes.get_key_value(dispute_id),
        None => payment.disputes.first_key_value(),
    };
    let found = found.map(|(dispute_id, _)| dispute_id.clone());
    found.ok_or(EvidenceError::NoDispute)
}

fn list_disputes(
    payment: &Payment,
    terms: &Terms,
    whole: &History<'_>,
) -> Result<Vec<DisputeLine>, RecordsError> {
    let shown = |minor| {
        let money = Money::new(minor, terms.quote.currency);
        forms_of(Language::default()).write_books_money(&money.decimal(), money.currency.code())
    };
    let told = |at: Moment| at.to_rfc3339_opts(SecondsFormat::Micros, true);
    let now = clock::now();
    let each = payment.disputes.iter().map(|(id, dispute)| {
        let noted = payment.evidence.get(id);
        let lines = whole.cut_lines(Cut::Now(&Choice::default()), noted)?;
        let came_since = whole.count_later(noted, lines.len())?;
        let evidence = noted.cloned().unwrap_or_default();
        let (asked_by, asked_at): (Option<UserId>, Option<Moment>) = evidence.asked.unzip();
        let is_late = evidence.is_late(now);
        Ok(DisputeLine {
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
            came_since,
            refused: evidence.refused,
            lines,
        })
    });
    each.collect()
}

fn fields(
    settings: &Settings,
    (terms, own): (&Terms, Option<&str>),
    home: &str,
    lines: &[EvidenceLine],
) -> StripeEvidence {
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
        refund_policy: accepted(settings, (terms, own), "legal.terms_4_text"),
        refund_policy_disclosure: disclosed(settings, (terms, own)),
        refund_refusal_explanation: of(Field::Refunds),
        uncategorized_text: of(Field::Other),
    }
}

/// A text of the terms in the words of the version that the payer accepted; the whole terms where the house wrote them.
fn accepted(settings: &Settings, (terms, own): (&Terms, Option<&str>), key: &str) -> String {
    let shipped = || terms_of_use::wording(terms.terms_of_use.as_deref(), Language::default(), key);
    let text = own.map(str::to_owned).or_else(shipped);
    let address = settings.seller_address_now();
    let address: Vec<&str> = address.lines().map(str::trim).collect();
    let values = [
        ("{brand}", settings.brand_name_now()),
        (
            "{hold}",
            days::lasting(Language::default(), settings.hold_seconds),
        ),
        ("{seller}", settings.seller()),
        ("{seller_address}", address.join(", ")),
        (
            "{support_email}",
            settings.support_email_now().unwrap_or_default(),
        ),
    ];
    let fill = |text: String, (name, value): (&str, String)| text.replace(name, &value);
    values.into_iter().fold(text.unwrap_or_default(), fill)
}

/// What was shown before paying, in which version and language, and when.
fn disclosed(settings: &Settings, (terms, own): (&Terms, Option<&str>)) -> String {
    let version = terms.terms_of_use.as_deref();
    let version = version.map_or(String::new(), |version| {
        // Terms that the house wrote in another language than the payer's are shown in theirs.
        let lang = accepted_terms::find_language(version).or(terms.language);
        let lang = lang.unwrap_or_default().code();
        format!(" Terms of use of {version}, shown in the language {lang}.")
    });
    // The whole of terms that the house wrote stands as the policy.
    let clause = match own {
        Some(_) => String::new(),
        None => accepted(settings, (terms, None), "legal.terms_3_text"),
    };
    format!(
        "{clause}{version} Every line of the price was shown before paying, at {}.",
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
