import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** The real binary on a free port, with a data folder of its own and the demo catalogue in it. */
export interface Server {
  url: string;
  /** Runs one command of the binary on the same data folder, e.g. `grant`; the other stories go on meanwhile. */
  run: (...words: string[]) => Promise<string>;
  stop: () => Promise<void>;
}

const root = resolve(import.meta.dirname, "../..");

function binary(): string {
  const target = process.env["CARGO_TARGET_DIR"] ?? join(root, "target");
  const found = [process.env["LATCHKEY_BINARY"], join(target, "debug/latchkey"), join(target, "release/latchkey")].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (!found) throw new Error("the binary is missing: run `make story none` first, or `make test`");
  return found;
}

/** Serves what lies in a folder; an empty one is filled with the demo catalogue first. */
export async function serveIn(folder: string, settings: Record<string, string> = {}): Promise<Server> {
  const env = { ...process.env, LATCHKEY_DATA_DIR: folder, LATCHKEY_LOG: "warn", ...settings };
  const child = spawn(binary(), ["serve", "--listen", "127.0.0.1:0"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await served(child);
  return {
    url,
    run: async (...words) => (await promisify(execFile)(binary(), words, { cwd: folder, env })).stdout,
    stop: async () => {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** The server prints its address once it serves; until then this waits. */
function served(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`the server stopped with ${code} before it served`)));
    if (!child.stdout) return fail(new Error("the server has no output"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, url] = /^latchkey serves (\S+)/.exec(line) ?? [];
      if (url) done(url);
    });
  });
}
