import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { serveIn } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with the demo catalogue in it, which nobody serves: every test file starts from a copy. */
    prepared: string;
  }
}

/** Loads the demo catalogue once for the whole run. */
export default async function prepare(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-prepared-"));
  const { stop } = await serveIn(folder);
  await stop();
  project.provide("prepared", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
