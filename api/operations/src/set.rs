//! `latchkey set`: changes a setting of a running server by command line, as administrators do in the workspace (row K13).

use domain::site_settings::{SITE_SETTINGS, SiteSettings, SiteSettingsCommand};
use eventlog::{Actor, Context, EventLog, commit};
use platform::clock;
use platform::config::Settings;
use platform::config::changeable::{CHANGEABLE, Changeable, Source, ValueFault};
use platform::config::number::explain_two_ways;

/// Sets `name` to `value`, or gives it back to file and environment where there is none. It is in force on every server within two
/// seconds.
///
/// # Errors
/// One sentence for the operator: an unknown name, a value that the setting does not take, a log that refuses.
pub async fn set(
    log: &EventLog,
    settings: &Settings,
    name: &str,
    value: Option<&str>,
) -> Result<String, String> {
    let setting = Changeable::find(name).ok_or_else(|| {
        let names: Vec<&str> = CHANGEABLE.iter().map(|setting| setting.name).collect();
        format!(
            "`{name}` is no setting that can be changed while the server runs; these are: {}",
            names.join(", ")
        )
    })?;
    let value = value
        .map(|value| setting.read(value).map_err(|fault| wrong(setting, value, fault)))
        .transpose()?;
    let at = clock::now();
    let command = SiteSettingsCommand::Change {
        name: name.to_owned(),
        value,
        by: None,
        at,
    };
    let context = Context::new(at, Actor::SYSTEM);
    let changed = commit::<SiteSettings>(log, SITE_SETTINGS, command, &context)
        .await
        .map_err(|error| format!("the log refused: {error}"))?;
    settings.here.replace(changed.state.values());
    let (value, source) = settings.present(name);
    let from = match source {
        Source::Here => "",
        Source::File => ", as its file says",
        Source::Environment => ", as the environment says",
        Source::Default => ", its default",
    };
    Ok(format!(
        "{name} = {value}{from}; servers follow within two seconds"
    ))
}

fn wrong(setting: &Changeable, value: &str, fault: ValueFault) -> String {
    if fault == ValueFault::TwoWays {
        return format!("`{}`: {}", setting.name, explain_two_ways(value));
    }
    format!(
        "`{value}` cannot be the value of `{}`, which takes {}",
        setting.name,
        setting.bounds()
    )
}
