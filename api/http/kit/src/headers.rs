//! What headers and queries say, read as they were sent: cookies, parameters, the language of the reader.

use axum::http::{HeaderMap, header};
use domain::language::Language;

/// The reader's language: `lang` query > cookie > Accept-Language > `usual`, that of the site (D3).
pub fn language_of(query: Option<&str>, headers: &HeaderMap, usual: Language) -> Language {
    query
        .and_then(|query| query_value(query, "lang"))
        .into_iter()
        .chain(cookies(headers, "lang"))
        .find_map(Language::from_tag)
        .or_else(|| accepted(headers))
        .unwrap_or(usual)
}

/// The language that `lang` names, also one in which only some texts are written: receipts, stories of leads.
pub fn named_language(query: Option<&str>) -> Option<Language> {
    Language::from_code(query_value(query?, "lang")?)
}

/// The first language of the reader's that pages are written in, in the order of `q`; what has `q=0` is refused (RFC 9110,
/// 12.5.4).
fn accepted(headers: &HeaderMap) -> Option<Language> {
    let lines = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    let ranges = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    let mut ranges: Vec<(f64, &str)> = ranges.filter_map(weighed).collect();
    ranges.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (wanted, refused): (Vec<_>, Vec<_>) = ranges.into_iter().partition(|(weight, _)| *weight > 0.0);
    let is_refused = |language: &Language| {
        let same = |(_, tag): &(f64, &str)| tag.eq_ignore_ascii_case(language.code());
        refused.iter().any(same)
    };
    wanted.into_iter().find_map(|(_, tag)| match tag {
        "*" => Language::SERVED
            .into_iter()
            .find(|language| !is_refused(language)),
        tag => Language::from_tag(tag),
    })
}

/// A range of Accept-Language with its weight; `None` where the weight is none.
fn weighed(range: &str) -> Option<(f64, &str)> {
    let mut parts = range.split(';').map(str::trim);
    let tag = parts.next()?;
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let weight = weight.map_or(Some(1.0), |text| text.parse().ok())?;
    (0.0..=1.0).contains(&weight).then_some((weight, tag))
}

/// One parameter's value of a query, as written.
pub fn query_value<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Every value of a cookie: a browser sends one for each path and domain that it was set for (RFC 6265, 5.4).
pub fn cookies<'h>(headers: &'h HeaderMap, name: &'static str) -> impl Iterator<Item = &'h str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(move |pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}
