import type { Scene } from "./scene.ts";

interface Sent {
  body: string;
}

/** The code of the latest message to an address, from the developers' outbox. */
export async function codeFor(scene: Scene, email: string): Promise<string> {
  const answer = await fetch(`${scene.url}/dev/outbox?to=${encodeURIComponent(email)}`);
  const { data }: { data: Sent[] } = await answer.json();
  for (const { body } of data) {
    const [code] = /\b\d{6}\b/.exec(body) ?? [];
    if (code) return code;
  }
  throw new Error("no code was sent");
}

/** Through the open login dialog: address, code from the outbox, and the dialog is gone. */
export async function logIn(scene: Scene, email: string, pictures: string | null = null): Promise<void> {
  const { page, say } = scene;
  const dialog = page.locator("dialog.modal-login");
  const address = dialog.getByLabel(say("login.email"), { exact: true });
  await address.fill(email);
  if (pictures) await scene.look(`${pictures}-address`);
  await dialog.getByRole("button", { name: say("login.send"), exact: true }).click();
  const code = dialog.getByLabel(say("login.code_label"));
  await code.waitFor();
  if (pictures) await scene.look(`${pictures}-code`);
  await code.fill(await codeFor(scene, email));
  await dialog.waitFor({ state: "detached" });
}
