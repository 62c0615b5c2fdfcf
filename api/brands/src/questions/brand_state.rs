//! A brand as its keepers see it: draft, versions, where the name comes from, and how well its colours can be read.

use domain::aggregate::Decide as _;
use domain::brand::colour::{Colour, WHITE};
use domain::brand::look::BrandLook;
use domain::brand::{Brand, BrandEvent, BrandVersion};
use domain::id::BrandId;
use eventlog::{EventLog, LogError, Revision, StreamId};
use platform::palette::{Legible as _, Palette};

/// Events of one brand, far more than any has.
const EVENTS_MAX: usize = 1_000_000;

/// A brand with its history.
#[derive(Debug, Clone)]
pub struct BrandState {
    pub brand: Brand,
    /// Of its last event: a change names it.
    pub revision: Revision,
    /// The reason of each version, in the order of the versions; `None` where nobody said it, and once who said it was forgotten.
    pub reasons: Vec<Option<String>>,
}

impl BrandState {
    /// Versions with their reasons, the newest first.
    pub fn history(&self) -> impl Iterator<Item = (&BrandVersion, Option<&str>)> {
        let reasons = self.reasons.iter().map(Option::as_deref);
        self.brand.versions.iter().zip(reasons).rev()
    }
}

/// Reads a brand; one that nobody touched is empty.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_brand(log: &EventLog, brand_id: BrandId) -> Result<BrandState, LogError> {
    let stream = StreamId::of::<Brand>(brand_id);
    let mut state = BrandState {
        brand: Brand::default(),
        revision: 0,
        reasons: Vec::new(),
    };
    for record in log.read_stream(&stream, 0, EVENTS_MAX).await? {
        let happened: BrandEvent = record.decode::<Brand>().map_err(|source| LogError::Unreadable {
            position: record.position,
            source,
        })?;
        if let BrandEvent::Published { reason, .. } = &happened {
            state.reasons.push(reason.get().cloned());
        }
        state.brand.evolve(&happened);
        state.revision += 1;
    }
    Ok(state)
}

/// Whether draft or versions were changed after the revision that an editor read: a picture that came in since, its own for the most part,
/// changes neither.
///
/// # Errors
/// When the log cannot be read.
pub async fn is_changed_since(
    log: &EventLog,
    brand_id: BrandId,
    (read, now): (Revision, Revision),
) -> Result<bool, LogError> {
    if read > now {
        return Ok(true);
    }
    let stream = StreamId::of::<Brand>(brand_id);
    for record in log.read_stream(&stream, read, EVENTS_MAX).await? {
        let happened = record
            .decode_sealed::<Brand>()
            .map_err(|source| LogError::Unreadable {
                position: record.position,
                source,
            })?;
        if !matches!(happened, BrandEvent::PictureAdded { .. }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A place of a text on a colour of the brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContrastPlace {
    Button,
    /// On white.
    Link,
    /// On what is chosen.
    Chip,
    Footer,
}

impl ContrastPlace {
    /// Every place, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Button, Self::Link, Self::Chip, Self::Footer];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Button => "button",
            Self::Link => "link",
            Self::Chip => "chip",
            Self::Footer => "footer",
        }
    }
}

/// The contrast of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    pub place: ContrastPlace,
    pub text: Colour,
    pub ground: Colour,
    pub ratio: f64,
    /// The colour that was chosen, with its contrast, where it had to give way to one that can be read.
    pub chosen: Option<(Colour, f64)>,
}

/// Measures the texts on the colours of a look; none where it chose no colour.
pub fn measure_contrasts(look: &BrandLook) -> Vec<Contrast> {
    let Some(palette) = Palette::of_look(look) else {
        return Vec::new();
    };
    ContrastPlace::ALL
        .into_iter()
        .map(|place| measure(place, look, &palette))
        .collect()
}

fn measure(place: ContrastPlace, look: &BrandLook, palette: &Palette) -> Contrast {
    let chosen_button = look.button_colour.or(look.main_colour);
    let (text, ground, asked) = match place {
        ContrastPlace::Button => (palette.act_text, palette.act, chosen_button),
        ContrastPlace::Link => (palette.act_line, WHITE, None),
        ContrastPlace::Chip => (palette.act_line, palette.act_tint, None),
        ContrastPlace::Footer => (palette.foot_text, palette.foot, look.footer_colour),
    };
    let gave_way = asked.filter(|asked| *asked != ground);
    Contrast {
        place,
        text,
        ground,
        ratio: text.contrast(ground),
        chosen: gave_way.map(|chosen| (chosen, text.contrast(chosen))),
    }
}
