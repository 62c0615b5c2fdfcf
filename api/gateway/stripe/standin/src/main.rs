//! The stand-in as a program, for stories in a browser. It prints its address; each line that it reads is the address that notices are
//! sent to from then on, an empty one loses them. It ends with its input.

use stripe_standin::Standin;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let standin = Standin::open().await?;
    println!("stripe-standin serves {}", standin.url());
    // The stand-in answers on other threads meanwhile.
    for line in std::io::stdin().lines() {
        let line = line?;
        let url = line.trim();
        standin.notify((!url.is_empty()).then_some(url));
    }
    Ok(())
}
