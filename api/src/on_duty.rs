//! Work that one node does for all: tidying, late answers, alarms of segments, scheduled feeds, photos, homes whose pause is over; and the
//! work on uploads, which the node does that has them.

use std::sync::Arc;

use fetching::feeds_file::ScheduledFeed;
use fetching::made_feeds::MadeFeeds;
use fetching::reports::FeedReports;
use fetching::schedule::FeedSchedule;
use fetching::state::FeedStates;
use import::scheduled::ScheduledImport;
use intake::worker::IntakeWorker;
use photos::keeper::PhotoKeeper;
use platform::duty::Duty;
use processes::late_answers::LateAnswers;
use processes::reopening::Reopening;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use workspace::segment_alarms::SegmentAlarms;

use crate::app::App;

/// Starts the tasks, by name; none of them runs in a rehearsal.
pub(crate) fn start_on_duty(
    app: &App,
    duty: &Duty,
    stop: &watch::Sender<bool>,
    feeds: Vec<ScheduledFeed>,
) -> [(&'static str, JoinHandle<()>); 6] {
    let tidying = crate::tidying::keep_tidy(app.clone(), duty.clone(), stop.subscribe());
    let late = LateAnswers {
        records: app.records.clone(),
        settings: app.settings.clone(),
        outbox: app.outbox.clone(),
    };
    let late = late.keep_watching(duty.clone(), stop.subscribe());
    let segments = SegmentAlarms {
        records: app.records.clone(),
        settings: app.settings.clone(),
        desk: app.desk.clone(),
        outbox: app.outbox.clone(),
    };
    let segments = segments.keep_watching(duty.clone(), stop.subscribe());
    let schedule = FeedSchedule {
        feeds,
        made: MadeFeeds::new(app.desk.clone()),
        states: FeedStates::new(app.desk.clone()),
        settings: app.settings.clone(),
        importer: Arc::new(ScheduledImport {
            log: app.records.log.clone(),
            settings: app.settings.clone(),
            reports: FeedReports::new(app.desk.clone()),
        }),
    };
    let fetching = schedule.keep_fetching(duty.clone(), stop.subscribe());
    let photos = PhotoKeeper {
        records: app.records.clone(),
        settings: app.settings.clone(),
        store: app.photos.clone(),
    };
    let photos = photos.keep_fetching(duty.clone(), stop.subscribe());
    let reopening = Reopening {
        records: app.records.clone(),
    };
    let reopening = reopening.keep_opening(duty.clone(), stop.subscribe());
    [
        ("tidying", tokio::spawn(tidying)),
        ("late answers", tokio::spawn(late)),
        ("segment alarms", tokio::spawn(segments)),
        ("feeds", tokio::spawn(fetching)),
        ("photos", tokio::spawn(photos)),
        ("reopening", tokio::spawn(reopening)),
    ]
}

/// Starts the work on uploads whose files lie on this node. It reaches nothing outside, and goes on in a rehearsal too.
pub(crate) fn work_on_uploads(app: &App, stop: &watch::Sender<bool>) -> JoinHandle<()> {
    let worker = IntakeWorker {
        desk: app.intake.clone(),
        log: app.records.log.clone(),
        settings: app.settings.clone(),
        reports: FeedReports::new(app.desk.clone()),
    };
    tokio::spawn(worker.keep_working(stop.subscribe()))
}
