//! `latchkey brand`: shows the brand of the house, changes it and publishes it at once, or brings an earlier version back. Works on an open
//! data folder while the server runs.

use std::path::Path;

use brands::commands::add_picture::{AddPicture, add_picture};
use brands::commands::change_draft::{ChangeDraft, VALUES, change_draft};
use brands::commands::publish_draft::{PublishDraft, publish_draft};
use brands::error::BrandError;
use brands::questions::brand_state::{BrandState, measure_contrasts, read_brand};
use bytes::Bytes;
use clap::Subcommand;
use domain::brand::HOUSE_BRAND;
use domain::id::BrandId;
use domain::language::Language;
use eventlog::{Actor, CommitError, Context, EventLog};
use photos::store::PhotoStore;
use platform::clock;
use platform::config::Settings;
use platform::config::changeable::Source;
use serde_json::{Map, Value, json};

/// Values that name a picture: a file is given, and its content is kept.
const PICTURES: [&str; 5] = ["logo", "logo_dark", "favicon", "app_icon", "social_picture"];
/// Values with a text for each language: `tagline.zh=…`.
const WORDS: [&str; 3] = ["tagline", "hero", "hero_lede"];
/// Values of several lines.
const LINES: [&str; 2] = ["mail_small_print", "letterhead"];
/// Between two lines.
const NEXT_LINE: char = '|';

/// Acts on the brand.
#[derive(Debug, Subcommand)]
pub enum BrandArgs {
    /// Print the values that readers see, where the name comes from, and how well the colours can be read.
    Show,
    /// Set values and publish them, such as `name=Quayside main_colour=#7A2E5D logo=mark.svg`; an empty value takes one away.
    Set {
        /// NAME=VALUE; texts of a language as `tagline.zh=…`, pictures as files, lines with `|` between them.
        #[arg(required = true)]
        values: Vec<String>,
        /// Publish what was drafted in the workspace too.
        #[arg(long)]
        with_draft: bool,
    },
    /// Bring an earlier version back.
    TakeBack {
        /// Its number.
        version: u32,
    },
}

/// Carries an act on a brand out, the house's own or that of a key, and says what it came to.
///
/// # Errors
/// One sentence for the operator.
pub async fn run(
    log: &EventLog,
    settings: &Settings,
    key: Option<&str>,
    args: BrandArgs,
) -> Result<String, String> {
    let keeping = Keeping {
        log,
        settings,
        brand_id: find_brand(key)?,
    };
    match args {
        BrandArgs::Show => Ok(keeping.describe(&keeping.read().await?)),
        BrandArgs::Set { values, with_draft } => keeping.set(&values, with_draft).await,
        BrandArgs::TakeBack { version } => keeping.publish(Some(version)).await,
    }
}

fn find_brand(key: Option<&str>) -> Result<BrandId, String> {
    let Some(key) = key else { return Ok(HOUSE_BRAND) };
    BrandId::of_key(key).ok_or_else(|| {
        format!("`{key}` is no key of a brand: write small letters, digits and hyphens, as behind `brand=` of a host")
    })
}

/// A brand that is kept by command.
struct Keeping<'k> {
    log: &'k EventLog,
    settings: &'k Settings,
    brand_id: BrandId,
}

