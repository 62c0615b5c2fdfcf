//! Somebody drops a read model's table under the running server: everything else goes on, it is said which, and a rebuild makes
//! it again.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::{LOG_FILE, Server};

use crate::market::until;
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

const EMPTY: (&str, &str) = ("LATCHKEY_DEMO_CATALOGUE", "false");

/// What `/readyz` says of a read model's error once that is there or gone, with the answer's status.
async fn rests(server: &Server, name: &str, rests: bool) -> (StatusCode, Value) {
    until(|| async {
        let answer = reqwest::get(server.url("/readyz")).await.unwrap();
        let (status, ready) = (answer.status(), answer.json::<Value>().await.unwrap());
        let mut models = ready["read_models"].as_array().unwrap().iter();
        let error = models.find(|model| model["name"] == name).unwrap()["error"].clone();
        (error.is_null() != rests).then_some((status, error))
    })
    .await
}

/// Waits until no read model rests or is far behind.
async fn is_ready(server: &Server) {
    until(|| async {
        let answer = reqwest::get(server.url("/readyz")).await.unwrap();
        (answer.status() == StatusCode::OK).then_some(())
    })
    .await;
}

/// What the tables of the enquiries' list are made of.
fn shape(server: &Server) -> Vec<Vec<Option<String>>> {
    let asked = if server.database_name().is_some() {
        "select tablename, indexname, indexdef from pg_indexes where schemaname = 'latchkey_read' order by 1, 2"
    } else {
        "select tbl_name, name, sql from sqlite_master order by 1, 2"
    };
    stored::rows(server, Part::ReadModels, asked)
}

async fn enquires(server: &Server, email: &str) -> String {
    let person = Visitor::new(server);
    let sent = person.post("/api/v0/leads", enquiry("Mei Lin", email)).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap())
}

/// Drops the list of enquiries; what says so, what goes on, and how a command brings it back.
async fn comes_back_by_the_command(server: &Server, admin: &Visitor<'_>) {
    let before = shape(server);
    let first = enquires(server, "first@example.com").await;
    assert_eq!(admin.get(&first).await.status, StatusCode::OK);
    let end = if server.database_name().is_some() {
        " cascade"
    } else {
        ""
    };
    stored::change(server, Part::ReadModels, &format!("drop table lead_board{end}"));
    let (status, error) = rests(server, "lead_board", true).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        error.as_str().unwrap().contains("`lead_board` is gone"),
        "{error}"
    );
    let told = "a read model rests projection=\"lead_board\"";
    until(|| async { server.logged().contains(told).then_some(()) }).await;
    let said = server.run(&["doctor"]);
    assert!(said.contains("`latchkey rebuild lead_board`"), "{said}");

    // The other read models take in what comes.
    let second = enquires(server, "second@example.com").await;
    until(|| async {
        let ready: Value = reqwest::get(server.url("/readyz"))
            .await
            .ok()?
            .json()
            .await
            .ok()?;
        let mut behind = ready["read_models"]
            .as_array()?
            .iter()
            .filter(|model| model["lag"] != 0);
        (behind.next()?["name"] == "lead_board" && behind.next().is_none()).then_some(())
    })
    .await;
    let read = admin.get(&first).await;
    assert_eq!(
        (read.status, read.code()),
        (StatusCode::SERVICE_UNAVAILABLE, "busy")
    );
    for nothing in [
        ["rebuild", "lead_board", "--compare"],
        ["rebuild", "lead_board", "--rollback"],
    ] {
        let said = server.refused(&nothing);
        assert!(
            said.contains("`latchkey rebuild lead_board` makes it again"),
            "{said}"
        );
    }
    // Looked at every moment for seconds, it is said when it begins: once, or twice where one look saw it otherwise.
    assert!(server.logged().matches(told).count() < 3, "{}", server.logged());
    let said = server.run(&["rebuild", "lead_board"]);
    assert!(said.contains("rebuilt: lead_board"), "{said}");
    rests(server, "lead_board", false).await;
    let third = enquires(server, "third@example.com").await;
    for link in [&first, &second, &third] {
        assert_eq!(admin.get(link).await.status, StatusCode::OK, "{link}");
    }
    assert_eq!(shape(server), before);
    let said = server.refused(&["rebuild", "lead_board", "--rollback"]);
    assert!(said.contains("nothing is kept of `lead_board`"), "{said}");
}

