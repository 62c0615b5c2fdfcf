//! The colours that follow from those a brand chooses (D117, D118; "How tints are derived" in the mock-ups): three are chosen, and every
//! other is made so that it can be read.

use domain::brand::colour::{Colour, INK, PAPER, SHIPPED, WHITE};
use domain::brand::look::BrandLook;

/// Contrast that a text needs (WCAG 2.2, 1.4.3), and an edge (1.4.11).
pub const TEXT_CONTRAST: f64 = 4.5;
const EDGE_CONTRAST: f64 = 3.0;
/// The least difference by which a ground is seen beside white.
const GROUND_CONTRAST: f64 = 1.08;
/// Parts of the way to white (D118).
const TINTS: [f64; 4] = [0.1, 0.3, 0.6, 0.9];
/// Points of lightness that something pointed at is darker.
const POINTED_AT: f64 = 6.0;
/// The share of a text's colour in the softer text beside it, against its ground.
const SOFT: f64 = 0.78;

/// The sight of a colour, and of a text on it.
pub trait Legible: Sized {
    /// The relative luminance of WCAG 2.2.
    fn luminance(self) -> f64;

    /// The contrast of WCAG 2.2 between two colours: from 1 to 21.
    fn contrast(self, other: Self) -> f64;

    /// D117: dark text on a colour whose luminance is above one half, else white.
    #[must_use]
    fn text(self) -> Self;

    /// D118: the colour on its way to white.
    fn tints(self) -> [Self; 4];
}

impl Legible for Colour {
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.channels().map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.040_45 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    fn text(self) -> Self {
        if self.luminance() > 0.5 { INK } else { WHITE }
    }

    fn tints(self) -> [Self; 4] {
        let shade = Shade::of(self);
        TINTS.map(|part| shade.at(shade.lightness + (100.0 - shade.lightness) * part))
    }
}

/// A colour over another, of which so much is seen.
fn mix(over: Colour, under: Colour, share: f64) -> Colour {
    let mut mixed = [0; 3];
    let pairs = over.channels().into_iter().zip(under.channels());
    for (channel, (own, other)) in mixed.iter_mut().zip(pairs) {
        *channel = round_channel((f64::from(own) * share + f64::from(other) * (1.0 - share)) / 255.0);
    }
    Colour::new(mixed)
}

/// A colour by hue in degrees, saturation and lightness in percent.
#[derive(Debug, Clone, Copy)]
struct Shade {
    hue: f64,
    saturation: f64,
    lightness: f64,
}

impl Shade {
    fn of(colour: Colour) -> Self {
        let [red, green, blue] = colour.channels();
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let share = |channel: u8| f64::from(channel) / 255.0;
        let (spread, lightness) = (share(most - least), f64::midpoint(share(most), share(least)));
        if most == least {
            return Self {
                hue: 0.0,
                saturation: 0.0,
                lightness: lightness * 100.0,
            };
        }
        let [red_share, green_share, blue_share] = colour.channels().map(share);
        let sixth = if most == red {
            ((green_share - blue_share) / spread).rem_euclid(6.0)
        } else if most == green {
            (blue_share - red_share) / spread + 2.0
        } else {
            (red_share - green_share) / spread + 4.0
        };
        Self {
            hue: sixth * 60.0,
            saturation: spread / (1.0 - (2.0 * lightness - 1.0).abs()) * 100.0,
            lightness: lightness * 100.0,
        }
    }

    /// The same hue at another lightness.
    fn at(self, lightness: f64) -> Colour {
        let (saturation, lightness) = (self.saturation / 100.0, lightness.clamp(0.0, 100.0) / 100.0);
        let chroma = (1.0 - (2.0 * lightness - 1.0).abs()) * saturation;
        let base = lightness - chroma / 2.0;
        // Each channel is the same curve, shifted by a third of the circle.
        let channel = |shift: f64| {
            let place = (self.hue / 60.0 + shift).rem_euclid(6.0);
            let part = (2.0 - (place - 3.0).abs()).clamp(0.0, 1.0);
            round_channel(base + chroma * (1.0 - part))
        };
        Colour::new([channel(0.0), channel(4.0), channel(2.0)])
    }

    /// The first colour that `fits`, a point of lightness further each time; the end of the way where none does.
    fn shift(self, point: f64, fits: impl Fn(Colour) -> bool) -> Colour {
        let mut lightness = self.lightness;
        while !fits(self.at(lightness)) && (0.0..=100.0).contains(&lightness) {
            lightness += point;
        }
        self.at(lightness)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of 255 between 0 and 255"
)]
fn round_channel(share: f64) -> u8 {
    (share * 255.0).round().clamp(0.0, 255.0) as u8
}

