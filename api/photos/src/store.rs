//! The picture store: originals and the sizes made of them, by the hash of the original. A folder by default, or a bucket that several
//! nodes share. A file is written under another name first: nobody is ever given half of one.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use domain::photo::ContentHash;
use domain::photo::sizes::{PhotoSize, list_sizes};
use futures::{StreamExt as _, TryStreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectMeta, ObjectStore, PutPayload};
use platform::config::Settings;
use platform::disk::make_private;
use projections::photo::KeptPicture;
use url::Url;

/// The folder of the data folder where pictures lie while the setting `pictures` is unset.
pub const FOLDER: &str = "photos";
/// Schemes of addresses of buckets.
const BUCKETS: [&str; 3] = ["s3", "gs", "az"];
/// Environments of clouds' own tools, by which buckets take their credentials.
const CREDENTIALS: [&str; 3] = ["AWS_", "GOOGLE_", "AZURE_"];
/// Endings of the files of one size.
const ENDINGS: [&str; 2] = ["webp", "jpg"];
/// Files that are deleted or asked for at once.
const AT_ONCE: usize = 16;

/// Why the picture store could not be used.
#[derive(Debug, thiserror::Error)]
#[error("the picture store: {0}")]
pub struct StoreError(#[from] object_store::Error);

/// The picture store; cheap to clone.
#[derive(Debug, Clone)]
pub struct PhotoStore {
    files: Arc<dyn ObjectStore>,
    /// Where they lie on this machine; `None` for a bucket, which answers once they are safe.
    folder: Option<Arc<FilePath>>,
}

/// A picture of which something is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrokenPicture {
    pub content: ContentHash,
    /// Its sizes alone are missing, and can be made anew.
    pub has_original: bool,
}

/// The folder of the pictures; `None` where they are in a bucket.
pub fn find_folder(settings: &Settings) -> Option<PathBuf> {
    match settings.pictures.as_deref() {
        None => Some(settings.data_dir.join(FOLDER)),
        Some(place) if place.contains("://") => None,
        Some(folder) => Some(PathBuf::from(folder)),
    }
}

impl PhotoStore {
    /// Opens the store of the setting `pictures`.
    ///
    /// # Errors
    /// One sentence when the folder cannot be made or the bucket's address cannot be read. A bucket is not asked yet.
    pub fn open(settings: &Settings) -> Result<Self, String> {
        match find_folder(settings) {
            Some(folder) => Self::open_folder(&folder),
            None => Self::open_bucket(settings.pictures.as_deref().unwrap_or_default()),
        }
    }

    fn open_folder(folder: &FilePath) -> Result<Self, String> {
        let wrong = |error: &dyn std::fmt::Display| {
            format!(
                "the folder of pictures `{}` cannot be used: {error}",
                folder.display()
            )
        };
        make_folder(folder).map_err(|error| wrong(&error))?;
        let files = LocalFileSystem::new_with_prefix(folder).map_err(|error| wrong(&error))?;
        Ok(Self {
            files: Arc::new(files),
            folder: Some(folder.into()),
        })
    }

    fn open_bucket(address: &str) -> Result<Self, String> {
        // The address is not repeated: it may hold a key.
        let wrong = |error: &dyn std::fmt::Display| {
            format!("the setting `pictures` names a bucket that cannot be used: {error}")
        };
        let url = Url::parse(address).map_err(|error| wrong(&error))?;
        if !BUCKETS.contains(&url.scheme()) {
            return Err(wrong(
                &"write s3://bucket/folder, gs://bucket/folder or az://container/folder",
            ));
        }
        let (bucket, prefix) =
            object_store::parse_url_opts(&url, list_credentials()).map_err(|error| wrong(&error))?;
        Ok(Self {
            files: Arc::new(PrefixStore::new(bucket, prefix)),
            folder: None,
        })
    }