async fn dropped_and_made_again(settings: &[(&str, &str)]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let all = [settings, &[EMPTY, (LOG_FILE, file.path().to_str().unwrap())]].concat();
    let mut server = Server::with(&all);
    {
        let admin = Visitor::new(&server);
        admin.log_in_as("admin").await;
        comes_back_by_the_command(&server, &admin).await;
        stored::change(
            &server,
            Part::ReadModels,
            "drop table journey; drop table shortlist",
        );
        rests(&server, "journey", true).await;
        let models = "/api/v0/workspace/read_models/journey";
        let back = admin.post(&format!("{models}/rollback"), json!({})).await;
        assert_eq!(back.status, StatusCode::CONFLICT, "{}", back.body);
        assert_eq!(back.body["message"]["code"], "read_model_gone");
        let built = admin.post(&format!("{models}/rebuild"), json!({})).await;
        assert_eq!(built.status, StatusCode::OK, "{}", built.body);
        rests(&server, "journey", false).await;
    }
    // A rebuild that is killed over it leaves an empty table that nobody takes for the log's word; a start makes it whole.
    let unbuilt =
        "update projection set version = 0, position = 0 where name = 'session'; delete from session";
    stored::change(&server, Part::ReadModels, unbuilt);
    let (_, error) = rests(&server, "session", true).await;
    assert!(error.as_str().unwrap().contains("not built anew yet"), "{error}");
    stored::change(&server, Part::ReadModels, "drop table lead_board_home");
    server.kill();
    server.restart();
    is_ready(&server).await;
    assert!(stored::number(&server, Part::ReadModels, "select count(*) from session") > 0);
    server.kill();
    stored::change(&server, Part::ReadModels, "drop table projection");
    let said = server.refused(&["rebuild"]);
    assert!(
        said.contains("stop every node, drop the schema `latchkey_read`"),
        "{said}"
    );
    match server.database_name() {
        Some(database) => drop(tests::cluster().run(&database, "drop schema latchkey_read cascade")),
        None => {
            for ending in ["", "-wal", "-shm"] {
                let file = server.folder().join(format!("read.db{ending}"));
                assert!(!file.exists() || std::fs::remove_file(file).is_ok());
            }
        }
    }
    server.restart();
    rests(&server, "session", false).await;
}

/// A dropped table rests while all else goes on and a rebuild makes it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_table_stops_its_model_alone_until_a_rebuild() {
    dropped_and_made_again(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_dropped_in_postgresql_is_made_again_too() {
    let url = tests::cluster().database();
    dropped_and_made_again(&[("LATCHKEY_DATABASE", &url)]).await;
}

/// Takes the projector's own table away for a while: nothing is known of any read model, which is said of each of them.
async fn without_its_own_table(settings: &[(&str, &str)]) {
    let server = Server::with(&[settings, &[EMPTY]].concat());
    let renamed = "alter table projection rename to projection_away";
    stored::change(&server, Part::ReadModels, renamed);
    for name in ["session", "lead_board"] {
        let (status, error) = rests(&server, name, true).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(error.as_str().unwrap().contains("`projection`"), "{error}");
    }
    let renamed = "alter table projection_away rename to projection";
    stored::change(&server, Part::ReadModels, renamed);
    is_ready(&server).await;
    enquires(&server, "first@example.com").await;
}

/// No read model is ready while the table is gone in which all note how far they have come.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_checkpoint_table_makes_no_read_model_ready() {
    without_its_own_table(&[]).await;
}

/// No read model is ready while that table is gone from PostgreSQL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_checkpoint_table_in_postgres_makes_none_ready() {
    let url = tests::cluster().database();
    without_its_own_table(&[("LATCHKEY_DATABASE", &url)]).await;
}

/// Renames the list of enquiries, so that an index of it stands in the way of the new one.
async fn renamed_it_rests(settings: &[(&str, &str)]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let log_file = (LOG_FILE, file.path().to_str().unwrap());
    let mut server = Server::with(&[settings, &[EMPTY, log_file]].concat());
    let renamed = "alter table lead_board rename to lead_board_old";
    stored::change(&server, Part::ReadModels, renamed);
    rests(&server, "lead_board", true).await;
    let way_out = "its index `lead_board_answered` hangs on the table `lead_board_old`: rename that table back to `lead_board`, or drop it";
    let said = server.refused(&["rebuild", "lead_board"]);
    assert!(said.contains(way_out), "{said}");
    server.kill();
    server.restart();
    // Where nodes share a database, the one that was killed holds the work for a while.
    until(|| async {
        let (status, error) = rests(&server, "lead_board", true).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        error.as_str().unwrap().contains(way_out).then_some(())
    })
    .await;
    // All else goes on.
    enquires(&server, "first@example.com").await;
    rests(&server, "session", false).await;
    stored::change(&server, Part::ReadModels, "drop table lead_board_old");
    server.run(&["rebuild", "lead_board"]);
    is_ready(&server).await;
}

/// A renamed table stops its own read model alone and it is said what is in the way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renamed_table_stops_its_model_alone_and_names_the_obstacle() {
    renamed_it_rests(&[]).await;
}

/// A table renamed in PostgreSQL stops its own read model alone too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renamed_table_in_postgres_stops_its_model_alone() {
    let url = tests::cluster().database();
    renamed_it_rests(&[("LATCHKEY_DATABASE", &url)]).await;
}
