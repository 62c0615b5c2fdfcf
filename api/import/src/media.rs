//! Photos, plans, videos and tours of a home or of a room type, as the house keeps them: the feed's addresses in its order. They are
//! fetched later, in the background.

use domain::inventory::media::{Media, PhotoKind, Recording, RecordingKind, SaidPhoto};
use domain::photo::read_kept_place;
use domain::place::slug;
use domain::wording::Wording;
use feeds::{Fault, Home, Picture, Room};

use crate::report::note;
use crate::texts::write_wording;

/// Platforms whose videos and tours are shown, by the ends of their hosts' names.
const PLATFORMS: [&str; 12] = [
    "youtube.com",
    "youtu.be",
    "youtube-nocookie.com",
    "vimeo.com",
    "bilibili.com",
    "youku.com",
    "matterport.com",
    "kuula.co",
    "giraffe360.com",
    "youriguide.com",
    "ricoh360.com",
    "theasys.io",
];
/// Words by which feeds say what a photo shows, in the languages that they are written in.
const KINDS: [(PhotoKind, &[&str]); 6] = [
    (
        PhotoKind::Plan,
        &[
            "plan",
            "floorplan",
            "floor-plan",
            "layout",
            "grundriss",
            "plano",
            "planimetria",
        ],
    ),
    (
        PhotoKind::Bathroom,
        &[
            "bathroom",
            "bath",
            "shower",
            "ensuite",
            "bad",
            "badezimmer",
            "bano",
            "salle-de-bain",
            "bagno",
        ],
    ),
    (
        PhotoKind::Kitchen,
        &[
            "kitchen",
            "kitchenette",
            "kuche",
            "kueche",
            "cocina",
            "cuisine",
            "cucina",
        ],
    ),
    (
        PhotoKind::Room,
        &[
            "room",
            "bedroom",
            "studio",
            "zimmer",
            "schlafzimmer",
            "habitacion",
            "dormitorio",
            "chambre",
            "camera",
        ],
    ),
    (
        PhotoKind::Exterior,
        &[
            "exterior",
            "outside",
            "building",
            "facade",
            "front",
            "aussen",
            "fachada",
            "exterieur",
            "esterno",
        ],
    ),
    (
        PhotoKind::Common,
        &[
            "common",
            "communal",
            "living-room",
            "lounge",
            "gym",
            "lobby",
            "reception",
            "courtyard",
            "garden",
            "wohnzimmer",
            "salon",
            "soggiorno",
        ],
    ),
];
/// Other addresses are the writer's own host, which the guard of outgoing calls looks at when it fetches.
const SCHEMES: [&str; 2] = ["https://", "http://"];
const NOT_FETCHED: &str = "no photo lies there: give an address, or a path to a file of at most 20 MB below the folder of the feed's file";
const UNKNOWN_PLATFORM: &str = "it is on no platform whose videos and tours the house shows";

/// Reads what a home has to be looked at.
pub(crate) fn read_home_media(home: &Home, notes: &mut Vec<Fault>) -> Media {
    let mut media = read_pictures(&home.photos, &home.floor_plans, home.line, notes);
    let kinds = [
        (RecordingKind::Video, "videos", &home.videos),
        (RecordingKind::Tour, "tours", &home.tours),
    ];
    for (kind, path, urls) in kinds {
        for url in urls {
            if is_on_platform(url) {
                media.recordings.push(Recording {
                    kind,
                    url: url.clone(),
                    title: Wording::default(),
                });
            } else {
                notes.push(note(home.line, path, url, UNKNOWN_PLATFORM));
            }
        }
    }
    media
}

/// The same of a room type.
pub(crate) fn read_room_media(room: &Room, notes: &mut Vec<Fault>) -> Media {
    read_pictures(&room.photos, &room.floor_plans, room.line, notes)
}