    /// Keeps bytes as they came, until they are fetched from here like from an address.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put_incoming(&self, content: ContentHash, bytes: Bytes) -> Result<(), StoreError> {
        self.put(&place_incoming(content), bytes).await?;
        self.settle(content).await
    }

    /// Bytes that were put with [`PhotoStore::put_incoming`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn get_incoming(&self, content: ContentHash) -> Result<Option<Bytes>, StoreError> {
        self.get(&place_incoming(content)).await
    }

    /// Deletes what was put with [`PhotoStore::put_incoming`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_incoming(&self, content: ContentHash) -> Result<(), StoreError> {
        self.delete(&place_incoming(content)).await
    }

    /// Keeps the original, after everything that is made of it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put_original(&self, content: ContentHash, bytes: Bytes) -> Result<(), StoreError> {
        self.put(&place_original(content), bytes).await?;
        self.settle(content).await
    }

    /// Keeps one size: `720.webp`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put_size(&self, content: ContentHash, file: &str, bytes: Bytes) -> Result<(), StoreError> {
        self.put(&folder_of_sizes(content).child(file), bytes).await
    }

    /// One size; `None` where there is none of that name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn get_size(&self, content: ContentHash, file: &str) -> Result<Option<Bytes>, StoreError> {
        self.get(&folder_of_sizes(content).child(file)).await
    }

    /// The original; `None` where it is not kept.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn get_original(&self, content: ContentHash) -> Result<Option<Bytes>, StoreError> {
        self.get(&place_original(content)).await
    }

    /// Deletes the original alone.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_original(&self, content: ContentHash) -> Result<(), StoreError> {
        self.delete(&place_original(content)).await
    }

    /// Deletes everything made of a picture, and its original unless that is kept for whoever shows it again.
    ///
    /// # Errors
    /// When the store fails; what it deleted until then is gone.
    pub async fn delete_picture(&self, content: ContentHash, keeps_original: bool) -> Result<(), StoreError> {
        let listed = self.files.list(Some(&folder_of_sizes(content)));
        let mut places: Vec<Path> = listed.map_ok(|meta| meta.location).try_collect().await?;
        places.push(place_incoming(content));
        if !keeps_original {
            places.push(place_original(content));
        }
        let deletions = futures::stream::iter(places).map(|place| async move { self.delete(&place).await });
        deletions.buffer_unordered(AT_ONCE).try_collect().await
    }

    /// Those of these pictures of which something is not in the store, or is empty there.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list_broken(&self, pictures: Vec<KeptPicture>) -> Result<Vec<BrokenPicture>, StoreError> {
        let looks = futures::stream::iter(pictures).map(|picture| self.look_at(picture));
        let found: Vec<Option<BrokenPicture>> = looks.buffered(AT_ONCE).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    async fn look_at(&self, picture: KeptPicture) -> Result<Option<BrokenPicture>, StoreError> {
        let content = picture.content;
        let has_original = match self.files.head(&place_original(content)).await {
            Ok(meta) => meta.size > 0,
            Err(object_store::Error::NotFound { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        let listed = self.files.list(Some(&folder_of_sizes(content)));
        let listed: Vec<ObjectMeta> = listed.try_collect().await?;
        let whole = listed.iter().filter(|meta| meta.size > 0);
        let names: BTreeSet<&str> = whole.filter_map(|meta| meta.location.filename()).collect();
        let is_there = |size: &PhotoSize| {
            let name = size.name();
            ENDINGS
                .iter()
                .all(|ending| names.contains(format!("{name}.{ending}").as_str()))
        };
        let has_sizes = list_sizes(picture.width, picture.height).iter().all(is_there);
        Ok((!has_original || !has_sizes).then_some(BrokenPicture {
            content,
            has_original,
        }))
    }

    /// True for a folder of this machine, which may lose what was written before a power cut.
    pub(crate) const fn is_folder(&self) -> bool {
        self.folder.is_some()
    }

    async fn put(&self, place: &Path, bytes: Bytes) -> Result<(), StoreError> {
        self.files.put(place, PutPayload::from(bytes)).await?;
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let name: &str = place.as_ref();
        sync_all(vec![folder.join(name)]).await
    }

    /// Makes sure that the files of a picture are found by their names after a power cut. An event tells of them only then.
    pub(crate) async fn settle(&self, content: ContentHash) -> Result<(), StoreError> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let files = [place_incoming(content), place_original(content)];
        let sizes = folder_of_sizes(content);
        let mut folders: Vec<PathBuf> = vec![folder.join(AsRef::<str>::as_ref(&sizes))];
        for place in files.iter().chain(std::iter::once(&sizes)) {
            let name: &str = place.as_ref();
            let below = FilePath::new(name).ancestors().skip(1);
            folders.extend(below.map(|above| folder.join(above)));
        }
        folders.sort_unstable();
        folders.dedup();
        folders.retain(|folder| folder.is_dir());
        sync_all(folders).await
    }

    async fn delete(&self, place: &Path) -> Result<(), StoreError> {
        match self.files.delete(place).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn get(&self, place: &Path) -> Result<Option<Bytes>, StoreError> {
        match self.files.get(place).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Waits until these files and folders are on the disk.
async fn sync_all(paths: Vec<PathBuf>) -> Result<(), StoreError> {
    let syncing = tokio::task::spawn_blocking(move || {
        let sync = |path: PathBuf| File::open(path)?.sync_all();
        paths.into_iter().try_for_each(sync)
    });
    let synced = syncing
        .await
        .unwrap_or_else(|error| Err(std::io::Error::other(error)));
    synced.map_err(|error| {
        let source = Box::new(error);
        let store = "folder";
        StoreError(object_store::Error::Generic { store, source })
    })
}

/// Makes the folder, its owner's alone, where it is not there yet.
fn make_folder(folder: &FilePath) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent)?;
    }
    make_private(folder)
}

/// No folder holds more than a 256th of the pictures.
fn place_below(folder: &str, content: ContentHash) -> Path {
    let name = content.to_string();
    Path::from_iter([folder, &name[..2], &name])
}

fn place_incoming(content: ContentHash) -> Path {
    place_below("incoming", content)
}

fn place_original(content: ContentHash) -> Path {
    place_below("originals", content)
}

fn folder_of_sizes(content: ContentHash) -> Path {
    place_below("sizes", content)
}

/// Credentials as the clouds' own tools read them from the environment.
fn list_credentials() -> Vec<(String, String)> {
    let named = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        let name = name.into_string().ok()?;
        let is_known = CREDENTIALS.iter().any(|start| name.starts_with(start));
        is_known.then_some((name.to_ascii_lowercase(), value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    /// The same in a folder and behind a prefix of a bucket.
    fn stores() -> (tempfile::TempDir, Vec<PhotoStore>) {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            data_dir: folder.path().to_owned(),
            ..Settings::default()
        };
        let bucket = PrefixStore::new(InMemory::new(), "house/pictures");
        let stores = vec![
            PhotoStore::open(&settings).unwrap(),
            PhotoStore {
                files: Arc::new(bucket),
                folder: None,
            },
        ];
        (folder, stores)
    }

    #[tokio::test]
    async fn picture_is_kept_by_its_content_and_deleted_whole() {
        let (content, other) = (ContentHash::of_bytes(b"one"), ContentHash::of_bytes(b"two"));
        let (_folder, stores) = stores();
        for store in stores {
            let pictures = [content, other].map(|content| KeptPicture {
                content,
                width: 60,
                height: 40,
            });
            let look = || async { store.list_broken(pictures.to_vec()).await.unwrap() };
            let broken = |content, has_original| BrokenPicture {
                content,
                has_original,
            };
            for file in ["60.webp", "60.jpg"] {
                store
                    .put_size(content, file, Bytes::from_static(b"small"))
                    .await
                    .unwrap();
            }
            for (content, bytes) in [(content, &b"one"[..]), (other, &b"two"[..])] {
                let kept = store.put_original(content, Bytes::from_static(bytes)).await;
                kept.unwrap();
            }
            let small = store.get_size(content, "60.webp").await.unwrap();
            assert_eq!(small.as_deref(), Some(&b"small"[..]));
            assert_eq!(store.get_size(content, "80.webp").await.unwrap(), None);
            assert_eq!(look().await, [broken(other, true)]);
            // A power cut may leave a file without its bytes.
            store.put_size(content, "60.jpg", Bytes::new()).await.unwrap();
            assert_eq!(look().await, [broken(content, true), broken(other, true)]);
            store.delete_picture(content, true).await.unwrap();
            assert_eq!(store.get_size(content, "60.webp").await.unwrap(), None);
            let original = store.get_original(content).await.unwrap();
            assert_eq!(original.as_deref(), Some(&b"one"[..]));
            store.delete_picture(content, false).await.unwrap();
            assert_eq!(look().await, [broken(content, false), broken(other, true)]);
            store.delete_picture(content, false).await.unwrap();
            store.delete_original(other).await.unwrap();
            assert_eq!(store.get_original(other).await.unwrap(), None);
        }
    }

    #[tokio::test]
    async fn name_of_a_file_leads_nowhere_else() {
        let (_folder, stores) = stores();
        let content = ContentHash::of_bytes(b"one");
        for store in stores {
            store
                .put_original(content, Bytes::from_static(b"one"))
                .await
                .unwrap();
            for file in ["../../../originals", "..", "a/b", ""] {
                assert_eq!(store.get_size(content, file).await.ok().flatten(), None, "{file}");
            }
        }
    }

    #[test]
    fn bucket_is_told_from_a_folder() {
        let folder = |pictures: Option<&str>| {
            find_folder(&Settings {
                data_dir: "here".into(),
                pictures: pictures.map(ToOwned::to_owned),
                ..Settings::default()
            })
        };
        assert_eq!(folder(None), Some("here/photos".into()));
        assert_eq!(folder(Some("/srv/pictures")), Some("/srv/pictures".into()));
        assert_eq!(folder(Some("s3://bucket/house")), None);
        let wrong = PhotoStore::open_bucket("ftp://bucket?key=secret").unwrap_err();
        assert!(!wrong.contains("secret"), "{wrong}");
    }
}
