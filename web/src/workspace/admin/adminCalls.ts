/** What administrators ask the server: looks at personal data, settings, health, second factors. */
import { queryOptions } from "@tanstack/react-query";
import { del, get, post, put } from "../../api.ts";
import type {
  DataReads,
  RecoveryCodes,
  SecondFactorOffer,
  SecondFactorState,
  SiteSetting,
  SystemHealth,
} from "../../contract/wire.ts";
import { asQuery } from "../../paths.ts";
import type { ReadFilters } from "./readFilters.ts";

const BASE = "/api/v0/workspace";
const OWN = "/api/v0/users/second_factor";

/** A page of looks, the newest first. */
export const readsQuery = (filters: ReadFilters) =>
  queryOptions({
    queryKey: ["reads", filters],
    queryFn: ({ signal }) => get<DataReads>(`${BASE}/reads${asQuery({ ...filters })}`, { signal, fresh: true }),
  });

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => get<SiteSetting[]>(`${BASE}/settings`, { signal, fresh: true }),
});

/** Sets a value; null gives the setting back to file and environment. `was`: the value that was on screen. */
export function changeSetting(name: string, value: string | null, was: string): Promise<SiteSetting> {
  return put<SiteSetting>(`${BASE}/settings/${encodeURIComponent(name)}`, { value, was });
}

/** How the server's parts do; while the page is open, nearly at once. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => get<SystemHealth>(`${BASE}/health`, { signal, fresh: true }),
  refetchInterval: 5_000,
});

/** Where the caller's own second factor stands. */
export const secondFactorQuery = queryOptions({
  queryKey: ["second_factor"],
  queryFn: ({ signal }) => get<SecondFactorState>(OWN, { signal, fresh: true }),
});

export function offerSecondFactor(): Promise<SecondFactorOffer> {
  return post<SecondFactorOffer>(OWN, {});
}

export function confirmSecondFactor(code: string): Promise<RecoveryCodes> {
  return post<RecoveryCodes>(`${OWN}/confirm`, { code });
}

/** A code of the device, or a recovery code. */
export function passSecondFactor(code: string): Promise<SecondFactorState> {
  return post<SecondFactorState>(`${OWN}/pass`, { code });
}

/** Takes the device of another account away. */
export function resetSecondFactor(userId: string): Promise<boolean> {
  return del<boolean>(`${BASE}/second_factors/${encodeURIComponent(userId)}`);
}
