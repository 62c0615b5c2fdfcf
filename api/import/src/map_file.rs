//! Reads the map that the command names.

use std::fmt::Write as _;

use feeds::FeedMap;

/// Reads `field=column,…` or the TOML file of that name; the house's own names without one.
///
/// # Errors
/// One sentence naming what cannot be used.
pub(super) fn read_map(named: Option<&str>) -> Result<FeedMap, String> {
    match named {
        None => Ok(FeedMap::default()),
        Some(pairs) if pairs.contains('=') => FeedMap::from_toml(&write_pairs(pairs)?),
        Some(file) => {
            let unread = |error: String| format!("the map `{file}`: {error}");
            let toml = std::fs::read_to_string(file).map_err(|error| unread(error.to_string()))?;
            FeedMap::from_toml(&toml).map_err(unread)
        }
    }
}

/// The same as a map's table of columns.
fn write_pairs(pairs: &str) -> Result<String, String> {
    let mut toml = String::from("[columns]\n");
    for pair in pairs.split(',') {
        let (field, column) = pair
            .split_once('=')
            .ok_or_else(|| format!("the map's `{pair}` is no `field=column`"))?;
        // A JSON text is a TOML text too.
        let quote = |text: &str| serde_json::Value::from(text.trim()).to_string();
        let _ = writeln!(toml, "{} = {}", quote(field), quote(column));
    }
    Ok(toml)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_a_table_of_columns() {
        let toml = write_pairs("name=title, area = quarter").unwrap();
        assert_eq!(toml, "[columns]\n\"name\" = \"title\"\n\"area\" = \"quarter\"\n");
        assert!(read_map(Some("name=title")).is_ok());
        let error = read_map(Some("name=title,quarter")).unwrap_err();
        assert_eq!(error, "the map's `quarter` is no `field=column`");
        assert!(
            read_map(Some("no-such-map.toml"))
                .unwrap_err()
                .starts_with("the map `no-such-map.toml`: ")
        );
    }
}
