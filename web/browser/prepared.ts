import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { serveIn } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A stopped data folder with the demo catalogue in it: every test file serves a copy. */
    prepared: string;
  }
}

/** The catalogue named by `LATCHKEY_TEST_CATALOGUE`, or one loaded for this run. */
export default async function prepare(project: TestProject): Promise<() => void> {
  const given = process.env["LATCHKEY_TEST_CATALOGUE"];
  if (given) {
    if (!existsSync(join(given, "log.db"))) throw new Error(`LATCHKEY_TEST_CATALOGUE: no data folder at ${given}`);
    project.provide("prepared", given);
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "latchkey-prepared-"));
  const { stop } = await serveIn(folder);
  await stop();
  project.provide("prepared", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