impl Keeping<'_> {
    async fn read(&self) -> Result<BrandState, String> {
        let state = read_brand(self.log, self.brand_id).await;
        state.map_err(|error| format!("the log cannot be read: {error}"))
    }

    async fn set(&self, values: &[String], with_draft: bool) -> Result<String, String> {
        let state = self.read().await?;
        if !with_draft && state.brand.draft != state.brand.published_look() {
            return Err(
                "the draft in the workspace holds changes that were not published: publish them there, or add `--with-draft`"
                    .to_owned(),
            );
        }
        let mut changes = Map::new();
        for value in values {
            let (name, value) = value
                .split_once('=')
                .ok_or_else(|| format!("`{value}` is not NAME=VALUE"))?;
            let (name, language) = name
                .split_once('.')
                .map_or((name, None), |(name, tag)| (name, Some(tag)));
            if !VALUES.contains(&name) {
                return Err(format!(
                    "a brand has no value called `{name}`; there are {}",
                    VALUES.join(", ")
                ));
            }
            let change = if PICTURES.contains(&name) && !value.is_empty() {
                Value::String(self.add_file(Path::new(value)).await?)
            } else {
                read_value(name, value)?
            };
            put_change(&mut changes, (name, language), change)?;
        }
        let change = ChangeDraft {
            brand_id: self.brand_id,
            revision: Some(state.revision),
            changes,
            by: None,
        };
        change_draft(self.log, &change, &Context::new(clock::now(), Actor::SYSTEM))
            .await
            .map_err(explain)?;
        // A script that runs again finds everything as it left it.
        let now = self.read().await?;
        if now.brand.draft == now.brand.published_look() {
            return Ok(self.describe(&now));
        }
        self.publish(None).await
    }

    /// Takes a file in, and answers with the name of its content.
    async fn add_file(&self, file: &Path) -> Result<String, String> {
        let bytes =
            std::fs::read(file).map_err(|error| format!("`{}` cannot be read: {error}", file.display()))?;
        let store = PhotoStore::open(self.settings)?;
        let add = AddPicture {
            brand_id: self.brand_id,
            bytes: Bytes::from(bytes),
            by: None,
        };
        let context = Context::new(clock::now(), Actor::SYSTEM);
        match add_picture(self.log, &store, add, &context).await {
            Ok(added) => Ok(added.picture.content.to_string()),
            Err(error) => Err(format!("`{}` is not taken: {}", file.display(), explain(error))),
        }
    }

    async fn publish(&self, version: Option<u32>) -> Result<String, String> {
        let publish = PublishDraft {
            brand_id: self.brand_id,
            revision: None,
            version,
            reason: None,
            by: None,
        };
        let context = Context::new(clock::now(), Actor::SYSTEM);
        publish_draft(self.log, self.settings, &publish, &context)
            .await
            .map_err(explain)?;
        let told = self.describe(&self.read().await?);
        Ok(format!("{told}\nservers follow within two seconds"))
    }

    fn describe(&self, state: &BrandState) -> String {
        let mut lines = match state.brand.published() {
            Some(version) => vec![format!("version {}", version.version)],
            None => vec!["no such brand was published: the face that ships is shown".to_owned()],
        };
        let given = self.settings.given_brand_name();
        if let Some((name, source)) = given.filter(|_| self.brand_id == HOUSE_BRAND) {
            let from = match source {
                Source::File => "the file of settings",
                Source::Environment | Source::Default | Source::Here => "the environment",
            };
            lines.push(format!("name = {name}, as {from} says"));
        }
        let look = state.brand.published_look();
        if let Ok(Value::Object(values)) = serde_json::to_value(&look) {
            let shown = VALUES.iter().filter_map(|name| Some((name, values.get(*name)?)));
            lines.extend(shown.map(|(name, value)| match value {
                Value::String(text) => format!("{name} = {text}"),
                other => format!("{name} = {other}"),
            }));
        }
        for contrast in measure_contrasts(&look) {
            if let Some((chosen, ratio)) = contrast.chosen {
                lines.push(format!(
                    "{chosen} has a contrast of {ratio:.1} : 1 with its text, and 4.5 is needed: {} is shown in its place",
                    contrast.ground
                ));
            }
        }
        if state.brand.draft != look {
            lines.push("the draft in the workspace holds changes that were not published".to_owned());
        }
        lines.join("\n")
    }
}

/// A value as the draft takes it; null takes it away.
fn read_value(name: &str, value: &str) -> Result<Value, String> {
    if value.is_empty() {
        return Ok(Value::Null);
    }
    let parts = |between: char| -> Value { value.split(between).map(str::trim).collect() };
    if LINES.contains(&name) {
        return Ok(parts(NEXT_LINE));
    }
    match name {
        "sections" => Ok(parts(',')),
        "support" | "footer_links" => {
            serde_json::from_str(value).map_err(|error| format!("`{name}` takes a list as JSON: {error}"))
        }
        _ => Ok(Value::String(value.to_owned())),
    }
}

