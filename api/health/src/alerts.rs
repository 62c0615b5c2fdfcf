//! What finance has to look at: told once by mail and webhook when it begins, and again only after it has cleared. Counts alone
//! leave this server, nothing of a person.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::id::PaymentId;
use domain::language::Language;
use domain::moment::Moment;
use domain::payment::Payment;
use messages::{Channel, Message, Outbox, delivery};
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;
use platform::duty::{Duty, ours};
use platform::texts::text;
use processes::message_language::find_address_language;
use processes::reconciliation;
use projections::payment_audit::{self, AuditFilter, instant};
use projections::payment_page;
use projections::provider_account::query;
use records::Records;
use reqwest::Client;
use reqwest::redirect::Policy;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::integrity::ChainCheck;

/// How often it is looked for.
const EVERY: Duration = Duration::from_secs(15);
/// How long the webhook may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Failed refunds and waiting notices that are counted; more are as many.
const COUNTED: u64 = 500;
/// How long before a bank's deadline finance is told.
const DEADLINE_SOON: TimeDelta = TimeDelta::hours(48);
/// How long a payment that could not be begun, or a refused mail, is news.
const RECENT: TimeDelta = TimeDelta::hours(1);
/// So many mails that are refused one after the other are an alert.
const REFUSED_IN_A_ROW: i64 = 3;

/// How finance is told: each way on its own, so that one that fails holds up no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Mail,
    Webhook,
}

impl Way {
    /// Under which name the desk keeps what was told.
    const fn note(self) -> &'static str {
        match self {
            Self::Mail => "finance_alerts",
            Self::Webhook => "finance_alerts_posted",
        }
    }
}

/// What may need finance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// Refunds that the gateway could not pay out.
    FailedRefunds,
    /// The hash chain of the log does not hold.
    BrokenChain,
    /// Notices that name no payment of ours.
    UnknownNotices,
    /// Notices that name a payment of ours and do not fit it.
    MisfitNotices,
    /// Payments that are processing for too long.
    StuckPayments,
    /// The reconciliation has exceptions.
    RedReconciliation,
    /// A bank takes an answer to a dispute for less than two days more, or took none in time.
    DisputeDeadlines,
    /// Payments that could not be begun: the gateway refused, or did not answer.
    PaymentsRefused,
    /// Mail servers refuse one mail after the other.
    MailsRefused,
    /// Scheduled feeds that cannot be fetched or taken in.
    FeedsFailed,
}

impl AlertKind {
    pub const ALL: [Self; 10] = [
        Self::FailedRefunds,
        Self::BrokenChain,
        Self::UnknownNotices,
        Self::MisfitNotices,
        Self::StuckPayments,
        Self::RedReconciliation,
        Self::DisputeDeadlines,
        Self::PaymentsRefused,
        Self::MailsRefused,
        Self::FeedsFailed,
    ];

    /// The word that travels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FailedRefunds => "failed_refunds",
            Self::BrokenChain => "broken_chain",
            Self::UnknownNotices => "unknown_notices",
            Self::MisfitNotices => "misfit_notices",
            Self::StuckPayments => "stuck_payments",
            Self::RedReconciliation => "red_reconciliation",
            Self::DisputeDeadlines => "dispute_deadlines",
            Self::PaymentsRefused => "payments_refused",
            Self::MailsRefused => "mails_refused",
            Self::FeedsFailed => "feeds_failed",
        }
    }

    /// Says in a language how many there are and what of.
    fn write_sentence(self, lang: Language, count: u64) -> String {
        let key = format!("mail.alert_{}", self.name());
        text(lang, &key, &[("n", &count.to_string())])
    }

    /// The page of the workspace on which it is dealt with.
    const fn page(self) -> &'static str {
        match self {
            Self::UnknownNotices | Self::MisfitNotices => "/workspace/provider",
            Self::BrokenChain | Self::PaymentsRefused | Self::MailsRefused | Self::FeedsFailed => {
                "/workspace/health"
            }
            Self::RedReconciliation => "/workspace/reconciliation",
            Self::FailedRefunds | Self::StuckPayments | Self::DisputeDeadlines => "/workspace/finance",
        }
    }
}

/// Something that needs finance now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alert {
    pub kind: AlertKind,
    pub count: u64,
}

