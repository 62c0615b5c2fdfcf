//! W3's rivals: what a team writes first, and the least that an HTTP server can do.

use std::net::SocketAddr;
use std::time::SystemTime;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::serve::ListenerExt as _;
use axum::{Router, serve};
use clap::{Args, ValueEnum};
use measure::enquiry::Request;
use sqlx::types::Json;
use sqlx::{PgPool, SqlitePool};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::database;

/// What the server does with a lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Parses it and answers 201.
    Parse,
    /// Inserts a row.
    CrudSqlite,
    CrudPostgres,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    #[arg(long)]
    kind: Kind,
    #[arg(long, default_value = "")]
    place: String,
    #[arg(long, default_value_t = 10)]
    pool: u32,
}

/// Serves until it is killed; the first line says where.
pub async fn run(args: &ServeArgs) {
    let router = match args.kind {
        Kind::Parse => Router::new().route("/api/v0/leads", post(parse)),
        Kind::CrudSqlite => Router::new()
            .route("/api/v0/leads", post(into_sqlite))
            .with_state(database::sqlite_with_tables(&args.place, args.pool).await),
        Kind::CrudPostgres => Router::new()
            .route("/api/v0/leads", post(into_postgres))
            .with_state(database::postgres_with_tables(&args.place, args.pool).await),
    };
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))
        .await
        .expect("a free port");
    let address = listener.local_addr().expect("an address");
    println!("serves http://{address}");
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    serve(listener, router).await.expect("the server serves");
}

async fn parse(body: Bytes) -> Response {
    match serde_json::from_slice::<Request>(&body) {
        Ok(_) => created(Uuid::now_v7()),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn into_sqlite(State(pool): State<SqlitePool>, body: Bytes) -> Response {
    let Ok(said) = serde_json::from_slice::<Request>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let id = Uuid::now_v7();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let done = sqlx::query("insert into lead values ($1, 'created', $2, $3)")
        .bind(id.to_string())
        .bind(Json(&said))
        .bind(now.map_or(0, |now| now.as_secs().cast_signed()))
        .execute(&pool)
        .await;
    answered(id, done.err())
}

async fn into_postgres(State(pool): State<PgPool>, body: Bytes) -> Response {
    let Ok(said) = serde_json::from_slice::<Request>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let id = Uuid::now_v7();
    let done = sqlx::query("insert into lead values ($1, 'created', $2, now())")
        .bind(id)
        .bind(Json(&said))
        .execute(&pool)
        .await;
    answered(id, done.err())
}

fn answered(id: Uuid, error: Option<sqlx::Error>) -> Response {
    let Some(error) = error else { return created(id) };
    eprintln!("a lead was not written: {error}");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

fn created(id: Uuid) -> Response {
    let body = format!("{{\"data\":{{\"id\":\"{id}\"}},\"position\":1}}");
    (
        StatusCode::CREATED,
        [(header::CONTENT_TYPE, "application/json")],
        body,
    )
        .into_response()
}
