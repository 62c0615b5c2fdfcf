//! Settings that administrators change while the server runs (row K13). Each change is an event: who, when, and what it was before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::id::{SiteSettingsId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealable;

/// The one stream of them.
pub const SITE_SETTINGS: SiteSettingsId =
    SiteSettingsId(Uuid::from_u128(0x7369_7465_7365_7474_696e_6773_0000_0001));

/// Changes of one setting that are shown and can be undone.
const REMEMBERED: usize = 20;

/// What may be asked.
#[derive(Debug, Clone)]
pub enum SiteSettingsCommand {
    /// Sets a value; `None` gives the word back to file and environment.
    Change {
        name: String,
        value: Option<String>,
        /// `None` for the command line.
        by: Option<UserId>,
        at: Moment,
    },
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteSettingsEvent {
    Changed {
        name: String,
        value: Option<String>,
        by: Option<UserId>,
        at: Moment,
    },
}

crate::event_names!(SiteSettingsEvent { Changed => "SiteSettingChanged" 1 });

impl Sealable for SiteSettingsEvent {}

/// Which values are allowed is known where they are used: nothing is turned down here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteSettingsRejection {}

/// One change of one setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingChange {
    /// `None`: what file, environment and default say.
    pub value: Option<String>,
    pub by: Option<UserId>,
    pub at: Moment,
}

/// The latest changes of each setting, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteSettings {
    pub changes: BTreeMap<String, Vec<SettingChange>>,
}

impl SiteSettings {
    /// The value set here, where one is.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.changes.get(name)?.last()?.value.as_deref()
    }

    /// Every value that is set here.
    pub fn values(&self) -> BTreeMap<String, String> {
        let set = self.changes.keys().filter_map(|name| {
            let value = self.value(name)?.to_owned();
            Some((name.clone(), value))
        });
        set.collect()
    }
}

impl Decide for SiteSettings {
    const KIND: &'static str = "site_settings";
    type Command = SiteSettingsCommand;
    type Event = SiteSettingsEvent;
    type Rejection = SiteSettingsRejection;

    fn decide(&self, command: SiteSettingsCommand) -> Result<Vec<SiteSettingsEvent>, SiteSettingsRejection> {
        let SiteSettingsCommand::Change { name, value, by, at } = command;
        if self.value(&name) == value.as_deref() {
            return Ok(vec![]);
        }
        Ok(vec![SiteSettingsEvent::Changed { name, value, by, at }])
    }

    fn evolve(&mut self, event: &SiteSettingsEvent) {
        let SiteSettingsEvent::Changed { name, value, by, at } = event;
        let changes = self.changes.entry(name.clone()).or_default();
        changes.push(SettingChange {
            value: value.clone(),
            by: *by,
            at: *at,
        });
        if changes.len() > REMEMBERED {
            changes.remove(0);
        }
    }
}

crate::aggregate!(SiteSettings);

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::sample::assert_kept;

    fn changed(value: Option<&str>) -> SiteSettingsEvent {
        SiteSettingsEvent::Changed {
            name: "refund_limit".to_owned(),
            value: value.map(str::to_owned),
            by: Some(UserId(Uuid::from_u128(7))),
            at: DateTime::from_timestamp(1_795_000_000, 0).unwrap(),
        }
    }

    #[test]
    fn equal_value_is_no_change() {
        let set = crate::aggregate::fold::<SiteSettings>([&changed(Some("900"))]);
        let ask = |value: Option<&str>| {
            let SiteSettingsEvent::Changed { name, value, by, at } = changed(value);
            set.decide(SiteSettingsCommand::Change { name, value, by, at })
        };
        assert_eq!(ask(Some("900")), Ok(vec![]));
        assert_eq!(ask(None), Ok(vec![changed(None)]));
        let back = crate::aggregate::fold::<SiteSettings>([&changed(Some("900")), &changed(None)]);
        assert_eq!((back.value("refund_limit"), back.values().len()), (None, 0));
        assert_kept::<SiteSettings>(&[changed(Some("900"))]);
    }
}