fn read_pictures(photos: &[Picture], plans: &[Picture], line: u64, notes: &mut Vec<Fault>) -> Media {
    let mut media = Media::default();
    for (picture, is_plan) in photos
        .iter()
        .map(|photo| (photo, false))
        .chain(plans.iter().map(|plan| (plan, true)))
    {
        if !is_place(&picture.place) {
            notes.push(note(line, "photos", &picture.place, NOT_FETCHED));
            continue;
        }
        let kind = if is_plan {
            Some(PhotoKind::Plan)
        } else {
            find_kind(picture)
        };
        let said = SaidPhoto {
            place: picture.place.trim().to_owned(),
            kind,
            caption: write_wording(&picture.caption),
            alt: Wording::default(),
        };
        if kind == Some(PhotoKind::Plan) {
            media.plans.push(said);
        } else {
            media.photos.push(said);
        }
    }
    media
}

/// An address, or bytes that were found beside the file.
fn is_place(place: &str) -> bool {
    if read_kept_place(place).is_some() {
        return true;
    }
    let place = place.trim().to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| place.starts_with(scheme))
}

/// The kind by the feed's own word for it, else by a caption that is nothing but such a word.
fn find_kind(picture: &Picture) -> Option<PhotoKind> {
    let named = |words: &str| {
        let words = slug(&words.replace('_', " "));
        let found = KINDS.iter().find(|(_, names)| names.contains(&words.as_str()));
        found.map(|(kind, _)| *kind)
    };
    let by_word = picture.kind.as_deref().and_then(named);
    by_word.or_else(|| picture.caption.values().find_map(|caption| named(caption)))
}

/// Looks for the host of an `https` address among the platforms and what is below them.
fn is_on_platform(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // A login or a port before the path names another host than it seems.
    if host.contains(['@', ':', '\\']) {
        return false;
    }
    let host = host.to_ascii_lowercase();
    PLATFORMS.iter().any(|platform| {
        let before = host.strip_suffix(platform);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(place: &str, kind: Option<&str>, caption: &str) -> Picture {
        let captions = [("en".to_owned(), caption.to_owned())];
        Picture {
            place: place.to_owned(),
            caption: captions
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .collect(),
            kind: kind.map(ToOwned::to_owned),
        }
    }

    #[test]
    fn photos_keep_their_order_and_plans_are_told_apart() {
        let home = Home {
            photos: vec![
                picture("https://a.example/1.jpg", Some("EXTERIOR"), ""),
                picture("https://a.example/2.jpg", None, "Kitchen"),
                picture("https://a.example/3.jpg", None, "Kitchen with a view"),
                picture("https://a.example/4.jpg", Some("floor_plan"), ""),
                picture("photos/5.jpg", None, ""),
            ],
            floor_plans: vec![picture("https://a.example/6.png", None, "")],
            ..Home::default()
        };
        let mut notes = Vec::new();
        let media = read_home_media(&home, &mut notes);
        let kinds: Vec<_> = media.photos.iter().map(|photo| photo.kind).collect();
        assert_eq!(kinds, [Some(PhotoKind::Exterior), Some(PhotoKind::Kitchen), None]);
        assert_eq!(media.photos[2].caption, Wording::english("Kitchen with a view"));
        let plans: Vec<&str> = media.plans.iter().map(|plan| plan.place.as_str()).collect();
        assert_eq!(plans, ["https://a.example/4.jpg", "https://a.example/6.png"]);
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn recordings_are_of_platforms_alone() {
        for url in [
            "https://www.youtube.com/watch?v=1",
            "https://youtu.be/1",
            "https://my.matterport.com/show/?m=1",
        ] {
            assert!(is_on_platform(url), "{url}");
        }
        for url in [
            "http://youtube.com/1",
            "https://notyoutube.com/1",
            "https://youtube.com.evil.example/1",
            "https://youtube.com@evil.example/1",
            "https://evil.example/youtube.com",
            "javascript:alert(1)",
        ] {
            assert!(!is_on_platform(url), "{url}");
        }
        let home = Home {
            videos: vec![
                "https://youtu.be/1".to_owned(),
                "https://a.example/1.mp4".to_owned(),
            ],
            tours: vec!["https://kuula.co/share/1".to_owned()],
            ..Home::default()
        };
        let mut notes = Vec::new();
        let kinds: Vec<_> = read_home_media(&home, &mut notes)
            .recordings
            .into_iter()
            .map(|recording| recording.kind)
            .collect();
        assert_eq!(kinds, [RecordingKind::Video, RecordingKind::Tour]);
        assert_eq!(notes.len(), 1);
    }
}
