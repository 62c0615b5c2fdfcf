//! Scripts in QuickJS that draw: React draws pages, the artwork draws pictures. A few threads, each with its own runtime,
//! bounded in time and memory, replaced when in doubt. Time is what a drawing has of the processor: on a busy machine it ends later
//! by the clock, and is not given up for that.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use parking_lot::Mutex;
use rquickjs::{CatchResultExt, Context, Ctx, Function, Promise, Runtime, Value};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;

/// The first render of a runtime also compiles the bundle's functions.
const WARM_UP_LIMIT: Duration = Duration::from_secs(5);
const MEMORY_LIMIT: usize = 64 * 1024 * 1024;
const STACK_LIMIT: usize = 1024 * 1024;
/// After this many pages a runtime is replaced, so that nothing can pile up in it.
const RENDERS_PER_RUNTIME: u32 = 500;
/// Whether a thread compiles its script when the server starts, so that no visitor waits for it. A debug build compiles it for
/// the first drawing: it takes 0.7 s of processor time, and most servers of tests draw nothing.
const COMPILES_AT_START: bool = !cfg!(debug_assertions);

struct Job {
    payload: String,
    answer: oneshot::Sender<Option<String>>,
}

/// Calls one script's global `render` with JSON; each may use its thread's processor for at most `time_limit`. Without a script every answer is `None`.
pub struct Renderer {
    jobs: Option<mpsc::SyncSender<Job>>,
}

impl Renderer {
    /// Starts as many threads as there are cores; each compiles the script before its first drawing, in a release build at once.
    pub fn start(bundle: Option<&str>, time_limit: Duration) -> Self {
        let Some(bundle) = bundle.map(Arc::<str>::from) else {
            tracing::warn!("the web part is not in this binary: pages are not rendered on the server");
            return Self { jobs: None };
        };
        let (sender, receiver) = mpsc::sync_channel::<Job>(256);
        let receiver = Arc::new(Mutex::new(receiver));
        let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        for _ in 0..threads {
            let (receiver, bundle) = (Arc::clone(&receiver), Arc::clone(&bundle));
            std::thread::spawn(move || work(&receiver, &bundle, time_limit));
        }
        Self { jobs: Some(sender) }
    }

    /// What the script draws; `None` when it could not in its time, or 256 others wait.
    pub async fn render(&self, payload: String) -> Option<String> {
        let (answer, receiver) = oneshot::channel();
        self.jobs.as_ref()?.try_send(Job { payload, answer }).ok()?;
        receiver.await.ok().flatten()
    }
}

fn work(jobs: &Mutex<mpsc::Receiver<Job>>, bundle: &str, time_limit: Duration) {
    let mut engine: Option<Engine> = None;
    loop {
        if COMPILES_AT_START {
            renew(&mut engine, bundle);
        }
        let Ok(job) = jobs.lock().recv() else { return };
        renew(&mut engine, bundle);
        let html = match engine
            .as_mut()
            .map(|engine| engine.render(&job.payload, time_limit))
        {
            Some(Ok(html)) => Some(html),
            Some(Err(error)) => {
                tracing::error!(%error, "a script could not draw");
                engine = None;
                None
            }
            None => None,
        };
        // The reader may have gone away; then nobody misses the page.
        let _gone = job.answer.send(html);
    }
}

/// Replaces a runtime that is missing or worn out.
fn renew(engine: &mut Option<Engine>, bundle: &str) {
    let is_fresh = engine
        .as_ref()
        .is_some_and(|engine| engine.rendered < RENDERS_PER_RUNTIME);
    if !is_fresh {
        *engine = Engine::start(bundle)
            .inspect_err(|error| tracing::error!(%error, "a script could not be started"))
            .ok();
    }
}

struct Engine {
    context: Context,
    /// Processor time of this thread, in milliseconds, at which the current script must stop.
    deadline: Arc<AtomicU64>,
    rendered: u32,
}

