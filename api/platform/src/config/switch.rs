//! Settings that are on or off: `true`, `1`, `on` or `yes`, and `false`, `0`, `off` or `no`, in any case.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Reads one that may be left out.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    deserializer.deserialize_any(Switch)
}

struct Switch;

impl<'de> Visitor<'de> for Switch {
    type Value = Option<bool>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a boolean")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<Self::Value, E> {
        Ok(Some(on))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        match number {
            0 => Ok(Some(false)),
            1 => Ok(Some(true)),
            _ => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
        match word.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" | "yes" => Ok(Some(true)),
            "false" | "0" | "off" | "no" => Ok(Some(false)),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        read(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use crate::config::Settings;

    #[test]
    fn switches_take_numbers_and_words() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("latchkey.toml");
        for (written, read) in [
            ("true", true),
            ("1", true),
            ("\"on\"", true),
            ("0", false),
            ("\"no\"", false),
        ] {
            std::fs::write(
                &file,
                format!("dev_tools = {written}\ndemo_catalogue = {written}\n"),
            )
            .unwrap();
            let settings = Settings::load(&file).unwrap();
            assert_eq!(
                (settings.dev_tools, settings.demo_catalogue),
                (Some(read), Some(read)),
                "{written}"
            );
        }
    }

    #[test]
    fn demo_homes_go_into_no_log_that_others_reach() {
        let here = Settings::default();
        assert!(here.wants_demo_homes());
        let away = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            assert!(!settings.wants_demo_homes());
            settings.demo_catalogue = Some(true);
            assert!(settings.check().unwrap_err().contains("`demo_catalogue`"));
        };
        away(|settings| settings.public_url = Some("https://homes.example".to_owned()));
        away(|settings| {
            settings.public_url = Some("https://homes.example".to_owned());
            settings.dev_tools = Some(true);
        });
        away(|settings| settings.listen = SocketAddr::from(([0, 0, 0, 0], 8080)));
        away(|settings| settings.dev_tools = Some(false));
    }
}
