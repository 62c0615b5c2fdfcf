//! Writes a draft of a page's text, publishes it as the next version, or shows the text that ships again.

use domain::aggregate::Decide as _;
use domain::contact::is_blank;
use domain::id::{OwnTextId, UserId};
use domain::language::Language;
use domain::own_text::{BODY_MAX, Draft, LINE_MAX, OwnText, OwnTextCommand, PageText, TITLE_MAX};
use eventlog::{Append, Appended, CommitError, Context, EventLog, Revision, commit_together};

use crate::error::TextError;

/// Longest words of a button, in characters.
const ACT_MAX: usize = 40;

/// An edit of a page's text in one language.
#[derive(Debug, Clone)]
pub struct EditText {
    pub page: String,
    pub language: Language,
    /// Where the text stood when its editor read it.
    pub revision: Revision,
    pub by: UserId,
    pub edit: Edit,
}

/// Kinds of edits.
#[derive(Debug, Clone)]
pub enum Edit {
    /// Keeps a draft; `shipped` is the hash of the text that ships now.
    Write {
        text: Box<PageText>,
        shipped: String,
    },
    Publish,
    TakeBack,
}

/// Edits a text, once for each command.
///
/// # Errors
/// The reason as a [`TextError`], and whatever else stands against an append.
pub async fn edit_text(
    log: &EventLog,
    edit: &EditText,
    context: &Context,
) -> Result<Appended, CommitError<TextError>> {
    if let Edit::Write { text, .. } = &edit.edit {
        check_text(text).map_err(CommitError::Rejected)?;
    }
    commit_together(log, context, |append| compose(log, edit, append)).await
}

async fn compose(log: &EventLog, edit: &EditText, append: Append) -> Result<Append, CommitError<TextError>> {
    let id = OwnTextId::of_page(&edit.page, edit.language);
    let read = log.load::<OwnText>(id).await?;
    if read.revision != edit.revision {
        return Err(CommitError::Rejected(TextError::ChangedMeanwhile));
    }
    let (by, at) = (edit.by, append.context.at);
    let command = match &edit.edit {
        Edit::Write { text, shipped } => OwnTextCommand::Write {
            page: edit.page.clone(),
            language: edit.language,
            draft: Draft {
                text: text.clone(),
                shipped: shipped.clone(),
                by,
                at,
            },
        },
        Edit::Publish => OwnTextCommand::Publish { by, at },
        Edit::TakeBack => OwnTextCommand::TakeBack { by, at },
    };
    let decided = read.state.decide(command);
    let events = decided.map_err(|rejection| CommitError::Rejected(TextError::from(rejection)))?;
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(id, &read, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

fn check_text(text: &PageText) -> Result<(), TextError> {
    let needed = [
        ("text.title", &text.title),
        ("text.description", &text.description),
        ("text.body", &text.body),
    ];
    if let Some((field, _)) = needed.into_iter().find(|(_, said)| is_blank(said)) {
        return Err(TextError::Empty { field });
    }
    let bounded = [
        ("text.title", &text.title, TITLE_MAX),
        ("text.description", &text.description, LINE_MAX),
        ("text.lead", &text.lead, LINE_MAX),
        ("text.act", &text.act, ACT_MAX),
        ("text.body", &text.body, BODY_MAX),
    ];
    let long = bounded
        .into_iter()
        .find(|(_, said, max)| said.chars().count() > *max);
    match long {
        Some((field, _, max)) => Err(TextError::TooLong { field, max }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> PageText {
        PageText {
            title: "Who we are".to_owned(),
            description: "Who lets these rooms.".to_owned(),
            lead: String::new(),
            act: String::new(),
            body: "We let rooms.".to_owned(),
        }
    }

    #[test]
    fn text_names_the_field_that_is_wrong() {
        assert_eq!(check_text(&text()), Ok(()));
        let empty = PageText {
            body: " \u{200B} ".to_owned(),
            ..text()
        };
        assert_eq!(check_text(&empty), Err(TextError::Empty { field: "text.body" }));
        let long = PageText {
            title: "x".repeat(TITLE_MAX + 1),
            ..text()
        };
        let refused = TextError::TooLong {
            field: "text.title",
            max: TITLE_MAX,
        };
        assert_eq!(check_text(&long), Err(refused));
    }
}
