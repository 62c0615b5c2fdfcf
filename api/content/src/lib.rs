//! Pages of words: the texts that ship with the house, those that it wrote itself, and what a Markdown text says, as blocks that a page draws.
//!
//! A text is `texts/<language>/<page>.md`: a head of `name: value` lines between two lines of `---`, then Markdown.

pub mod access;
mod blocks;
pub mod commands;
pub mod error;
mod forms;
mod page_rules;
mod shipped;

pub use blocks::{BlockKind, TextBlock, TextRun, read_blocks};
pub use forms::ContactForm;
pub use page_rules::{PAGES, PageRule, Shelf, find_rule};
pub use shipped::{BLOG, ShippedText, find_text, list_posts};

/// Values that a text names in braces. A block that names one which is not set is left out.
#[derive(Debug, Clone, Default)]
pub struct Values(Vec<(&'static str, String)>);

impl Values {
    /// Values of the names; an empty one is not set.
    pub fn new(named: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let set = named.into_iter().filter(|(_, value)| !value.is_empty());
        Self(set.collect())
    }

    /// The text with its values, or none where one that it names is not set.
    pub fn fill(&self, text: &str) -> Option<String> {
        let mut filled = text.to_owned();
        for (name, value) in &self.0 {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
        let names_another = NAMES
            .iter()
            .any(|name| text.contains(&format!("{{{name}}}")) && self.0.iter().all(|(set, _)| set != name));
        (!names_another).then_some(filled)
    }
}

/// Names that a text may use.
pub const NAMES: [&str; 5] = ["brand", "hold", "seller", "seller_address", "support_email"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_its_value_is_left_out() {
        let values = Values::new([("brand", "Amber".to_owned()), ("support_email", String::new())]);
        assert_eq!(values.fill("{brand} helps").as_deref(), Some("Amber helps"));
        assert_eq!(values.fill("Write to {support_email}"), None);
        assert_eq!(values.fill("{unknown} stays").as_deref(), Some("{unknown} stays"));
    }
}