/// All colours that pages, mails and papers take from a brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    pub brand: Colour,
    pub brand_text: Colour,
    /// `brand_color_0` to `brand_color_3` (D118).
    pub tints: [Colour; 4],
    /// The fill of buttons: the colour that was chosen, or the nearest whose text can be read.
    pub act: Colour,
    pub act_hover: Colour,
    pub act_text: Colour,
    /// The edge of a filled button.
    pub act_edge: Colour,
    /// Links, ticks and outlines.
    pub act_line: Colour,
    /// The ground of what is chosen.
    pub act_tint: Colour,
    /// The fill of buttons on dark grounds, with ink on it.
    pub act_dark: Colour,
    pub foot: Colour,
    pub foot_text: Colour,
    pub foot_soft: Colour,
}

impl Palette {
    /// The colours that follow from those that a look chose; `None` where it chose none.
    pub fn of_look(look: &BrandLook) -> Option<Self> {
        let chosen = look.main_colour.or(look.button_colour);
        let brand = match chosen.or(look.footer_colour) {
            Some(_) => chosen.unwrap_or(SHIPPED),
            None => return None,
        };
        let button = look.button_colour.unwrap_or(brand);
        Some(Self::derive(brand, button, look.footer_colour.unwrap_or(PAPER)))
    }

    /// Derives it from the colours that a brand chose.
    pub fn derive(brand: Colour, button: Colour, footer: Colour) -> Self {
        let (act, act_text) = make_readable(button);
        let shade = Shade::of(act);
        let tints = act.tints();
        let act_tint = choose_ground(tints);
        let stands = |colour: Colour, least: f64| {
            colour.contrast(WHITE) >= least && colour.contrast(act_tint) >= least
        };
        let act_line = if act.luminance() > 0.5 {
            INK
        } else {
            shade.shift(-1.0, |colour| stands(colour, TEXT_CONTRAST))
        };
        let act_edge = shade.shift(-1.0, |colour| stands(colour, EDGE_CONTRAST));
        let (foot, foot_text) = make_readable(footer);
        let soft = mix(foot_text, foot, SOFT);
        Self {
            brand,
            brand_text: brand.text(),
            tints: brand.tints(),
            act,
            act_hover: shade.at(shade.lightness - POINTED_AT),
            act_text,
            act_edge,
            act_line,
            act_tint,
            act_dark: Shade::of(tints[2]).shift(1.0, |colour| colour.contrast(INK) >= TEXT_CONTRAST),
            foot,
            foot_text,
            foot_soft: if soft.contrast(foot) >= TEXT_CONTRAST {
                soft
            } else {
                foot_text
            },
        }
    }
}

impl Palette {
    /// The custom properties of pages, without their dashes.
    pub fn tokens(&self) -> [(&'static str, Colour); 16] {
        [
            ("brand", self.brand),
            ("brand-text", self.brand_text),
            ("brand-0", self.tints[0]),
            ("brand-1", self.tints[1]),
            ("brand-2", self.tints[2]),
            ("brand-3", self.tints[3]),
            ("act", self.act),
            ("act-hover", self.act_hover),
            ("act-text", self.act_text),
            ("act-edge", self.act_edge),
            ("act-line", self.act_line),
            ("act-tint", self.act_tint),
            ("act-dark", self.act_dark),
            ("foot", self.foot),
            ("foot-text", self.foot_text),
            ("foot-soft", self.foot_soft),
        ]
    }
}

/// The colour, or the nearest by lightness, on which its text can be read; and that text.
fn make_readable(chosen: Colour) -> (Colour, Colour) {
    let text = chosen.text();
    let point = if text == INK { 1.0 } else { -1.0 };
    let is_readable = |colour: Colour| colour.contrast(text) >= TEXT_CONTRAST;
    if is_readable(chosen) {
        return (chosen, text);
    }
    (Shade::of(chosen).shift(point, is_readable), text)
}

/// The palest of the tints that is seen beside white.
fn choose_ground(tints: [Colour; 4]) -> Colour {
    let is_seen = |tint: &Colour| tint.contrast(WHITE) >= GROUND_CONTRAST;
    tints.into_iter().rev().find(is_seen).unwrap_or(tints[0])
}

#[cfg(test)]
mod tests;
