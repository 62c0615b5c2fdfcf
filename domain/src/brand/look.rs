//! The look of a brand: everything that it may say of itself. What it does not say is as the house ships it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::colour::Colour;
use crate::contact::{Email, is_unseen, seen_length};
use crate::country::Country;
use crate::language::Language;
use crate::money::Currency;
use crate::photo::ContentHash;

const NAME_MAX: usize = 40;
const TAGLINE_MAX: usize = 60;
const HERO_MAX: usize = 80;
const LEDE_MAX: usize = 200;
/// Lines of a letterhead, and of the small print of mails.
const LINES_MAX: usize = 8;
const LINE_MAX: usize = 120;
const SUPPORT_MAX: usize = 20;
const LINKS_MAX: usize = 12;
const LABEL_MAX: usize = 40;
const ADDRESS_MAX: usize = 400;

/// A text by the tag of its language.
pub type Words = BTreeMap<String, String>;

/// Fonts that ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BrandFont {
    Inter,
    /// The reader's own.
    System,
}

impl BrandFont {
    pub const ALL: [Self; 2] = [Self::Inter, Self::System];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Inter => "inter",
            Self::System => "system",
        }
    }
}

/// Sections of the home page below its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HomeSection {
    Cities,
    Recent,
    Facts,
    HowItWorks,
    Ask,
}

impl HomeSection {
    /// In the order that ships.
    pub const ALL: [Self; 5] = [
        Self::Cities,
        Self::Recent,
        Self::Facts,
        Self::HowItWorks,
        Self::Ask,
    ];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Cities => "cities",
            Self::Recent => "recent",
            Self::Facts => "facts",
            Self::HowItWorks => "how_it_works",
            Self::Ask => "ask",
        }
    }
}

/// Ways to reach the house from a country.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SupportContact {
    /// `None`: from everywhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<Country>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// A name in a chat program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<String>,
}

/// A link of the footer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FooterLink {
    pub label: Words,
    /// A path of the site, or an `https` address.
    pub href: String,
}

/// Everything that a brand may say of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BrandLook {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub tagline: Words,
    /// On white; the other marks are made of it unless they are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo_dark: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub favicon: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_icon: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub social_picture: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_colour: Option<Colour>,
    /// The main colour where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub button_colour: Option<Colour>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footer_colour: Option<Colour>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font: Option<BrandFont>,
    /// The heading of the home page.
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub hero: Words,
    /// The sentence below it.
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub hero_lede: Words,
    /// Those that are shown, in their order; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<HomeSection>>,
    /// Small print under every mail, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mail_small_print: Vec<String>,
    /// At the head of papers, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub letterhead: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub support: Vec<SupportContact>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub footer_links: Vec<FooterLink>,
    /// The tag of the language that a reader without a choice is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The place that searches begin with, by its name in addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
}

