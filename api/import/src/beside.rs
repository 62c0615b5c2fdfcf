//! Photos that lie beside a feed's file: their bytes go into the picture store while the file is read, so that every node finds them
//! there. Nothing outside the file's folder is opened, wherever a path or a link leads.

use std::path::{Path, PathBuf};

use domain::photo::{ContentHash, kept_place};
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

    /// Gives each photo and plan of a home that lies here the place of its bytes in the store, and puts them there unless the run is dry.
    ///
    /// # Errors
    /// One sentence when the store fails.
    pub(crate) async fn take(&self, home: &mut Home, is_dry: bool) -> Result<(), String> {
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
            if !is_dry {
                let put = self.store.put_incoming(content, bytes.into()).await;
                put.map_err(|error| error.to_string())?;
            }
            picture.place = kept_place(content);
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

#[cfg(test)]
mod tests {
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
        folder.take(&mut home, false).await.unwrap();
        let content = ContentHash::of_bytes(b"a photo");
        let taken: Vec<&str> = home.photos.iter().map(|photo| photo.place.as_str()).collect();
        assert_eq!(taken[0], kept_place(content));
        assert_eq!(taken[1..], places[1..]);
        let kept = folder.store.get_incoming(content).await.unwrap();
        assert_eq!(kept.as_deref(), Some(&b"a photo"[..]));
        let fetched = PhotoFolder::open(&settings, "https://a.example/homes.csv").unwrap();
        assert!(fetched.is_none());
    }
}