fn put_change(
    changes: &mut Map<String, Value>,
    (name, language): (&str, Option<&str>),
    change: Value,
) -> Result<(), String> {
    if !WORDS.contains(&name) {
        if let Some(language) = language {
            return Err(format!(
                "`{name}` is the same in every language: leave `.{language}` out"
            ));
        }
        changes.insert(name.to_owned(), change);
        return Ok(());
    }
    let language = language.unwrap_or(Language::default().code());
    match changes.get_mut(name) {
        Some(Value::Object(texts)) => {
            texts.insert(language.to_owned(), change);
        }
        _ => {
            changes.insert(name.to_owned(), json!({ language: change }));
        }
    }
    Ok(())
}

fn explain(error: CommitError<BrandError>) -> String {
    match error {
        CommitError::Rejected(refusal) => refusal.to_string(),
        other => format!("the log refused: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn values_are_set_and_published_at_once() {
        let (log, settings) = (EventLog::memory(), Settings::default());
        let set = async |values: &[&str]| {
            let values = values.iter().map(|value| (*value).to_owned()).collect();
            let args = BrandArgs::Set {
                values,
                with_draft: false,
            };
            run(&log, &settings, None, args).await
        };
        let told = set(&[
            "name=Quayside",
            "tagline.zh=学生公寓",
            "tagline=Rooms",
            "main_colour=#E8743B",
        ])
        .await;
        let told = told.unwrap();
        assert!(
            told.contains("name = Quayside") && told.contains("#C55017 is shown"),
            "{told}"
        );
        assert_eq!(settings.brand_name_now(), "Quayside");
        assert_eq!(settings.house_brand().look.tagline.len(), 2);
        let again = set(&["name=Quayside", "main_colour=#E8743B"]).await.unwrap();
        assert!(again.starts_with("version 1\n"), "{again}");
        set(&["tagline.zh=", "letterhead=Quayside Ltd | 8 Wharf Road"])
            .await
            .unwrap();
        let brand = settings.house_brand();
        assert_eq!((brand.look.tagline.len(), brand.look.letterhead.len()), (1, 2));
        let back = run(&log, &settings, None, BrandArgs::TakeBack { version: 1 })
            .await
            .unwrap();
        assert!(back.starts_with("version 3"), "{back}");
    }

    #[tokio::test]
    async fn brand_of_a_key_is_another_one() {
        let (log, settings) = (EventLog::memory(), Settings::default());
        let set = || BrandArgs::Set {
            values: vec!["name=Halls".to_owned()],
            with_draft: false,
        };
        run(&log, &settings, Some("halls"), set()).await.unwrap();
        assert_eq!(settings.face_of(Some("halls")).name, "Halls");
        assert_eq!(settings.brand_name_now(), "Amber");
        let refused = run(&log, &settings, Some("Halls!"), set()).await.unwrap_err();
        assert!(refused.contains("no key"), "{refused}");
    }

    #[tokio::test]
    async fn wrong_value_is_named_and_nothing_is_published() {
        let (log, settings) = (EventLog::memory(), Settings::default());
        for (value, told) in [
            ("Quayside", "NAME=VALUE"),
            ("color=#000000", "no value called `color`"),
            ("main_colour=red", "main_colour"),
            ("name.zh=x", "leave `.zh` out"),
            ("logo=/no/such/file.svg", "cannot be read"),
            ("support=UK", "JSON"),
        ] {
            let args = BrandArgs::Set {
                values: vec![value.to_owned()],
                with_draft: false,
            };
            let refused = run(&log, &settings, None, args).await.unwrap_err();
            assert!(refused.contains(told), "{refused}");
        }
        assert_eq!(settings.house_brand().version, 0);
    }
}
