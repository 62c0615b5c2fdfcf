//! `LATCHKEY_METRICS_LISTEN`: what Prometheus reads, on an address of its own, so that no rule of the front door decides who
//! sees it. Names, times and counts only: nothing of a person.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use eventlog::Condition;
use metrics::{counter, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use platform::config::Settings;
use records::Records;
use tokio::net::TcpListener;

use crate::files_watch::FilesWatch;
use crate::integrity::ChainCheck;
use crate::readiness::{self, Standing};

/// Upper ends of the buckets of times, in seconds.
const SECONDS: [f64; 14] = [
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0,
];
/// Upper ends of the buckets of batch sizes, in requests.
const REQUESTS: [f64; 11] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];

/// How long one part of the figures may take: whoever asks does not wait longer than ten seconds for all.
const PATIENCE: Duration = Duration::from_secs(3);

/// Takes the address and begins to count; served by [`serve`].
///
/// # Errors
/// One sentence that names the setting.
pub async fn listen(address: SocketAddr) -> Result<(TcpListener, PrometheusHandle), String> {
    let wrong = |error: &dyn std::fmt::Display| {
        format!("the address `{address}` of the setting `metrics_listen` cannot be used: {error}")
    };
    let listener = TcpListener::bind(address).await.map_err(|error| wrong(&error))?;
    let counting = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_batch".to_owned()), &REQUESTS))
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| wrong(&error))?;
    eventlog::measure::from_zero();
    processes::payment_ends::count_from_zero();
    for end in ["sent", "refused", "waits", "dropped"] {
        counter!("latchkey_mails_total", "end" => end).increment(0);
    }
    Ok((listener, counting))
}

/// What the figures are taken from.
#[derive(Clone)]
pub struct Measured {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub chain: Arc<ChainCheck>,
    pub files: Arc<FilesWatch>,
}

/// Answers `GET /metrics` until the process ends.
pub async fn serve(listener: TcpListener, counting: PrometheusHandle, measured: Measured) {
    let routes = Router::new()
        .route("/metrics", get(show))
        .with_state((measured, counting));
    if let Err(error) = axum::serve(listener, routes).await {
        tracing::error!(%error, "metrics are not served any more");
    }
}

async fn show(State((measured, counting)): State<(Measured, PrometheusHandle)>) -> Response {
    let missing = look(&measured).await;
    counting.run_upkeep();
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
        without(&counting.render(), &missing),
    )
        .into_response()
}

/// What is asked for in one place, and the beginnings of the figures that it is asked for.
struct Part {
    what: &'static str,
    figures: &'static [&'static str],
}

const LOG: Part = Part {
    what: "log",
    figures: &[
        "latchkey_log_position",
        "latchkey_search_index_lag",
        "latchkey_oversold_rooms",
        "latchkey_read_model",
    ],
};
const OUTBOX: Part = Part {
    what: "outbox",
    figures: &["latchkey_outbox"],
};
const MAILS: Part = Part {
    what: "mails",
    figures: &["latchkey_mails_waiting"],
};

const ANSWERS: Part = Part {
    what: "answers",
    figures: &["latchkey_late_answers"],
};

/// Notes what is not counted but stands somewhere. What cannot be asked for now is left out: an old figure would be taken for
/// a new one, and a whole answer that fails hides what is known.
async fn look(measured: &Measured) -> Vec<&'static str> {
    look_here(measured);
    let (log, outbox, mails, answers) = tokio::join!(
        told(&LOG, look_at_log(&measured.records)),
        told(&OUTBOX, look_at_outbox(&measured.settings)),
        told(&MAILS, look_at_mails(&measured.settings)),
        told(&ANSWERS, look_at_answers(&measured.records, &measured.settings)),
    );
    [log, outbox, mails, answers].concat()
}

/// Gives a part's figures where they cannot be told, or not in time.
async fn told(
    part: &'static Part,
    looking: impl Future<Output = Result<(), String>>,
) -> &'static [&'static str] {
    let looked = tokio::time::timeout(PATIENCE, looking).await;
    let looked = looked.unwrap_or_else(|_late| Err("it takes too long".to_owned()));
    let missing = gauge!("latchkey_metrics_missing", "what" => part.what);
    match looked {
        Ok(()) => {
            missing.set(0.0);
            &[]
        }
        Err(error) => {
            tracing::error!(error, what = part.what, "the metrics are not complete");
            missing.set(1.0);
            part.figures
        }
    }
}