impl Engine {
    /// Draws on this thread alone, whose processor time its deadlines are measured in.
    fn start(bundle: &str) -> Result<Self, String> {
        let deadline = Arc::new(AtomicU64::new(after(WARM_UP_LIMIT)));
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        runtime.set_memory_limit(MEMORY_LIMIT);
        runtime.set_max_stack_size(STACK_LIMIT);
        let watched = Arc::clone(&deadline);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            processor_millis() > watched.load(Ordering::Relaxed)
        })));
        let context = Context::full(&runtime).map_err(|error| error.to_string())?;
        context.with(|ctx| {
            ctx.eval::<(), _>(bundle)
                .catch(&ctx)
                .map_err(|error| error.to_string())
        })?;
        Ok(Self {
            context,
            deadline,
            rendered: 0,
        })
    }

    fn render(&mut self, payload: &str, time_limit: Duration) -> Result<String, String> {
        let limit = if self.rendered == 0 {
            WARM_UP_LIMIT
        } else {
            time_limit
        };
        self.deadline.store(after(limit), Ordering::Relaxed);
        self.rendered += 1;
        self.context.with(|ctx| call_render(&ctx, payload))
    }
}

fn after(limit: Duration) -> u64 {
    processor_millis().saturating_add(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
}

/// What this thread has had of the processor; waiting for it does not count.
fn processor_millis() -> u64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(used.tv_sec * 1_000 + used.tv_nsec / 1_000_000).unwrap_or_default()
}

/// Calls the bundle's global `render(payload)`, which answers a string or a promise of one.
fn call_render(ctx: &Ctx<'_>, payload: &str) -> Result<String, String> {
    let render: Function<'_> = ctx.globals().get("render").map_err(|error| error.to_string())?;
    let answer: Value<'_> = render
        .call((payload,))
        .catch(ctx)
        .map_err(|error| error.to_string())?;
    match answer.as_promise() {
        Some(promise) => finish(ctx, promise),
        None => answer.get::<String>().map_err(|error| error.to_string()),
    }
}

fn finish(ctx: &Ctx<'_>, promise: &Promise<'_>) -> Result<String, String> {
    promise
        .finish::<String>()
        .catch(ctx)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;

    /// Draws after as many turns of a loop as the payload names.
    const LOOP: &str = "globalThis.render = (turns) => { let sum = 0; for (let n = 0; n < Number(turns); n += 1) sum += n % 7; return `drawn ${sum >= 0}`; }";

    /// Turns of the loop that take about this long where nothing else runs.
    fn turns_for(engine: &mut Engine, time: Duration) -> u32 {
        let sample: u32 = 200_000;
        let measured = (0..3)
            .map(|_| {
                let begun = Instant::now();
                engine
                    .render(&sample.to_string(), WARM_UP_LIMIT)
                    .expect("the sample is drawn");
                begun.elapsed()
            })
            .min()
            .expect("measured three times");
        let turns = time.as_nanos() * u128::from(sample) / measured.as_nanos().max(1);
        u32::try_from(turns).expect("a few million turns")
    }

    /// Sixteen busy threads a core leave the drawing a small part of the processor: it ends later, and it ends.
    #[test]
    fn busy_machine_draws_later_rather_than_not_at_all() {
        let mut engine = Engine::start(LOOP).expect("the script starts");
        let limit = Duration::from_millis(300);
        let turns = turns_for(&mut engine, limit / 4);
        let done = AtomicBool::new(false);
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..cores * 16 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let begun = Instant::now();
            let drawn = engine.render(&turns.to_string(), limit);
            let took = begun.elapsed();
            done.store(true, Ordering::Relaxed);
            assert_eq!(drawn.as_deref(), Ok("drawn true"), "after {took:?}");
        });
    }

    #[test]
    fn endless_drawing_is_stopped() {
        let mut engine =
            Engine::start("globalThis.render = (endless) => { while (endless) {} return 'drawn'; }")
                .expect("the script starts");
        assert_eq!(engine.render("", WARM_UP_LIMIT).as_deref(), Ok("drawn"));
        assert!(engine.render("endless", Duration::from_millis(20)).is_err());
    }
}
