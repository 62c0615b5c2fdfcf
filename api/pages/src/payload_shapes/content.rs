//! Pages of words: texts of the house, help, blog, and the map of the site.

use ::content::{ContactForm, Shelf, TextBlock};
use serde::Serialize;
use utoipa::ToSchema;

/// A link with its name in the reader's language.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PageLink {
    pub name: String,
    pub href: String,
}

/// `/about` and its like.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContentPage {
    /// Its path without the slash.
    pub key: &'static str,
    pub title: String,
    pub lead: Option<String>,
    /// The day from which a text of the house holds; null of one that ships.
    pub holds_from: Option<String>,
    pub blocks: Vec<TextBlock>,
    pub act: Option<PageLink>,
    pub form: Option<ContactForm>,
    /// Pages that belong to it.
    pub more: Vec<PageLink>,
}

/// `/help`.
#[derive(Debug, Serialize, ToSchema)]
pub struct HelpPage {
    pub title: String,
    pub lead: Option<String>,
    pub topics: Vec<HelpTopic>,
}

/// Questions that belong together.
#[derive(Debug, Serialize, ToSchema)]
pub struct HelpTopic {
    pub id: String,
    pub name: String,
    pub questions: Vec<HelpQuestion>,
}

/// A question with its answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct HelpQuestion {
    pub id: String,
    pub question: String,
    pub answer: Vec<TextBlock>,
}

/// `/blog`, or the posts of an author or with a tag.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlogPage {
    pub title: String,
    pub lead: Option<String>,
    /// The page shows a part of the posts.
    pub is_part: bool,
    pub posts: Vec<PostCard>,
}

/// A post as a list shows it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PostCard {
    pub title: String,
    pub description: String,
    pub href: String,
    /// The day on which it was written.
    pub written_on: String,
    pub author: PageLink,
    pub tags: Vec<PageLink>,
}

/// `/blog/{post}`.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostPage {
    pub post: PostCard,
    pub blocks: Vec<TextBlock>,
    /// Other posts, the newest first.
    pub more: Vec<PostCard>,
}

/// `/sitemap`.
#[derive(Debug, Serialize, ToSchema)]
pub struct SiteMapPage {
    pub countries: Vec<SiteMapCountry>,
    pub shelves: Vec<SiteMapShelf>,
}

/// A country in which homes are let, with its cities.
#[derive(Debug, Serialize, ToSchema)]
pub struct SiteMapCountry {
    pub country: PageLink,
    pub homes: u64,
    pub cities: Vec<PageLink>,
}

/// Pages of words that belong together.
#[derive(Debug, Serialize, ToSchema)]
pub struct SiteMapShelf {
    pub shelf: Shelf,
    pub links: Vec<PageLink>,
}