/// The text without the figures of these beginnings.
fn without(text: &str, missing: &[&str]) -> String {
    let is_told = |line: &&str| {
        let words = line.trim_start_matches("# HELP ").trim_start_matches("# TYPE ");
        !missing.iter().any(|figure| words.starts_with(figure))
    };
    text.split_inclusive('\n').filter(is_told).collect()
}

/// What this process knows by itself.
#[expect(clippy::cast_precision_loss, reason = "what Prometheus keeps is a float")]
fn look_here(measured: &Measured) {
    let condition = measured.records.log.condition();
    let told = |refused: bool| if refused { 1.0 } else { 0.0 };
    gauge!("latchkey_log_refuses_writes", "why" => "disk_full").set(told(condition == Condition::Full));
    let stopped = matches!(condition, Condition::Stopped(_));
    gauge!("latchkey_log_refuses_writes", "why" => "disk_failed").set(told(stopped));
    let (accepted, broken) = measured.chain.known();
    gauge!("latchkey_log_broken_events").set(broken.len() as f64);
    gauge!("latchkey_log_accepted_breaks").set(accepted.len() as f64);
    gauge!("latchkey_files_gone").set(measured.files.gone().len() as f64);
    let off = eventlog::clock::off().num_milliseconds();
    gauge!("latchkey_clock_off_seconds").set(off as f64 / 1_000.0);
    if let Ok(free) = platform::disk::free_bytes(&measured.settings.data_dir) {
        gauge!("latchkey_disk_free_bytes").set(free as f64);
    }
}

#[expect(clippy::cast_precision_loss, reason = "what Prometheus keeps is a float")]
async fn look_at_log(records: &Records) -> Result<(), String> {
    let Standing { head, read_models } = readiness::standing(records)
        .await
        .map_err(|error| error.to_string())?;
    let (lag, _) = readiness::behind(&records.log, records.catalogue.position(), head)
        .await
        .map_err(|error| error.to_string())?;
    gauge!("latchkey_log_position").set(head as f64);
    gauge!("latchkey_search_index_lag_events").set(lag as f64);
    gauge!("latchkey_oversold_rooms").set(records.catalogue.oversold().len() as f64);
    for model in read_models {
        gauge!("latchkey_read_model_lag_events", "name" => model.name).set(model.lag as f64);
        gauge!("latchkey_read_model_lag_seconds", "name" => model.name).set(model.lag_seconds);
        gauge!("latchkey_read_model_parked_streams", "name" => model.name).set(model.parked as f64);
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "what Prometheus keeps is a float")]
async fn look_at_outbox(settings: &Settings) -> Result<(), String> {
    let outbox = processes::reactor::outbox(&settings.place())
        .await
        .map_err(|error| error.to_string())?;
    gauge!("latchkey_outbox_waiting").set(outbox.waiting as f64);
    gauge!("latchkey_outbox_failing").set(outbox.failing as f64);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "what Prometheus keeps is a float")]
async fn look_at_mails(settings: &Settings) -> Result<(), String> {
    let (waiting, _refused) = messages::delivery::counts(&settings.place())
        .await
        .map_err(|error| error.to_string())?;
    gauge!("latchkey_mails_waiting").set(waiting as f64);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "what Prometheus keeps is a float")]
async fn look_at_answers(records: &Records, settings: &Settings) -> Result<(), String> {
    let late = processes::late_answers::counts(records, settings)
        .await
        .map_err(|error| error.to_string())?;
    gauge!("latchkey_late_answers", "of" => "lead").set(late.leads as f64);
    gauge!("latchkey_late_answers", "of" => "case").set(late.cases as f64);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures that cannot be told are left out with what is said of them.
    #[test]
    fn metrics_without_a_value_are_left_out_with_their_help_text() {
        let text = "# TYPE latchkey_outbox_waiting gauge\nlatchkey_outbox_waiting 7\n\n\
                    # TYPE latchkey_disk_free_bytes gauge\nlatchkey_disk_free_bytes 9\n";
        let left = without(text, OUTBOX.figures);
        assert_eq!(
            left,
            "\n# TYPE latchkey_disk_free_bytes gauge\nlatchkey_disk_free_bytes 9\n"
        );
        assert_eq!(without(text, &[]), text);
    }
}
