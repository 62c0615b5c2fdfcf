// W1 and W2 on Emmett: `node emmett.mjs URL submit|advance CLIENTS SECONDS LEADS`. The last line of output is the figure.
import { randomUUID } from "node:crypto";
import { CommandHandler } from "@event-driven-io/emmett";
import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql";
import { advanced, submitted } from "./enquiry.mjs";

const [, , url, workload, clients, seconds, leads] = process.argv;
const store = getPostgreSQLEventStore(connectionString(url));

const handle = CommandHandler({
  initialState: () => ({ submitted: false, steps: 0, totalMinor: 0 }),
  evolve: (state, event) =>
    event.type === "Submitted"
      ? { ...state, submitted: true }
      : { ...state, steps: state.steps + 1, totalMinor: state.totalMinor + event.data.amount_minor },
});

// The socket's folder stands in the host's place.
function connectionString(address) {
  const asked = new URL(address.replace("postgres:///", "postgres://bench@localhost/"));
  const socket = encodeURIComponent(asked.searchParams.get("host"));
  return `postgresql://bench@${socket}${asked.pathname}`;
}

async function submit(id, number) {
  await handle(store, `lead-${id}`, (state) => {
    if (state.submitted) throw new Error("submitted before");
    return [
      { type: "Submitted", data: submitted(number) },
      { type: "Advanced", data: advanced(0) },
    ];
  });
}

async function advance(id, number) {
  await handle(store, `lead-${id}`, (state) => {
    if (!state.submitted) throw new Error("no such lead");
    return [{ type: "Advanced", data: advanced(number) }];
  });
}

/** The leads that are there before W2 begins, by 16 at a time. */
async function fill(count) {
  const ids = Array.from({ length: count }, () => randomUUID());
  let next = 0;
  const one = async () => {
    while (next < ids.length) {
      const number = next++;
      await submit(ids[number], number);
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return ids;
}

async function closedLoop(work) {
  const [times, begun] = [[], performance.now()];
  let [failed, why] = [0, undefined];
  const end = begun + Number(seconds) * 1000;
  const client = async (_, number) => {
    for (let turn = 0; performance.now() < end; turn++) {
      const asked = performance.now();
      try {
        await work(turn * 1000 + number);
        times.push(performance.now() - asked);
      } catch (error) {
        failed += 1;
        why ??= String(error?.message ?? error);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(clients) }, client));
  const elapsed = (performance.now() - begun) / 1000;
  times.sort((one, other) => one - other);
  const at = (share) => (times[Math.floor((times.length - 1) * share)] ?? 0) * 1000;
  const note = why === undefined ? {} : { note: why };
  return { rate: times.length / elapsed, p50_us: at(0.5), p99_us: at(0.99), done: times.length, failed, ...note };
}

// Makes the library's tables.
await submit(randomUUID(), 0);
const ids = workload === "advance" ? await fill(Number(leads)) : [];
const anyOf = (all) => all[Math.floor(Math.random() * all.length)];
const figure = await closedLoop((number) =>
  workload === "advance" ? advance(anyOf(ids), number) : submit(randomUUID(), number),
);
console.log(JSON.stringify(figure));
// Its pool may wait for a long time.
process.exit(0);
