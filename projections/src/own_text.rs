//! Texts of pages that the house wrote itself: those that are shown, and those of which there is a draft.

use domain::aggregate::Decide;
use domain::language::Language;
use domain::own_text::{OwnText, OwnTextEvent, PageText};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

const SHOWN: Table = Table {
    name: "own_text",
    columns: &[
        Text("page"),
        Text("language"),
        Number("version"),
        Text("title"),
        Text("description"),
        Text("lead"),
        Text("act"),
        Text("body"),
        Text("shipped"),
        Number("published_at"),
    ],
    key: 2,
};

const DRAFTS: Table = Table {
    name: "own_text_draft",
    columns: &[Text("page"), Text("language"), Number("drafted_at")],
    key: 2,
};

/// A text that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    pub version: u32,
    pub text: PageText,
    /// Milliseconds since 1970.
    pub published_at: i64,
}

struct ShownRow {
    version: i64,
    title: String,
    description: String,
    lead: String,
    act: String,
    body: String,
    published_at: i64,
}

tables::from_row!(ShownRow {
    version,
    title,
    description,
    lead,
    act,
    body,
    published_at
});

/// The text of a page that the house shows in a language in place of the one that ships.
///
/// # Errors
/// When the database fails.
pub async fn find_shown(
    pool: &AnyPool,
    page: &str,
    language: Language,
) -> Result<Option<ShownText>, sqlx::Error> {
    let found: Option<ShownRow> = sqlx::query_as(
        "select version, title, description, lead, act, body, published_at from own_text where page = $1 and language = $2",
    )
    .bind(page.to_owned())
    .bind(language.code().to_owned())
    .fetch_optional(pool)
    .await?;
    Ok(found.map(|row| ShownText {
        version: u32::try_from(row.version).unwrap_or_default(),
        text: PageText {
            title: row.title,
            description: row.description,
            lead: row.lead,
            act: row.act,
            body: row.body,
        },
        published_at: row.published_at,
    }))
}

/// What the house did to a page's text in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    pub page: String,
    pub language: String,
    /// None where the text that ships is shown.
    pub version: Option<i64>,
    /// SHA-256 of the text that shipped when the shown one was written.
    pub shipped: Option<String>,
    /// Milliseconds since 1970.
    pub published_at: Option<i64>,
    pub drafted_at: Option<i64>,
}

tables::from_row!(TextLine {
    page,
    language,
    version,
    shipped,
    published_at,
    drafted_at
});

/// Every text that is shown or drafted, by page and language.
///
/// # Errors
/// When the database fails.
pub async fn list_lines(pool: &AnyPool) -> Result<Vec<TextLine>, sqlx::Error> {
    sqlx::query_as(
        "select own_text.page as page, own_text.language as language, version, shipped, published_at, drafted_at from own_text \
         left join own_text_draft on own_text_draft.page = own_text.page and own_text_draft.language = own_text.language \
         union all \
         select page, language, null, null, null, drafted_at from own_text_draft where not exists \
         (select 1 from own_text where own_text.page = own_text_draft.page and own_text.language = own_text_draft.language) \
         order by 1, 2",
    )
    .fetch_all(pool)
    .await
}

/// The tables of `0700_own_text.sql`.
pub struct OwnTexts;

impl Projection for OwnTexts {
    fn name(&self) -> &'static str {
        "own_texts"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["own_text", "own_text_draft"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[OwnText::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                take_event(connection, record.decode_sealed::<OwnText>()?).await?;
            }
            Ok(())
        })
    }
}

async fn take_event(connection: &mut AnyConnection, event: OwnTextEvent) -> Result<(), ProjectionError> {
    match event {
        OwnTextEvent::Drafted {
            page,
            language,
            draft,
        } => {
            let line = row![page, language.code().to_owned(), draft.at.timestamp_millis()];
            DRAFTS.put(connection, &[line]).await?;
        }
        OwnTextEvent::Published {
            page,
            language,
            version,
        } => {
            delete_draft(connection, &page, language).await?;
            let text = *version.text;
            let line = row![
                page,
                language.code().to_owned(),
                i64::from(version.number),
                text.title,
                text.description,
                text.lead,
                text.act,
                text.body,
                version.shipped,
                version.at.timestamp_millis(),
            ];
            SHOWN.put(connection, &[line]).await?;
        }
        OwnTextEvent::TakenBack { page, language, .. } => {
            sqlx::query("delete from own_text where page = $1 and language = $2")
                .bind(page)
                .bind(language.code().to_owned())
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}

async fn delete_draft(
    connection: &mut AnyConnection,
    page: &str,
    language: Language,
) -> Result<(), sqlx::Error> {
    sqlx::query("delete from own_text_draft where page = $1 and language = $2")
        .bind(page.to_owned())
        .bind(language.code().to_owned())
        .execute(&mut *connection)
        .await?;
    Ok(())
}
