import { patience } from "./scene.ts";

/** Asks again and again until it is so; what stays false for too long fails by its name. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${what}`);
    await new Promise((next) => setTimeout(next, 200));
  }
}
