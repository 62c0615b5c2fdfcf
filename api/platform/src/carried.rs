//! The files of `i18n/` that this program carries: the build takes them in, folder by folder (`build.rs`).

use domain::language::Language;

/// Files of one language.
pub(crate) struct Carried {
    tag: &'static str,
    pub(crate) forms: &'static str,
    /// Area and text of each file.
    pub(crate) texts: &'static [(&'static str, &'static str)],
}

include!(concat!(env!("OUT_DIR"), "/carried.rs"));

/// Finds the files of a language; nothing where its folder is missing, which a test finds.
pub(crate) fn find_carried(lang: Language) -> Option<&'static Carried> {
    CARRIED.iter().find(|folder| folder.tag == lang.code())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The build hears of a new language, not of a new area in one that was there.
    #[test]
    fn every_file_of_an_area_that_the_server_says_is_carried() {
        let areas = find_carried(Language::default()).unwrap().texts;
        assert!(areas.len() > 10, "{} areas", areas.len());
        for lang in Language::ALL {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../i18n")
                .join(lang.code());
            let carried = find_carried(lang).unwrap();
            for (area, _) in areas {
                let is_written = folder.join(format!("{area}.json")).exists();
                let is_carried = carried.texts.iter().any(|(known, _)| known == area);
                assert_eq!(
                    is_carried, is_written,
                    "{lang:?} {area}: touch i18n/languages.json and build again"
                );
            }
        }
    }
}
