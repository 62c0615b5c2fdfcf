//! The blog as RSS 2.0 (<https://www.rssboard.org/rss-specification>).

use std::fmt::Write as _;

use ::content::BLOG;
use chrono::NaiveTime;
use domain::calendar::read_day;
use domain::language::Language;
use quick_xml::escape::escape;

use crate::brand::face_of;
use crate::pages::blog::list_cards;
use crate::pages::content::FilledText;
use crate::pages::head::href;
use crate::pages::sources::PageSources;

pub(super) fn write_feed(sources: &PageSources, lang: Language) -> String {
    let blog = FilledText::find(sources, lang, BLOG);
    let said = |field: &str| blog.as_ref().and_then(|blog| blog.field(field));
    let mut feed = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel>");
    let brand = face_of(sources).name;
    let title = format!("{} | {brand}", said("title").unwrap_or_default());
    add_element(&mut feed, "title", &title);
    add_element(&mut feed, "link", &href(sources, lang, "/blog"));
    add_element(&mut feed, "description", &said("description").unwrap_or_default());
    add_element(&mut feed, "language", lang.code());
    for post in list_cards(sources, lang) {
        let address = href(sources, lang, &post.href);
        feed.push_str("<item>");
        add_element(&mut feed, "title", &post.title);
        add_element(&mut feed, "link", &address);
        add_element(&mut feed, "guid", &address);
        add_element(&mut feed, "description", &post.description);
        if let Some(day) = read_day(&post.written_on) {
            let day = day.and_time(NaiveTime::MIN).and_utc();
            add_element(&mut feed, "pubDate", &day.to_rfc2822());
        }
        feed.push_str("</item>");
    }
    feed.push_str("</channel></rss>\n");
    feed
}

fn add_element(feed: &mut String, name: &str, words: &str) {
    let _ = write!(feed, "<{name}>{}</{name}>", escape(words));
}
