//! Answers that are late: enquiries and conversations whose time for an answer is over (rule D138). Each raises one mail: to its owner,
//! in their language, else to the desk's address, in the site's default. The mail's key is made from the lead or the case and its due
//! moment, so that it goes out once.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use domain::case::{CaseStatus, CaseTopic};
use domain::id::UserId;
use domain::language::Language;
use domain::user::User;
use messages::{Channel, Message, Outbox};
use platform::clock;
use platform::config::Settings;
use platform::duty::{Duty, ours};
use platform::texts::text;
use projections::case_board::{self, CaseFilter};
use projections::lead_board::attention::{Attention, DeskTime};
use projections::lead_board::query::{self, Filter};
use records::Records;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::message_language::find_address_language;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_secs(2);
/// What has been late for longer raised its mail while it was not: a first start on an old log sends no mail.
const STILL_NEWS: TimeDelta = TimeDelta::hours(24);
/// Late answers that one look takes; the next look takes the rest.
const AT_ONCE: u64 = 100;

/// What a late answer is about.
struct Late {
    /// Of the mail.
    key: String,
    about: About,
    owner: Option<UserId>,
    link: String,
}

/// What waits for its answer.
enum About {
    /// An enquiry, with its reference.
    Lead(String),
    Case(CaseTopic),
}

impl About {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Lead(_) => "late_lead",
            Self::Case(_) => "late_case",
        }
    }

    /// What the mail calls it.
    fn reference(&self, language: Language) -> String {
        match self {
            Self::Lead(reference) => reference.clone(),
            Self::Case(topic) => text(language, &format!("desk.topic_{}", topic.key()), &[]),
        }
    }
}

/// To whom the mail goes.
struct Recipient {
    address: String,
    language: Language,
}

/// Looks for late answers; cheap to clone.
#[derive(Clone)]
pub struct LateAnswers {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub outbox: Outbox,
}

/// How many enquiries and conversations are late now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateCounts {
    pub leads: u64,
    pub cases: u64,
}

fn late_cases(now: DateTime<Utc>) -> CaseFilter {
    CaseFilter {
        status: Some(CaseStatus::WaitsForStaff),
        due_before: Some(now.timestamp_millis()),
        ..CaseFilter::default()
    }
}

fn late_leads(settings: &Settings, now: DateTime<Utc>) -> Filter {
    Filter {
        attention: Some(Attention::Late),
        time: DeskTime {
            at: now,
            answer_within: TimeDelta::hours(settings.hours_for_answer()),
        },
        ..Filter::default()
    }
}

/// Counts late answers.
///
/// # Errors
/// When the read models cannot be read.
pub async fn counts(records: &Records, settings: &Settings) -> Result<LateCounts, sqlx::Error> {
    let (pool, now) = (records.read.readers(), clock::now());
    Ok(LateCounts {
        leads: query::count(pool, records.log.handles(), &late_leads(settings, now)).await?,
        cases: case_board::count(pool, &late_cases(now)).await?,
    })
}

impl LateAnswers {
    /// Raises a mail for each answer that becomes late, while this node is the one on duty.
    pub async fn keep_watching(self, duty: Duty, mut stop: watch::Receiver<bool>) {
        let mut held = duty.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = HashSet::new();
        while ours(&mut held, &mut stop).await {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            if let Err(error) = self.look(&mut told).await {
                tracing::error!(error, "late answers could not be told of; trying again");
            }
        }
    }

    /// `told`: keys of mails that this process has handed in; the outbox knows those of earlier ones.
    async fn look(&self, told: &mut HashSet<String>) -> Result<(), String> {
        let mut late = self.leads().await.map_err(|error| error.to_string())?;
        late.extend(self.cases().await.map_err(|error| error.to_string())?);
        let present: HashSet<&String> = late.iter().map(|one| &one.key).collect();
        told.retain(|key| present.contains(key));
        let waiting = self.outbox.waiting_named("late:").await;
        for key in waiting.map_err(|error| error.to_string())? {
            if !present.contains(&key) {
                let dropped = self.outbox.drop_named(&key, "it was answered").await;
                dropped.map_err(|error| error.to_string())?;
            }
        }
        for one in late {
            if told.contains(&one.key) {
                continue;
            }
            if let Some(recipient) = self.recipient(one.owner).await? {
                self.tell(&one, &recipient)
                    .await
                    .map_err(|error| error.to_string())?;
            }
            told.insert(one.key);
        }
        Ok(())
    }

    async fn leads(&self) -> Result<Vec<Late>, sqlx::Error> {
        let (pool, now) = (self.records.read.readers(), clock::now());
        let mut filter = late_leads(&self.settings, now);
        filter.created_from = Some((now - filter.time.answer_within - STILL_NEWS).to_rfc3339());
        let rows = query::list(pool, self.records.log.handles(), &filter, 1, AT_ONCE)
            .await?
            .rows;
        let late = rows.into_iter().map(|row| Late {
            key: format!("late:lead:{}", row.lead_id),
            owner: None,
            link: format!("{}/workspace/leads/{}", self.settings.public_url(), row.lead_id),
            about: About::Lead(row.reference),
        });
        Ok(late.collect())
    }

    async fn cases(&self) -> Result<Vec<Late>, sqlx::Error> {
        let (pool, now) = (self.records.read.readers(), clock::now());
        let at_once = u32::try_from(AT_ONCE).unwrap_or(u32::MAX);
        let rows = case_board::list(pool, &late_cases(now), at_once, 0).await?;
        let oldest = (now - STILL_NEWS).timestamp_millis();
        let late = rows.into_iter().filter_map(|row| {
            let due = row.due_at.filter(|due| *due >= oldest)?;
            Some(Late {
                key: format!("late:case:{}:{due}", row.case_id),
                about: About::Case(row.topic()),
                owner: row.owner.as_deref().and_then(|owner| owner.parse().ok()),
                link: format!("{}/workspace/cases/{}", self.settings.public_url(), row.case_id),
            })
        });
        Ok(late.collect())
    }

    /// The owner while they are of staff, else the desk's address.
    async fn recipient(&self, owner: Option<UserId>) -> Result<Option<Recipient>, String> {
        if let Some(owner) = owner {
            let user = self.records.log.load::<User>(owner).await;
            let user = user.map_err(|error| error.to_string())?.state;
            if user.is_internal(Some(&self.settings.staff_email_domain))
                && let Some(email) = user.email
            {
                return Ok(Some(Recipient {
                    address: email.as_str().to_owned(),
                    language: user.messages.staff_language(),
                }));
            }
        }
        let (desk, _) = self.settings.present("desk_email");
        if desk.is_empty() {
            return Ok(None);
        }
        let language = find_address_language(&self.records.log, &desk).await;
        Ok(Some(Recipient {
            language: language.map_err(|error| error.to_string())?,
            address: desk,
        }))
    }

    async fn tell(&self, late: &Late, recipient: &Recipient) -> Result<(), sqlx::Error> {
        let reference = late.about.reference(recipient.language);
        let message = Message {
            key: late.key.clone(),
            kind: late.about.kind(),
            channel: Channel::Email,
            recipient: &recipient.address,
            lang: recipient.language,
            values: &[("reference", &reference), ("link", &late.link)],
            code: None,
            picture: None,
            unsubscribe: None,
            site: None,
            effect: None,
        };
        tracing::info!(key = late.key, "an answer is late");
        self.outbox.hand_in(&[message]).await
    }
}
