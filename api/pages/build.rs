//! Builds the server anew when the browser's files were built anew: they are carried inside the binary.

fn main() {
    println!("cargo::rerun-if-changed=../../web/dist/pages.json");
    println!("cargo::rerun-if-changed=../../web/dist-server/server.js");
}
