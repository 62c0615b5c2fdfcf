//! What is known of a request while its answer is written: its id, and the language of its reader.

use domain::language::Language;
use uuid::Uuid;

tokio::task_local! {
    static REQUEST_ID: Uuid;
    static LANGUAGE: Language;
}

/// Answers within the request of this id, for a reader of this language.
pub async fn of<A: Future>(id: Uuid, language: Language, answering: A) -> A::Output {
    REQUEST_ID.scope(id, LANGUAGE.scope(language, answering)).await
}

/// The id of the request being answered, also its correlation id in the log; `None` outside a request.
pub fn request_id() -> Option<Uuid> {
    REQUEST_ID.try_with(|id| *id).ok()
}

/// The language of whoever reads the answer; English outside a request.
pub fn current_language() -> Language {
    LANGUAGE.try_with(|language| *language).unwrap_or_default()
}
