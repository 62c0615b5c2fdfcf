//! The blog: its posts, those of an author or with a tag, and one of them.

use ::content::{BLOG, ShippedText, list_posts};
use domain::language::Language;
use serde_json::{Value, json};

use super::content::{FilledText, draw, link};
use super::head::{Head, href};
use super::page::Outcome;
use super::sources::PageSources;
use crate::brand::face_of;
use crate::payload_shapes::content::{BlogPage, PageLink, PostCard, PostPage};

/// The house itself, which writes the posts that ship.
const HOUSE: &str = "house";
/// Posts below a post.
const MORE: usize = 3;

pub(super) fn resolve(sources: &PageSources, lang: Language, rest: &[&str]) -> Option<Outcome> {
    let posts = list_posts(lang);
    let blog = FilledText::find(sources, lang, BLOG)?;
    match rest {
        [] => {
            let title = blog.title();
            Some(show_list(sources, (lang, &blog), title, &posts, "/blog"))
        }
        ["authors", HOUSE] => {
            let title = blog.field("author")?;
            Some(show_list(sources, (lang, &blog), title, &posts, &author_path()))
        }
        ["tags", tag] => {
            let tagged: Vec<ShippedText> = posts
                .into_iter()
                .filter(|post| post.list_words("tags").any(|own| own == *tag))
                .collect();
            // A tag without posts is no page.
            let title = blog.field(tag).filter(|_| !tagged.is_empty())?;
            Some(show_list(sources, (lang, &blog), title, &tagged, &tag_path(tag)))
        }
        [slug] => show_post(sources, (lang, &blog), &posts, slug),
        _ => None,
    }
}

fn author_path() -> String {
    format!("/blog/authors/{HOUSE}")
}

fn tag_path(tag: &str) -> String {
    format!("/blog/tags/{tag}")
}

fn show_list(
    sources: &PageSources,
    (lang, blog): (Language, &FilledText),
    title: String,
    posts: &[ShippedText],
    path: &str,
) -> Outcome {
    let is_part = path != "/blog";
    let description = if is_part {
        format!("{title}: {}", blog.description())
    } else {
        blog.description()
    };
    let head = Head::listed(sources, lang, &title, description, path);
    let shown = BlogPage {
        title,
        lead: blog.field("lead").filter(|_| !is_part),
        is_part,
        posts: posts
            .iter()
            .map(|post| card(sources, (lang, blog), *post))
            .collect(),
    };
    draw("blog", head, &shown, Vec::new())
}

fn card(sources: &PageSources, (lang, blog): (Language, &FilledText), post: ShippedText) -> PostCard {
    let tags = post.list_words("tags").filter_map(|tag| {
        let name = blog.field(tag)?;
        Some(link(name, &tag_path(tag)))
    });
    let tags: Vec<PageLink> = tags.collect();
    let text = FilledText::new(sources, lang, post);
    PostCard {
        title: text.title(),
        description: text.description(),
        href: post_path(post.slug),
        written_on: post.field("date").unwrap_or_default().to_owned(),
        author: link(face_of(sources).name, &author_path()),
        tags,
    }
}

/// Where a post is read.
fn post_path(slug: &str) -> String {
    format!("/{BLOG}/{slug}")
}

fn show_post(
    sources: &PageSources,
    (lang, blog): (Language, &FilledText),
    posts: &[ShippedText],
    slug: &str,
) -> Option<Outcome> {
    let post = *posts.iter().find(|post| post.slug == slug)?;
    let others = posts.iter().filter(|other| other.slug != slug).take(MORE);
    let shown = PostPage {
        post: card(sources, (lang, blog), post),
        blocks: FilledText::new(sources, lang, post).blocks(),
        more: others.map(|other| card(sources, (lang, blog), *other)).collect(),
    };
    let path = shown.post.href.clone();
    let head = Head::listed(
        sources,
        lang,
        &shown.post.title,
        shown.post.description.clone(),
        &path,
    );
    let described = describe_post(&shown.post, &href(sources, lang, &path));
    Some(draw("post", head, &shown, vec![described]))
}

/// <https://schema.org/BlogPosting>.
fn describe_post(post: &PostCard, url: &str) -> Value {
    json!({
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": post.title,
        "description": post.description,
        "datePublished": post.written_on,
        "author": { "@type": "Organization", "name": post.author.name },
        "mainEntityOfPage": url,
    })
}

/// Every post as lists show it, the newest first.
pub(crate) fn list_cards(sources: &PageSources, lang: Language) -> Vec<PostCard> {
    let Some(blog) = FilledText::find(sources, lang, BLOG) else {
        return Vec::new();
    };
    list_posts(lang)
        .into_iter()
        .map(|post| card(sources, (lang, &blog), post))
        .collect()
}

/// Paths of the blog and of everything below it.
pub(crate) fn list_paths() -> Vec<String> {
    let posts = list_posts(Language::default());
    let mut tags: Vec<&str> = posts.iter().flat_map(|post| post.list_words("tags")).collect();
    tags.sort_unstable();
    tags.dedup();
    let mut paths = vec![format!("/{BLOG}")];
    paths.extend(posts.iter().map(|post| post_path(post.slug)));
    paths.push(author_path());
    paths.extend(tags.into_iter().map(tag_path));
    paths
}
