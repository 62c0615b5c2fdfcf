//! A long history's outline, as the workspace reads it.

use http_kit::contract::words::StreamKindWord;
use projections::lead_timeline::pages::{Outline, Track};
use serde::Serialize;
use utoipa::ToSchema;

/// So much of every event that the whole can be drawn, and its fields told at any moment, without the events themselves.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadOutline {
    /// Of each event, in order, which of `streams` it is in: counted from 0.
    of_stream: Vec<usize>,
    /// The events that did not work out.
    failed: Vec<u64>,
    days: Vec<OutlineDay>,
    tracks: Vec<OutlineTrack>,
}

/// A day, and its first event.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutlineDay {
    day: String,
    n: u64,
}

/// One field's changes: event `at[i]` made it `values[became[i]]`.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutlineTrack {
    #[schema(value_type = StreamKindWord)]
    stream: String,
    field: String,
    masked: bool,
    values: Vec<Option<String>>,
    at: Vec<u64>,
    became: Vec<usize>,
}

impl From<Outline> for LeadOutline {
    fn from(outline: Outline) -> Self {
        let days = outline.days.into_iter().map(|(day, n)| OutlineDay { day, n });
        Self {
            of_stream: outline.of_stream,
            failed: outline.failed,
            days: days.collect(),
            tracks: outline.tracks.into_iter().map(OutlineTrack::from).collect(),
        }
    }
}

impl From<Track> for OutlineTrack {
    fn from(track: Track) -> Self {
        let (at, became) = track.changes.into_iter().unzip();
        Self {
            stream: track.kind,
            field: track.field,
            masked: track.masked,
            values: track.values,
            at,
            became,
        }
    }
}
