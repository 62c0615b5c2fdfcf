//! Photos that lie beside a feed's file: their bytes go into the picture store while the file is read, so that every node finds them
//! there. Nothing outside the file's folder is opened, wherever a path or a link leads.

use std::path::{Path, PathBuf};

use domain::id::PhotoId;
use domain::photo::{ContentHash, Photo, PhotoRefusal, kept_place};
use eventlog::EventLog;
use feeds::{Home, Picture};
use photos::BYTES_MAX;
use photos::store::PhotoStore;
use platform::config::Settings;

/// The folder of a feed's file, and the store of pictures.
pub(crate) struct PhotoFolder {
    /// Without links in it.
    folder: PathBuf,
    store: PhotoStore,
}

impl PhotoFolder {
    /// The folder of a file; `None` for a feed that was fetched from an address.
    ///
    /// # Errors
    /// One sentence when the picture store cannot be used.
    pub(crate) fn open(settings: &Settings, file: &str) -> Result<Option<Self>, String> {
        if file.contains("://") {
            return Ok(None);
        }
        let folder = Path::new(file)
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let Ok(folder) = folder.unwrap_or(Path::new(".")).canonicalize() else {
            return Ok(None);
        };
        let store = PhotoStore::open(settings)?;
        Ok(Some(Self { folder, store }))
    }

    /// Gives each photo and plan of a home that lies here the place of its bytes in the store, and puts them there unless the run is dry
    /// or the log says already what became of them: a photo that was taken down stays out of the store.
    ///
    /// # Errors
    /// One sentence when the store or the log fails.
    pub(crate) async fn take(&self, log: &EventLog, home: &mut Home, is_dry: bool) -> Result<(), String> {
        let of_rooms = home
            .rooms
            .iter_mut()
            .flat_map(|room| room.photos.iter_mut().chain(&mut room.floor_plans));
        let own = home.photos.iter_mut().chain(&mut home.floor_plans);
        let pictures: Vec<&mut Picture> = own.chain(of_rooms).collect();
        for picture in pictures {
            // What is not there is named where the home is read.
            let Some(bytes) = self.read_file(&picture.place) else {
                continue;
            };
            let content = ContentHash::of_bytes(&bytes);
            picture.place = kept_place(content);
            if !is_dry && is_awaited(log, &picture.place).await? {
                let put = self.store.put_incoming(content, bytes.into()).await;
                put.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// The bytes of a file below the folder, within the bound of a photo.
    fn read_file(&self, place: &str) -> Option<Vec<u8>> {
        if place.contains("://") {
            return None;
        }
        let path = self.folder.join(place.replace('\\', "/")).canonicalize().ok()?;
        let is_photo = path
            .metadata()
            .is_ok_and(|meta| meta.is_file() && meta.len() <= BYTES_MAX);
        if !is_photo || !path.starts_with(&self.folder) {
            return None;
        }
        std::fs::read(path).ok()
    }
}

/// Looks whether bytes at a place are still to be made into a photo.
async fn is_awaited(log: &EventLog, place: &str) -> Result<bool, String> {
    let known = log.load::<Photo>(PhotoId::of_place(place)).await;
    let photo = known.map_err(|error| error.to_string())?.state;
    let may_pass = photo.refusal.is_none_or(PhotoRefusal::is_temporary);
    Ok(photo.taken.is_none() && may_pass)
}

#[cfg(test)]
mod tests {
    use domain::id::UserId;
    use domain::photo::{PhotoCommand, PhotoFormat, Taken};
    use eventlog::{Actor, Context, commit};
    use platform::clock;

    use super::*;

    fn picture(place: &str) -> Picture {
        Picture {
            place: place.to_owned(),
            ..Picture::default()
        }
    }

    #[tokio::test]
    async fn files_beside_the_feed_are_taken_and_no_others() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret.jpg"), "a secret").unwrap();
        let inside = outside.path().join("feed");
        std::fs::create_dir_all(inside.join("photos")).unwrap();
        std::fs::write(inside.join("photos/1.jpg"), "a photo").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path().join("secret.jpg"), inside.join("link.jpg")).unwrap();
        let settings = Settings {
            data_dir: outside.path().join("data"),
            ..Settings::default()
        };
        let file = inside.join("homes.csv");
        let folder = PhotoFolder::open(&settings, file.to_str().unwrap())
            .unwrap()
            .unwrap();
        let absolute = outside.path().join("secret.jpg").to_str().unwrap().to_owned();
        let places = [
            "photos/1.jpg",
            "../secret.jpg",
            "link.jpg",
            absolute.as_str(),
            "https://a.example/1.jpg",
        ];
        let mut home = Home {
            photos: places.map(picture).to_vec(),
            ..Home::default()
        };
        let log = EventLog::memory();
        folder.take(&log, &mut home, false).await.unwrap();
        let content = ContentHash::of_bytes(b"a photo");
        let taken: Vec<&str> = home.photos.iter().map(|photo| photo.place.as_str()).collect();
        assert_eq!(taken[0], kept_place(content));
        assert_eq!(taken[1..], places[1..]);
        let kept = folder.store.get_incoming(content).await.unwrap();
        assert_eq!(kept.as_deref(), Some(&b"a photo"[..]));
        let fetched = PhotoFolder::open(&settings, "https://a.example/homes.csv").unwrap();
        assert!(fetched.is_none());
    }

    #[tokio::test]
    async fn photo_that_was_taken_down_does_not_come_back_into_the_store() {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("1.jpg"), "a photo").unwrap();
        let settings = Settings {
            data_dir: data.path().join("data"),
            ..Settings::default()
        };
        let file = data.path().join("homes.csv");
        let folder = PhotoFolder::open(&settings, file.to_str().unwrap())
            .unwrap()
            .unwrap();
        let (log, content) = (EventLog::memory(), ContentHash::of_bytes(b"a photo"));
        let place = kept_place(content);
        let taken = Taken {
            content,
            width: 4,
            height: 3,
            format: PhotoFormat::Jpeg,
            bytes: 7,
            preview: String::new(),
        };
        let commands = [
            PhotoCommand::Take {
                place: place.clone(),
                taken: Box::new(taken),
            },
            PhotoCommand::TakeDown {
                by: UserId(uuid::Uuid::from_u128(7)),
                reason: "It shows a tenant".to_owned(),
                keeps_original: false,
            },
        ];
        for command in commands {
            let asking = Context::new(clock::now(), Actor::SYSTEM);
            commit::<Photo>(&log, PhotoId::of_place(&place), command, &asking)
                .await
                .unwrap();
            let mut home = Home {
                photos: vec![picture("1.jpg")],
                ..Home::default()
            };
            folder.take(&log, &mut home, false).await.unwrap();
            assert_eq!(home.photos[0].place, place);
            assert_eq!(folder.store.get_incoming(content).await.unwrap(), None);
        }
    }
}
