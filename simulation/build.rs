//! Lets the system's libraries find the simulation's clock and random numbers.

fn main() {
    println!("cargo::rustc-link-arg-bins=-rdynamic");
}
