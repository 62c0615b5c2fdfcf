//! Sizes in which a photo is kept (Spec §9): those that are no larger than the photo, so that nothing is blown up. Whoever serves a photo
//! and whoever makes its files list the same.

use super::ContentHash;

/// Pixels of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhotoSize {
    pub width: u32,
    pub height: u32,
    /// Filled and cut to its own shape, instead of keeping the photo's.
    pub is_cut: bool,
}

/// Widths that keep the photo's shape.
const WIDTHS: [u32; 6] = [80, 150, 240, 400, 720, 1_000];
/// Shapes that are filled and cut: a card's and a shared link's.
const SHAPES: [(u32, u32); 2] = [(400, 260), (1_080, 720)];

impl PhotoSize {
    /// Its part of the address: `720`, or `400x260`.
    pub fn name(self) -> String {
        if self.is_cut {
            format!("{}x{}", self.width, self.height)
        } else {
            self.width.to_string()
        }
    }

    /// The address of a picture in this size, relative to the site; `ending` is `webp` or `jpg`.
    pub fn path(self, content: ContentHash, ending: &str) -> String {
        format!("/pictures/{content}/{}.{ending}", self.name())
    }
}

/// The height at a width, in the shape of a photo.
fn scale_height(width: u32, height: u32, to_width: u32) -> u32 {
    let scaled = (u64::from(height) * u64::from(to_width)).div_ceil(u64::from(width.max(1)));
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

/// Sizes in the photo's own shape, the smallest first; its own where it is smaller than all, or lies between two of them.
pub fn list_widths(width: u32, height: u32) -> Vec<PhotoSize> {
    let largest = WIDTHS[WIDTHS.len() - 1];
    let mut widths: Vec<u32> = WIDTHS.into_iter().filter(|known| *known <= width).collect();
    if width < largest && !widths.contains(&width) {
        widths.push(width);
    }
    let size = |to_width| PhotoSize {
        width: to_width,
        height: scale_height(width, height, to_width),
        is_cut: false,
    };
    widths.into_iter().map(size).collect()
}

/// Every size that is made of a photo.
pub fn list_sizes(width: u32, height: u32) -> Vec<PhotoSize> {
    let fits = |shape: &(u32, u32)| shape.0 <= width && shape.1 <= height;
    let cut = SHAPES.into_iter().filter(fits).map(|(width, height)| PhotoSize {
        width,
        height,
        is_cut: true,
    });
    list_widths(width, height).into_iter().chain(cut).collect()
}

/// The size for a link that is shared: the cut one, else the widest.
pub fn choose_shared(width: u32, height: u32) -> Option<PhotoSize> {
    let (wide, high) = SHAPES[1];
    let all = list_sizes(width, height);
    let cut = all
        .iter()
        .find(|size| size.is_cut && (size.width, size.height) == (wide, high));
    cut.or_else(|| all.iter().rfind(|size| !size.is_cut)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(width: u32, height: u32) -> Vec<String> {
        list_sizes(width, height)
            .into_iter()
            .map(PhotoSize::name)
            .collect()
    }

    #[test]
    fn nothing_is_blown_up() {
        let all = ["80", "150", "240", "400", "720", "1000", "400x260", "1080x720"];
        assert_eq!(names(4_000, 3_000), all);
        assert_eq!(names(1_000, 700), &all[..7]);
        assert_eq!(names(640, 200), ["80", "150", "240", "400", "640"]);
        assert_eq!(names(60, 40), ["60"]);
        assert_eq!(names(80, 80), ["80"]);
    }

    #[test]
    fn shape_is_kept() {
        let heights: Vec<u32> = list_widths(4_000, 3_000).iter().map(|size| size.height).collect();
        assert_eq!(heights, [60, 113, 180, 300, 540, 750]);
        assert_eq!(list_widths(1_000, 1).last().map(|size| size.height), Some(1));
    }

    #[test]
    fn shared_link_shows_the_cut_or_the_widest() {
        assert_eq!(
            choose_shared(4_000, 3_000).map(PhotoSize::name).as_deref(),
            Some("1080x720")
        );
        assert_eq!(
            choose_shared(640, 200).map(PhotoSize::name).as_deref(),
            Some("640")
        );
    }
}
