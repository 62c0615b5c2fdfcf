//! Alarms of segments (row N12): the owner of a saved segment gets a mail, in their language, when more leads have gone its way than before.

use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use domain::user::User;
use messages::{Channel, Message, Outbox};
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;
use platform::duty::{Duty, ours};
use projections::lead_steps::sequence;
use records::Records;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::lead_filters::LeadFilters;

/// How often segments with an alarm are counted.
const TICK: Duration = Duration::from_secs(2);

/// Counts segments with an alarm; cheap to clone.
#[derive(Clone)]
pub struct SegmentAlarms {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub desk: Desk,
    pub outbox: Outbox,
}

/// A saved segment with an alarm.
struct Watched {
    id: String,
    owner: UserId,
    name: String,
    filters: LeadFilters,
    /// Leads that its owner knows of.
    known: i64,
}

/// How many leads went the way of these filters; none where they hold no sequence that can be read.
///
/// # Errors
/// When the read models cannot be read.
pub(crate) async fn hits(records: &Records, filters: &LeadFilters) -> Result<i64, sqlx::Error> {
    let steps = filters.wanted_steps().unwrap_or_default();
    if steps.is_empty() {
        return Ok(0);
    }
    let now = clock::now().timestamp_millis();
    let leads = sequence::search(records.read.readers(), &steps, now).await?;
    Ok(i64::try_from(leads.len()).unwrap_or(i64::MAX))
}

impl SegmentAlarms {
    /// Sends a mail for each segment that grew, while this node is the one on duty.
    pub async fn keep_watching(self, duty: Duty, mut stop: watch::Receiver<bool>) {
        let mut held = duty.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut counted = None;
        while ours(&mut held, &mut stop).await {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            if let Err(error) = self.look(&mut counted).await {
                tracing::error!(error, "segments with an alarm could not be counted; trying again");
            }
        }
    }

    /// `counted`: the log's head and the minute at the last count. Nothing new happened until either moves on: a step that does not
    /// follow in its time counts without an event.
    async fn look(&self, counted: &mut Option<(u64, i64)>) -> Result<(), String> {
        let watched = self.watched().await.map_err(|error| error.to_string())?;
        let now = (self.head(), clock::now().timestamp() / 60);
        if watched.is_empty() || *counted == Some(now) {
            return Ok(());
        }
        self.records.wait_for(now.0).await;
        for segment in watched {
            self.check(&segment).await?;
        }
        *counted = Some(now);
        Ok(())
    }

    fn head(&self) -> u64 {
        *self.records.log.watch().borrow()
    }

    async fn watched(&self) -> Result<Vec<Watched>, sqlx::Error> {
        let rows: Vec<(String, String, String, String, i64)> = sqlx::query_as(
            "select id, owner_id, name, filters, alarm_count from lead_view where has_alarm = 1",
        )
        .fetch_all(self.desk.pool())
        .await?;
        let watched = rows.into_iter().filter_map(|(id, owner, name, filters, known)| {
            Some(Watched {
                id,
                owner: owner.parse().ok()?,
                name,
                filters: serde_json::from_str(&filters).ok()?,
                known,
            })
        });
        Ok(watched.collect())
    }

    async fn check(&self, segment: &Watched) -> Result<(), String> {
        let count = hits(&self.records, &segment.filters)
            .await
            .map_err(|error| error.to_string())?;
        if count == segment.known {
            return Ok(());
        }
        let named = format!("segment:{}:", segment.id);
        let dropped = self
            .outbox
            .drop_named(&named, "the segment has another size by now");
        dropped.await.map_err(|error| error.to_string())?;
        if count > segment.known {
            self.tell(segment, count).await?;
        }
        // Noted after the mail was handed in: a stop between the two repeats the mail under its own key, which goes out once.
        sqlx::query("update lead_view set alarm_count = $1 where id = $2")
            .bind(count)
            .bind(segment.id.clone())
            .execute(self.desk.pool())
            .await
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    async fn tell(&self, segment: &Watched, count: i64) -> Result<(), String> {
        let owner = self.records.log.load::<User>(segment.owner).await;
        let owner = owner.map_err(|error| error.to_string())?.state;
        let Some(email) = owner
            .email
            .as_ref()
            .filter(|_| owner.is_internal(Some(&self.settings.staff_email_domain)))
        else {
            return Ok(());
        };
        let (count_told, more) = (count.to_string(), (count - segment.known).to_string());
        let steps = segment.filters.steps.clone().unwrap_or_default();
        let link = format!(
            "{}/workspace/segments?steps={}",
            self.settings.public_url(),
            steps.replace('<', "%3C")
        );
        let message = Message {
            key: format!("segment:{}:{}:{count}", segment.id, self.head()),
            kind: "segment_alarm",
            channel: Channel::Email,
            recipient: email.as_str(),
            lang: owner.messages.staff_language(),
            values: &[
                ("name", &segment.name),
                ("count", &count_told),
                ("more", &more),
                ("link", &link),
            ],
            code: None,
            picture: None,
            unsubscribe: None,
            site: None,
            effect: None,
        };
        tracing::info!(segment = segment.id, count, "a segment has grown");
        self.outbox
            .hand_in(&[message])
            .await
            .map_err(|error| error.to_string())
    }
}