/// Why a look cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LookFault {
    #[error("{field} is empty")]
    Empty { field: &'static str },
    #[error("{field} has more than {max} characters")]
    TooLong { field: &'static str, max: usize },
    #[error("{field} has more than {max} entries")]
    TooMany { field: &'static str, max: usize },
    #[error("{field} holds characters that nobody sees")]
    Unseen { field: &'static str },
    #[error("`{tag}` is the tag of no language")]
    UnknownLanguage { field: &'static str, tag: String },
    #[error("{field} names a section twice")]
    Twice { field: &'static str },
    #[error("{field} is no address")]
    NoAddress { field: &'static str },
    #[error("{field} names a picture that was not uploaded")]
    UnknownPicture { field: &'static str },
}

impl LookFault {
    /// The value that is wrong.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Empty { field }
            | Self::TooLong { field, .. }
            | Self::TooMany { field, .. }
            | Self::Unseen { field }
            | Self::UnknownLanguage { field, .. }
            | Self::Twice { field }
            | Self::NoAddress { field }
            | Self::UnknownPicture { field } => field,
        }
    }

    /// The code programs read.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "required",
            Self::TooLong { .. } => "too_long",
            Self::TooMany { .. } => "too_many",
            Self::Unseen { .. } => "unseen",
            Self::UnknownLanguage { .. } | Self::UnknownPicture { .. } => "unknown",
            Self::Twice { .. } => "twice",
            Self::NoAddress { .. } => "address",
        }
    }
}

impl BrandLook {
    /// The text in a language, else in English; `None` where it is written in neither.
    pub fn say(words: &Words, lang: Language) -> Option<&str> {
        let in_language = |lang: Language| words.get(lang.code()).map(String::as_str);
        in_language(lang).or_else(|| in_language(Language::default()))
    }

    /// Every picture that it names, by the name of its value.
    pub fn pictures(&self) -> impl Iterator<Item = (&'static str, ContentHash)> {
        let all = [
            ("logo", self.logo),
            ("logo_dark", self.logo_dark),
            ("favicon", self.favicon),
            ("app_icon", self.app_icon),
            ("social_picture", self.social_picture),
        ];
        all.into_iter()
            .filter_map(|(field, content)| Some((field, content?)))
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first that cannot be taken.
    pub fn check(&self) -> Result<(), LookFault> {
        if let Some(name) = &self.name {
            check_text("name", name, NAME_MAX)?;
        }
        check_words("tagline", &self.tagline, TAGLINE_MAX)?;
        check_words("hero", &self.hero, HERO_MAX)?;
        check_words("hero_lede", &self.hero_lede, LEDE_MAX)?;
        check_lines("mail_small_print", &self.mail_small_print)?;
        check_lines("letterhead", &self.letterhead)?;
        if let Some(sections) = &self.sections {
            check_sections(sections)?;
        }
        check_count("support", self.support.len(), SUPPORT_MAX)?;
        self.support.iter().try_for_each(check_contact)?;
        check_count("footer_links", self.footer_links.len(), LINKS_MAX)?;
        self.footer_links.iter().try_for_each(check_link)?;
        if let Some(tag) = &self.first_language {
            check_tag("first_language", tag)?;
        }
        self.region
            .as_ref()
            .map_or(Ok(()), |region| check_text("region", region, LINE_MAX))
    }
}

fn check_text(field: &'static str, text: &str, max: usize) -> Result<(), LookFault> {
    if seen_length(text) == 0 {
        return Err(LookFault::Empty { field });
    }
    if text.chars().count() > max {
        return Err(LookFault::TooLong { field, max });
    }
    // Signs that turn the writing round, or that nobody sees, would spoil every page they stand on.
    if text
        .chars()
        .any(|letter| letter.is_control() || is_unseen(letter))
    {
        return Err(LookFault::Unseen { field });
    }
    Ok(())
}

fn check_count(field: &'static str, count: usize, max: usize) -> Result<(), LookFault> {
    if count > max {
        return Err(LookFault::TooMany { field, max });
    }
    Ok(())
}

fn check_lines(field: &'static str, lines: &[String]) -> Result<(), LookFault> {
    check_count(field, lines.len(), LINES_MAX)?;
    lines
        .iter()
        .try_for_each(|line| check_text(field, line, LINE_MAX))
}

fn check_tag(field: &'static str, tag: &str) -> Result<(), LookFault> {
    match Language::from_code(tag) {
        Some(_) => Ok(()),
        None => Err(LookFault::UnknownLanguage {
            field,
            tag: tag.to_owned(),
        }),
    }
}

fn check_words(field: &'static str, words: &Words, max: usize) -> Result<(), LookFault> {
    words.iter().try_for_each(|(tag, text)| {
        check_tag(field, tag)?;
        check_text(field, text, max)
    })
}

fn check_sections(sections: &[HomeSection]) -> Result<(), LookFault> {
    let is_twice =
        |(place, section): (usize, &HomeSection)| sections.iter().take(place).any(|other| other == section);
    if sections.iter().enumerate().any(is_twice) {
        return Err(LookFault::Twice { field: "sections" });
    }
    Ok(())
}

fn check_contact(contact: &SupportContact) -> Result<(), LookFault> {
    const FIELD: &str = "support";
    let SupportContact {
        country: _,
        phone,
        email,
        chat,
        hours,
    } = contact;
    let ways = [phone, email, chat];
    if ways.into_iter().all(Option::is_none) {
        return Err(LookFault::Empty { field: FIELD });
    }
    if email.as_ref().is_some_and(|email| Email::parse(email).is_err()) {
        return Err(LookFault::NoAddress { field: FIELD });
    }
    let mut texts = [phone, email, chat, hours].into_iter().flatten();
    texts.try_for_each(|text| check_text(FIELD, text, LINE_MAX))
}

fn check_link(link: &FooterLink) -> Result<(), LookFault> {
    const FIELD: &str = "footer_links";
    if link.label.is_empty() {
        return Err(LookFault::Empty { field: FIELD });
    }
    check_words(FIELD, &link.label, LABEL_MAX)?;
    check_text(FIELD, &link.href, ADDRESS_MAX)?;
    // Two slashes lead to another host.
    let is_path = link.href.starts_with('/') && !link.href.starts_with("//") && !link.href.contains('\\');
    let is_outside = link
        .href
        .strip_prefix("https://")
        .is_some_and(|rest| !rest.is_empty());
    if (!is_path && !is_outside) || link.href.contains(char::is_whitespace) {
        return Err(LookFault::NoAddress { field: FIELD });
    }
    Ok(())
}
