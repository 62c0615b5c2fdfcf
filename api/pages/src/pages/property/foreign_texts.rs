//! Texts of a home that are not there in the reader's language: the page marks each with its own (D132).

use std::collections::BTreeMap;

use domain::language::Language;
use shop::inventories::home::Home;
use shop::inventories::market;

use crate::payload_shapes::property::ForeignText;

/// Lists them by text, each once.
pub(super) fn list_foreign_texts(home: &Home, lang: Language) -> Vec<ForeignText> {
    let code = lang.code();
    let property = &home.property;
    let faqs = property.faqs.iter().flat_map(|faq| [&faq.question, &faq.answer]);
    let offers = home
        .offers()
        .into_iter()
        .flat_map(|offer| [&offer.title, &offer.description]);
    let shown = home.page.reviews.iter().take(market::reviews_to_read(home));
    let reviews = shown.flat_map(|review| review.course.iter().chain([&review.text]));
    let rooms = home.rooms().map(|room| &room.details.name);
    let all = std::iter::once(&property.description)
        .chain(faqs)
        .chain(offers)
        .chain(reviews)
        .chain(rooms);
    let foreign: BTreeMap<&str, &str> = all
        .filter_map(|text| Some((text.in_language(code), text.fallback_of(code)?)))
        .collect();
    let listed = foreign.into_iter().map(|(text, lang)| ForeignText {
        text: text.to_owned(),
        lang: lang.to_owned(),
    });
    listed.collect()
}
