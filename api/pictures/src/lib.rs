//! Pictures of homes and cities, drawn when first asked for and kept: `/pictures/{seed}/{kind}.svg` for pages, and
//! `/pictures/{seed}/{kind}.{size}.{jpg|png}` in the sizes of Spec §9 for whoever shows no SVG. Knows no HTTP.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use domain::place::is_canonical;
use papaya::HashMap;
use platform::config::Variant;
use renderer::Renderer;
use serde_json::json;

mod painter;
mod raster;
mod shelf;

use painter::Painter;

/// Milliseconds are usual; a machine at its limits is given time, because a page without its picture looks broken.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// About 3 kB each once compressed: a whole city's homes stay at hand in under 30 MB.
const KEPT_MAX: usize = 9_000;
/// Raised when the drawing changes, so that old pictures are not shown from a cache, a browser's or ours.
pub const EDITION: &str = "art-2";
/// The best of Spec §9's presets, and the one of the low image quality set (D119), of 100.
const JPEG_QUALITY: u8 = 80;
const JPEG_QUALITY_CHINA: u8 = 40;

/// The keys of the countries by their cities' names: façades follow the country.
pub type CountryOfCity = std::collections::HashMap<String, &'static str>;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("there is no such picture")]
    Unknown,
    /// Asked again later, it may be drawn.
    #[error("too much is being drawn")]
    Busy,
    #[error("{0}")]
    Broken(String),
}

impl PictureError {
    fn broken(cause: impl Display) -> Self {
        Self::Broken(cause.to_string())
    }
}

/// The drawing engine and what it has drawn, compressed.
pub struct Pictures {
    renderer: Renderer,
    kept: HashMap<String, Bytes>,
    countries: CountryOfCity,
    painter: Painter,
    jpeg_quality: u8,
}

impl Pictures {
    /// Painted pictures are kept in `pictures` below the data folder.
    ///
    /// # Errors
    /// When the folder cannot be used.
    pub fn start(data_dir: &Path, variant: Variant, countries: CountryOfCity) -> Result<Self, String> {
        let jpeg_quality = match variant {
            Variant::Standard => JPEG_QUALITY,
            Variant::China => JPEG_QUALITY_CHINA,
        };
        let edition = format!("{EDITION}-q{jpeg_quality}");
        Ok(Self {
            renderer: Renderer::start(Some(artwork::SCRIPT), TIME_LIMIT),
            kept: HashMap::new(),
            countries,
            painter: Painter::open(&data_dir.join("pictures"), &edition)?,
            jpeg_quality,
        })
    }

    /// The picture, brotli-compressed.
    ///
    /// # Errors
    /// When there is no such kind, or the engine has too much to draw.
    pub async fn drawn(&self, seed: &str, file: &str) -> Result<Bytes, PictureError> {
        let (kind, variant) = file
            .strip_suffix(".svg")
            .and_then(kind_and_variant)
            .filter(|_| is_canonical(seed))
            .ok_or(PictureError::Unknown)?;
        let key = format!("{seed}/{file}");
        if let Some(kept) = self.kept.pin().get(&key) {
            return Ok(kept.clone());
        }
        let (city, country) = self.place(seed);
        let request =
            json!({ "seed": seed, "kind": kind, "variant": variant, "country": country, "city": city });
        let svg = self
            .renderer
            .render(request.to_string())
            .await
            .ok_or(PictureError::Busy)?;
        let picture = squeezed(&svg).map_err(PictureError::broken)?;
        let kept = self.kept.pin();
        if kept.len() < KEPT_MAX {
            kept.insert(key, picture.clone());
        }
        Ok(picture)
    }

    /// The picture as pixels, and what they are.
    ///
    /// # Errors
    /// When there is no such kind, size or format, or there is too much to draw.
    pub async fn painted(&self, seed: &str, file: &str) -> Result<(Bytes, &'static str), PictureError> {
        let (stem, size, format) = raster::asked(file, self.jpeg_quality)
            .filter(|(stem, _, _)| kind_and_variant(stem).is_some() && is_canonical(seed))
            .ok_or(PictureError::Unknown)?;
        let drawing = async {
            let squeezed = self.drawn(seed, &format!("{stem}.svg")).await?;
            let svg = expanded(&squeezed).map_err(PictureError::broken)?;
            String::from_utf8(svg).map_err(PictureError::broken)
        };
        let name = format!("{seed}.{file}");
        let picture = self.painter.painted(&name, size, format, drawing).await?;
        Ok((picture, format.media_type()))
    }

    /// The city a seed names, with or without a number at its end, and the city's country.
    fn place<'s>(&self, seed: &'s str) -> (&'s str, &'static str) {
        let city = seed
            .rsplit_once('-')
            .filter(|(_, number)| number.parse::<u32>().is_ok())
            .map_or(seed, |(city, _)| city);
        (city, self.countries.get(city).copied().unwrap_or("uk"))
    }
}

