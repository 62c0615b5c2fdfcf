//! Pictures of homes and cities, drawn from a seed: the same request, the same bytes. Knows nothing of housing but what
//! it looks like.
//!
//! The drawing itself is JavaScript (`draw/*.js`, read in the order below), run by the same engine that renders pages;
//! docs/decisions/0034 says why. The host evaluates [`SCRIPT`] once and then calls its global `render` with a request as
//! JSON; the answer is an SVG document of at most [`BYTES_MAX`] bytes, without text and without script. A picture of a
//! home bears the word ILLUSTRATION in both scripts, as strokes: it shows no home that there is.

/// No picture is heavier, its word included.
pub const BYTES_MAX: usize = 13_300;

/// The kinds a property can show, and `city`.
pub const KINDS: [&str; 10] = [
    "exterior",
    "bedroom",
    "studio",
    "kitchen",
    "bathroom",
    "lounge",
    "gym",
    "study",
    "courtyard",
    "city",
];

/// The whole generator as one script.
pub const SCRIPT: &str = concat!(
    "(function () {\n\"use strict\";\n",
    include_str!("../draw/01_chance.js"),
    include_str!("../draw/02_colour.js"),
    include_str!("../draw/03_canvas.js"),
    include_str!("../draw/04_style.js"),
    include_str!("../draw/05_camera.js"),
    include_str!("../draw/06_props_small.js"),
    include_str!("../draw/07_props_large.js"),
    include_str!("../draw/08_bedrooms_and_kitchens.js"),
    include_str!("../draw/09_bathrooms_and_lounges.js"),
    include_str!("../draw/10_gyms_and_studies.js"),
    include_str!("../draw/11_street.js"),
    include_str!("../draw/12_facade_sides.js"),
    include_str!("../draw/13_facades_terraces.js"),
    include_str!("../draw/14_facades_blocks.js"),
    include_str!("../draw/15_facades_towers.js"),
    include_str!("../draw/16_courtyards.js"),
    include_str!("../draw/17_cities.js"),
    include_str!("../draw/18_front_door.js"),
    "globalThis.render = (request) => picture(JSON.parse(request));\n})();\n",
);
