//! Texts that ship with the binary.

use domain::language::Language;
use include_dir::{Dir, include_dir};

static TEXTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/texts");

/// The path of the blog without its slash, and the folder of its posts.
pub const BLOG: &str = "blog";

/// A text as it ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedText {
    /// Its file's name without the ending.
    pub slug: &'static str,
    /// The language in which it is written.
    pub language: Language,
    head: &'static str,
    /// Markdown below the head.
    pub body: &'static str,
}

impl ShippedText {
    /// A value of the head; none where it is missing or empty.
    pub fn field(&self, name: &str) -> Option<&'static str> {
        self.head.lines().find_map(|line| {
            let value = line.strip_prefix(name)?.strip_prefix(':')?.trim();
            (!value.is_empty()).then_some(value)
        })
    }

    /// The values of a field that holds several.
    pub fn list_words(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let words = self.field(name).unwrap_or_default().split(',');
        words.map(str::trim).filter(|word| !word.is_empty())
    }
}

/// The text of a page in a language, else in the language that a missing text falls back to.
pub fn find_text(language: Language, slug: &str) -> Option<ShippedText> {
    let own = find_in(language, slug);
    own.or_else(|| find_in(Language::default(), slug))
}

fn find_in(language: Language, slug: &str) -> Option<ShippedText> {
    let file = TEXTS.get_file(format!("{}/{slug}.md", language.code()))?;
    read_text(
        language,
        file.path().file_stem()?.to_str()?,
        file.contents_utf8()?,
    )
}

fn read_text(language: Language, slug: &'static str, text: &'static str) -> Option<ShippedText> {
    let (head, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    Some(ShippedText {
        slug,
        language,
        head,
        body,
    })
}

/// Posts of the blog, the newest first.
pub fn list_posts(language: Language) -> Vec<ShippedText> {
    let folder = TEXTS.get_dir(format!("{}/{BLOG}", Language::default().code()));
    let files = folder.into_iter().flat_map(Dir::files);
    let slugs = files.filter_map(|file| file.path().file_stem()?.to_str());
    let mut posts: Vec<ShippedText> = slugs
        .filter_map(|slug| find_text(language, &format!("{BLOG}/{slug}")))
        .collect();
    posts.sort_by_key(|post| std::cmp::Reverse((post.field("date"), post.slug)));
    posts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_body_are_told_apart() {
        let text = "---\ntitle: Who we are\ntags: renting, money\nlead:\n---\nFirst.\n";
        let read = read_text(Language::default(), "about", text).unwrap();
        assert_eq!(read.field("title"), Some("Who we are"));
        assert_eq!(read.field("lead"), None);
        assert_eq!(read.list_words("tags").collect::<Vec<_>>(), ["renting", "money"]);
        assert_eq!(read.body, "First.\n");
        assert_eq!(read_text(Language::default(), "about", "First.\n"), None);
    }

    #[test]
    fn only_texts_are_pages() {
        for wrong in ["", "nothing", "../en/about", "blog/../about", "about.md"] {
            assert_eq!(find_text(Language::default(), wrong), None, "{wrong}");
        }
    }
}
