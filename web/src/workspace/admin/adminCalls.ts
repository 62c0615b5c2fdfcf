/** What administrators ask the server: looks at personal data, settings, health, second factors. */
import { queryOptions } from "@tanstack/react-query";
import { del, get, post, put } from "../../api.ts";
import type {
  MailCode,
  MessageSettings,
  MessageSettingsRequest,
  OtpSent,
  RecoveryCodes,
  SecondFactorOffer,
  SecondFactorState,
  SiteSetting,
} from "../../contract/wire.ts";
import type { ReadFilters } from "./readFilters.ts";

/** A page of looks, the newest first. */
export const readsQuery = (filters: ReadFilters) =>
  queryOptions({
    queryKey: ["reads", filters],
    queryFn: ({ signal }) => get("/api/v0/workspace/reads", { query: filters, signal, fresh: true }),
  });

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => get("/api/v0/workspace/settings", { signal, fresh: true }),
});

/** Sets a value; null gives the setting back to file and environment. `was`: the value that was on screen. */
export function changeSetting(name: string, value: string | null, was: string): Promise<SiteSetting> {
  return put("/api/v0/workspace/settings/{name}", { path: { name }, body: { value, was } });
}

/** How the server's parts do; while the page is open, nearly at once. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => get("/api/v0/workspace/health", { signal, fresh: true }),
  refetchInterval: 5_000,
});

/** Where the caller's own second factor stands. */
export const secondFactorQuery = queryOptions({
  queryKey: ["second_factor"],
  queryFn: ({ signal }) => get("/api/v0/users/second_factor", { signal, fresh: true }),
});

/** Choices of the caller about messages to them. */
export const messageSettingsQuery = queryOptions({
  queryKey: ["message_settings"],
  queryFn: ({ signal }) => get("/api/v0/users/message_settings", { signal, fresh: true }),
});

export function chooseMessages(choice: MessageSettingsRequest): Promise<MessageSettings> {
  return put("/api/v0/users/message_settings", { body: choice });
}

export function offerSecondFactor(): Promise<SecondFactorOffer> {
  return post("/api/v0/users/second_factor");
}

/** Sends a code to the caller's own mail, by which a change of their login is proved. */
export function sendMailCode(): Promise<OtpSent> {
  return post("/api/v0/users/second_factor/mail_code");
}

/** `code`: what the device shows. */
export function confirmSecondFactor(asked: MailCode & { code: string }): Promise<RecoveryCodes> {
  return post("/api/v0/users/second_factor/confirm", { body: asked });
}

/** Fresh recovery codes in place of those before. */
export function renewRecoveryCodes(mail: MailCode): Promise<RecoveryCodes> {
  return post("/api/v0/users/second_factor/recovery_codes", { body: mail });
}

/** Takes the caller's own device away. */
export function removeSecondFactor(mail: MailCode): Promise<SecondFactorState> {
  return post("/api/v0/users/second_factor/remove", { body: mail });
}

/** A code of the device, or a recovery code. */
export function passSecondFactor(code: string): Promise<SecondFactorState> {
  return post("/api/v0/users/second_factor/pass", { body: { code } });
}

/** Takes the device of another account away. */
export function resetSecondFactor(userId: string, mail: MailCode): Promise<boolean> {
  return del("/api/v0/workspace/second_factors/{id}", { path: { id: userId }, body: mail });
}
