//! Scripts in QuickJS that draw: React draws pages, the artwork draws pictures. A few threads, each with its own runtime,
//! bounded in time and memory, replaced when in doubt.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rquickjs::{CatchResultExt, Context, Ctx, Function, Promise, Runtime, Value};
use tokio::sync::oneshot;

/// The first render of a runtime also compiles the bundle's functions.
const WARM_UP_LIMIT: Duration = Duration::from_secs(5);
const MEMORY_LIMIT: usize = 64 * 1024 * 1024;
const STACK_LIMIT: usize = 1024 * 1024;
/// After this many pages a runtime is replaced, so that nothing can pile up in it.
const RENDERS_PER_RUNTIME: u32 = 500;

struct Job {
    payload: String,
    answer: oneshot::Sender<Option<String>>,
}

/// Calls one script's global `render` with JSON, at most `time_limit` each. Without a script every answer is `None`.
pub struct Renderer {
    jobs: Option<mpsc::SyncSender<Job>>,
}

impl Renderer {
    /// Starts as many threads as there are cores; each compiles the script before its first drawing.
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

    /// What the script draws; `None` when it could not in time.
    pub async fn render(&self, payload: String) -> Option<String> {
        let (answer, receiver) = oneshot::channel();
        self.jobs.as_ref()?.try_send(Job { payload, answer }).ok()?;
        receiver.await.ok().flatten()
    }
}

fn work(jobs: &Mutex<mpsc::Receiver<Job>>, bundle: &str, time_limit: Duration) {
    let mut engine: Option<Engine> = None;
    loop {
        if engine
            .as_ref()
            .is_none_or(|engine| engine.rendered >= RENDERS_PER_RUNTIME)
        {
            engine = Engine::start(bundle)
                .inspect_err(|error| tracing::error!(%error, "a script could not be started"))
                .ok();
        }
        let Ok(job) = jobs.lock().recv() else { return };
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

struct Engine {
    context: Context,
    /// Milliseconds since `started` at which the current script must stop.
    deadline: Arc<AtomicU64>,
    started: Instant,
    rendered: u32,
}

impl Engine {
    fn start(bundle: &str) -> Result<Self, String> {
        let started = Instant::now();
        let deadline = Arc::new(AtomicU64::new(millis(started, WARM_UP_LIMIT)));
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        runtime.set_memory_limit(MEMORY_LIMIT);
        runtime.set_max_stack_size(STACK_LIMIT);
        let watched = Arc::clone(&deadline);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            started.elapsed().as_millis() > u128::from(watched.load(Ordering::Relaxed))
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
            started,
            rendered: 0,
        })
    }

    fn render(&mut self, payload: &str, time_limit: Duration) -> Result<String, String> {
        let limit = if self.rendered == 0 {
            WARM_UP_LIMIT
        } else {
            time_limit
        };
        self.deadline
            .store(millis(self.started, limit), Ordering::Relaxed);
        self.rendered += 1;
        self.context.with(|ctx| call_render(&ctx, payload))
    }
}

fn millis(started: Instant, limit: Duration) -> u64 {
    u64::try_from((started.elapsed() + limit).as_millis()).unwrap_or(u64::MAX)
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
