use super::*;

fn colour(text: &str) -> Colour {
    text.parse().unwrap()
}

fn derive(text: &str) -> Palette {
    Palette::derive(colour(text), colour(text), colour(text))
}

fn written(colours: &[Colour]) -> Vec<String> {
    colours.iter().map(Colour::to_string).collect()
}

/// The numbers of "How tints are derived" in the mock-ups.
#[test]
fn orange_is_darkened_until_white_can_be_read() {
    let palette = derive("#E8743B");
    assert!((palette.brand.luminance() - 0.300).abs() < 0.001);
    assert!((palette.brand.contrast(WHITE) - 3.0).abs() < 0.01);
    assert_eq!(palette.act_text, WHITE);
    assert_eq!(palette.act.to_string(), "#C55017");
    assert!((palette.act.contrast(WHITE) - 4.63).abs() < 0.01);
    assert_eq!(palette.act_tint.to_string(), "#FCEDE5");
    assert_eq!(palette.act_line.to_string(), "#B74A15");
}

#[test]
fn pale_yellow_acts_in_ink() {
    let palette = derive("#F8E27A");
    assert_eq!(
        (palette.act.to_string(), palette.act_text),
        ("#F8E27A".to_owned(), INK)
    );
    assert_eq!(palette.tints[3].to_string(), "#FEFCF2");
    assert_eq!(palette.act_tint.to_string(), "#FCF3CA");
    assert_eq!(palette.act_line, INK);
    assert_eq!(palette.act_edge.to_string(), "#A38809");
}

#[test]
fn dark_red_stays_as_it_was_chosen() {
    let palette = derive("#7B1E2B");
    assert_eq!(palette.act.to_string(), "#7B1E2B");
    assert!((palette.act.contrast(WHITE) - 10.18).abs() < 0.01);
    assert_eq!(palette.tints[3].to_string(), "#F8E2E5");
    assert!((palette.act_line.contrast(palette.act_tint) - 8.24).abs() < 0.01);
    assert_eq!(palette.act_dark.to_string(), "#E38C98");
    assert!((palette.act_dark.contrast(INK) - 7.16).abs() < 0.01);
}

#[test]
fn plum_has_the_tints_of_the_drawing() {
    let tints = written(&derive("#7A2E5D").tints);
    assert_eq!(tints, ["#933770", "#BD5194", "#DA9CC2", "#F6E6F0"]);
}

/// Whichever colour is chosen, every text that pages set in it can be read.
#[test]
fn every_colour_of_a_grid_can_be_read() {
    let steps = || (0_u8..=255).step_by(17);
    for red in steps() {
        for green in steps() {
            for blue in steps() {
                let chosen = Colour::new([red, green, blue]);
                let palette = Palette::derive(chosen, chosen, chosen);
                let pairs = [
                    (palette.act, palette.act_text),
                    (palette.act_dark, INK),
                    (palette.act_line, WHITE),
                    (palette.act_line, palette.act_tint),
                    (palette.foot, palette.foot_text),
                    (palette.foot, palette.foot_soft),
                ];
                for (one, two) in pairs {
                    assert!(one.contrast(two) >= TEXT_CONTRAST, "{chosen}: {one} on {two}");
                }
                assert!(palette.act_edge.contrast(WHITE) >= EDGE_CONTRAST, "{chosen}");
            }
        }
    }
}