/// Why it could not be looked for or told.
#[derive(Debug, thiserror::Error)]
pub enum AlertError {
    #[error("the tables cannot be read or written: {0}")]
    Tables(#[from] sqlx::Error),
    #[error(transparent)]
    Log(#[from] eventlog::LogError),
    #[error(transparent)]
    Records(#[from] records::error::RecordsError),
    #[error("the webhook of `alert_url` does not answer")]
    Webhook,
}

/// Lists what needs finance, as the read models stand.
///
/// # Errors
/// When the read models or the log cannot be read.
pub async fn standing(
    records: &Records,
    settings: &Settings,
    chain: &ChainCheck,
    now: Moment,
) -> Result<Vec<Alert>, AlertError> {
    let pool = records.read.readers();
    let since = instant(now - TimeDelta::minutes(settings.minutes_until_stuck()));
    let run = reconciliation::run(pool, &records.log, settings, now).await?;
    let waiting = query::notices(pool, true, COUNTED).await?;
    let misfits = waiting.iter().filter(|notice| notice.names_payment()).count();
    let counts = [
        (AlertKind::FailedRefunds, failed_refunds(records).await?),
        (AlertKind::BrokenChain, chain.known().0.len() as u64),
        (AlertKind::UnknownNotices, (waiting.len() - misfits) as u64),
        (AlertKind::MisfitNotices, misfits as u64),
        (
            AlertKind::StuckPayments,
            payment_audit::stuck(pool, &since).await?.cast_unsigned(),
        ),
        (AlertKind::RedReconciliation, run.exceptions.len() as u64),
        (
            AlertKind::DisputeDeadlines,
            dispute_deadlines(records, now).await?,
        ),
        (
            AlertKind::PaymentsRefused,
            payment_page::count_not_begun(pool, &instant(now - RECENT))
                .await?
                .cast_unsigned(),
        ),
        (AlertKind::MailsRefused, count_refused_mails(settings, now).await?),
        (
            AlertKind::FeedsFailed,
            fetching::state::count_failing(&settings.place())
                .await?
                .cast_unsigned(),
        ),
    ];
    let alert = |(kind, count): (AlertKind, u64)| (count > 0).then_some(Alert { kind, count });
    Ok(counts.into_iter().filter_map(alert).collect())
}

/// Single refusals are mistyped addresses: several without a mail that went out since are the mail server's doing.
async fn count_refused_mails(settings: &Settings, now: Moment) -> Result<u64, AlertError> {
    let refused = delivery::count_refused_in_a_row(&settings.place(), &instant(now - RECENT)).await?;
    Ok(if refused < REFUSED_IN_A_ROW {
        0
    } else {
        refused.cast_unsigned()
    })
}

async fn dispute_deadlines(records: &Records, now: Moment) -> Result<u64, AlertError> {
    let mut count = 0;
    for id in payment_audit::open_disputes(records.read.readers(), COUNTED).await? {
        let payment = records.log.load::<Payment>(id).await?.state;
        count += payment.disputes_due_before(now + DEADLINE_SOON) as u64;
    }
    Ok(count)
}

async fn failed_refunds(records: &Records) -> Result<u64, AlertError> {
    let filter = AuditFilter {
        kind: Some("refund_failed".to_owned()),
        ..AuditFilter::default()
    };
    let failed = payment_audit::page(records.read.readers(), &filter, COUNTED, 0).await?;
    let payments: BTreeSet<PaymentId> = failed
        .iter()
        .filter_map(|row| row.payment_id.parse().ok())
        .collect();
    let mut count = 0;
    for id in payments {
        count += records.log.load::<Payment>(id).await?.state.stranded().len() as u64;
    }
    Ok(count)
}

/// What tells of alerts.
pub struct AlertWatch {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub chain: Arc<ChainCheck>,
    pub desk: Desk,
    pub outbox: Outbox,
}

impl AlertWatch {
    /// Looks again and again until `stop` is set, while no other node does.
    pub async fn keep_watching(self, duty: Duty, mut stop: watch::Receiver<bool>) {
        // Two providers of cryptography are linked; reqwest takes the one of the process. Set already, it stays.
        let _set_before = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(PATIENCE)
            .build();
        let Ok(client) = client else {
            tracing::error!("finance is told of nothing: TLS cannot be used");
            return;
        };
        let mut held = duty.watch();
        while ours(&mut held, &mut stop).await {
            if let Err(error) = self.look(&client).await {
                tracing::warn!(%error, "finance could not be told of what needs it; trying again");
            }
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
        }
    }

    /// Shows what needs finance now, and tells of what began in each way.
    async fn look(&self, client: &Client) -> Result<(), AlertError> {
        let now = clock::now();
        let found = standing(&self.records, &self.settings, &self.chain, now).await?;
        for kind in AlertKind::ALL {
            let count = found.iter().find(|alert| alert.kind == kind);
            #[expect(clippy::cast_precision_loss, reason = "a gauge holds floating point")]
            let shown = count.map_or(0.0, |alert| alert.count as f64);
            metrics::gauge!("latchkey_finance_alert", "kind" => kind.name()).set(shown);
        }
        let since = instant(now);
        let mailed = self.tell_new(Way::Mail, client, &found, &since).await;
        let posted = self.tell_new(Way::Webhook, client, &found, &since).await;
        mailed.and(posted)
    }

    /// Tells what began since the last look; what has cleared is forgotten, so that it is told when it comes again.
    async fn tell_new(
        &self,
        way: Way,
        client: &Client,
        found: &[Alert],
        since: &str,
    ) -> Result<(), AlertError> {
        let told = self.desk.note(way.note()).await?.unwrap_or_default();
        let mut told: BTreeMap<AlertKind, String> = serde_json::from_str(&told).unwrap_or_default();
        let before = told.clone();
        told.retain(|kind, _| found.iter().any(|alert| alert.kind == *kind));
        if way == Way::Mail {
            for kind in before.keys().filter(|kind| !told.contains_key(kind)) {
                let named = format!("finance_alert:{}:", kind.name());
                self.outbox.drop_named(&named, "it has cleared").await?;
            }
        }
        for alert in found {
            // Noted once it was told: told twice is better than never.
            let Entry::Vacant(place) = told.entry(alert.kind) else {
                continue;
            };
            match way {
                Way::Mail => self.mail(*alert, since).await?,
                Way::Webhook => self.post(client, *alert, since).await?,
            }
            place.insert(since.to_owned());
            self.note(way, &told).await?;
        }
        if told != before {
            self.note(way, &told).await?;
        }
        Ok(())
    }

    async fn note(&self, way: Way, told: &BTreeMap<AlertKind, String>) -> Result<(), AlertError> {
        let text = serde_json::to_string(told).unwrap_or_default();
        Ok(self.desk.set_note(way.note(), &text).await?)
    }

    /// The page on which an alert is dealt with.
    fn link(&self, alert: Alert) -> String {
        format!("{}{}", self.settings.public_url(), alert.kind.page())
    }

    /// Posts an alert to the webhook; one that does not take it is tried again at the next look.
    async fn post(&self, client: &Client, alert: Alert, since: &str) -> Result<(), AlertError> {
        let Some(url) = &self.settings.alert_url else {
            return Ok(());
        };
        // A webhook has no reader's language.
        let sentence = alert.kind.write_sentence(Language::default(), alert.count);
        let text = format!("{sentence}: {}", self.link(alert));
        let body = serde_json::json!({
            "text": text, "kind": alert.kind.name(), "count": alert.count, "since": since
        });
        let sent = client.post(&url.0).json(&body).send().await;
        // The address holds a secret: the error, which names it, is not shown.
        let is_taken = sent.is_ok_and(|answer| answer.status().is_success());
        is_taken.then_some(()).ok_or(AlertError::Webhook)
    }

    /// Writes an alert to the log output and to finance. The mail is the same one within a minute.
    async fn mail(&self, alert: Alert, since: &str) -> Result<(), AlertError> {
        let (kind, place) = (alert.kind.name(), self.link(alert));
        tracing::warn!(
            alert.kind = kind,
            alert.count = alert.count,
            "finance has to look at something"
        );
        let recipient = self.settings.finance_email.trim();
        if recipient.is_empty() {
            return Ok(());
        }
        let lang = find_address_language(&self.records.log, recipient).await?;
        let sentence = alert.kind.write_sentence(lang, alert.count);
        let minute = since.get(..16).unwrap_or(since);
        let message = Message {
            key: format!("finance_alert:{kind}:{minute}"),
            kind: "finance_alert",
            channel: Channel::Email,
            recipient,
            lang,
            values: &[("what", sentence.as_str()), ("link", place.as_str())],
            code: None,
            picture: None,
            unsubscribe: None,
            site: None,
            effect: None,
        };
        self.outbox.hand_in(&[message]).await?;
        Ok(())
    }
}
