//! Compiles anew when a text was added: the compiler itself follows only the files that were there.

fn main() {
    println!("cargo::rerun-if-changed=texts");
}
