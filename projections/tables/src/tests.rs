use super::*;

/// A file that cannot be opened is named with its cause, in place of a pool that waited in vain.
#[tokio::test]
async fn file_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{}.db", trial::PURPOSE.name));
    std::fs::create_dir(&file).unwrap();
    let place = Place::Folder(folder.path().to_owned());
    let said = Database::open(&place, &trial::PURPOSE)
        .await
        .unwrap_err()
        .to_string();
    let name = file.display().to_string();
    assert!(said.contains(&name) && said.contains("unable to open"), "{said}");
}

/// A connection that only reads is none to write on and one that must wait is.
#[tokio::test]
async fn read_only_connection_is_refused_and_a_waiting_one_kept() {
    install_drivers();
    let folder = tempfile::tempdir().unwrap();
    let open = async |mode: &str| {
        let url = format!("sqlite:{}/a.db?mode={mode}", folder.path().display());
        AnyConnection::connect(&url).await.unwrap()
    };
    let mut writes = open("rwc").await;
    writes
        .execute("pragma journal_mode = wal; create table a (b integer)")
        .await
        .unwrap();
    is_writable(&mut writes).await.unwrap();
    writes.execute("begin immediate").await.unwrap();
    is_writable(&mut open("rw").await).await.unwrap();
    is_writable(&mut open("ro").await).await.unwrap_err();
}