/// `bedroom` and `bedroom-ensuite-room`.
fn kind_and_variant(stem: &str) -> Option<(&str, &str)> {
    let (kind, variant) = stem.split_once('-').unwrap_or((stem, ""));
    let known = artwork::KINDS.contains(&kind) && (variant.is_empty() || is_canonical(variant));
    known.then_some((kind, variant))
}

/// A drawn picture without its compression: SVG.
///
/// # Errors
/// When it was not compressed.
pub fn expanded(picture: &Bytes) -> std::io::Result<Vec<u8>> {
    let mut svg = Vec::new();
    brotli::BrotliDecompress(&mut picture.as_ref(), &mut svg)?;
    Ok(svg)
}

fn squeezed(svg: &str) -> std::io::Result<Bytes> {
    let mut bytes = Vec::with_capacity(4_096);
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 7,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut svg.as_bytes(), &mut bytes, &parameters)?;
    Ok(Bytes::from(bytes))
}

#[cfg(test)]
mod tests {
    use domain::country::Country;

    use super::*;

    fn pictures() -> (tempfile::TempDir, Pictures) {
        let folder = tempfile::tempdir().unwrap();
        let countries = [
            ("london", Country::Uk),
            ("boston", Country::Us),
            ("toronto", Country::Canada),
            ("barcelona", Country::Spain),
            ("dublin", Country::Ireland),
            ("sydney", Country::Australia),
            ("berlin", Country::Germany),
            ("leeds", Country::Uk),
        ];
        let countries = countries.map(|(city, country)| (city.to_owned(), country.key()));
        let pictures = Pictures::start(folder.path(), Variant::Standard, countries.into()).unwrap();
        (folder, pictures)
    }

    #[tokio::test]
    async fn every_kind_is_drawn_in_every_country_and_stays_small() {
        let (_folder, pictures) = pictures();
        for city in [
            "london",
            "boston",
            "toronto",
            "barcelona",
            "dublin",
            "sydney",
            "berlin",
        ] {
            for kind in artwork::KINDS {
                let drawn = pictures
                    .drawn(&format!("{city}-7"), &format!("{kind}.svg"))
                    .await
                    .unwrap();
                let text = String::from_utf8(expanded(&drawn).unwrap()).unwrap();
                assert!(
                    text.starts_with("<svg ") && text.ends_with("</svg>"),
                    "{city} {kind}"
                );
                assert!(
                    text.len() <= artwork::BYTES_MAX,
                    "{city} {kind}: {} bytes",
                    text.len()
                );
                // Its last strokes are white on a dark plate: the word that says what it is.
                let is_marked =
                    text.ends_with("stroke=\"#fff\" stroke-width=\"2.8\" stroke-linecap=\"round\"/></svg>");
                assert_eq!(is_marked, kind != "city", "{city} {kind}");
            }
        }
    }

    /// The same seed draws the same picture and another seed another.
    #[tokio::test]
    async fn picture_is_a_function_of_its_seed() {
        let ((_one, first), (_two, second)) = (pictures(), pictures());
        let drawn = first.drawn("leeds-3", "bedroom.svg").await.unwrap();
        assert_eq!(drawn, second.drawn("leeds-3", "bedroom.svg").await.unwrap());
        assert_ne!(drawn, second.drawn("leeds-4", "bedroom.svg").await.unwrap());
    }

    #[tokio::test]
    async fn every_kind_can_be_painted_for_a_social_image() {
        let (_folder, pictures) = pictures();
        for kind in artwork::KINDS {
            let file = format!("{kind}.1080x720.jpg");
            let (picture, media_type) = pictures.painted("leeds-3", &file).await.unwrap();
            assert_eq!(media_type, "image/jpeg");
            assert!(
                picture.len() > 10_000 && picture.len() < 200_000,
                "{kind}: {} bytes",
                picture.len()
            );
        }
    }

    #[tokio::test]
    async fn what_is_no_picture_is_not_drawn() {
        let (_folder, pictures) = pictures();
        for file in [
            "bedroom.png",
            "cellar.svg",
            "",
            ".svg",
            "../../etc/passwd",
            "bedroom-../x.svg",
        ] {
            assert!(pictures.drawn("leeds-3", file).await.is_err(), "{file}");
        }
        for file in [
            "cellar.80.jpg",
            "bedroom.81.jpg",
            "bedroom.80.webp",
            "bedroom-..80.jpg",
        ] {
            assert!(pictures.painted("leeds-3", file).await.is_err(), "{file}");
        }
        for seed in ["../leeds-3", "LEEDS", "leeds 3", "leeds.3", ""] {
            assert!(pictures.drawn(seed, "bedroom.svg").await.is_err(), "{seed}");
            assert!(pictures.painted(seed, "bedroom.80.jpg").await.is_err(), "{seed}");
        }
    }
}
