/** Questions of the pages of feeds and runs, and the acts that they send. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ApiError, del, get, newKey, post, put } from "../../api.ts";
import type { Asked, DataOf } from "../../contract/calls.ts";
import type { ImportRun } from "../../contract/wire.ts";
import { postFile, type Sending } from "../../postFile.ts";
import { serverNow } from "../../serverClock.ts";
import type { FeedsFilters } from "./feedsFilters.ts";
import type { FeedMap } from "./upload/columns/feedMap.ts";

type UploadAnswer = DataOf<"get", "/api/v0/workspace/feed_uploads/{id}">;

export type Feed = DataOf<"get", "/api/v0/workspace/feeds">["feeds"][number];
/** An upload with its line in the list of uploads. */
export type FeedUpload = Omit<UploadAnswer, "upload"> & UploadAnswer["upload"];
export type FeedUploadLine = DataOf<"get", "/api/v0/workspace/feed_uploads">["uploads"][number];
export type FeedFields = DataOf<"get", "/api/v0/workspace/feed_fields">;
export type FeedColumn = NonNullable<FeedUpload["look"]>["columns"][number];
export type PreviewHome = NonNullable<FeedUpload["look"]>["homes"][number];
export type UploadRun = NonNullable<FeedUpload["run"]>;
export type ReportLine = UploadRun["worst"][number];
export type RunAsked = Asked<"post", "/api/v0/workspace/feed_uploads/{id}/runs">["body"];
export type MissingRule = RunAsked["missing"];
export type Schedule = Asked<"put", "/api/v0/workspace/feeds/{name}">["body"];

/** Time between two questions about a run that is under way. */
const RUN_POLL_MS = 5_000;

/** A page of runs, the newest first. */
export const runsQuery = (filters: FeedsFilters) =>
  queryOptions({
    queryKey: ["imports", filters],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports", { query: filters, signal, fresh: true }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(isUnderWay) ? RUN_POLL_MS : false),
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ["import", id],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports/{id}", { path: { id }, signal, fresh: true }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? RUN_POLL_MS : false),
  });

/** Photos of a run's feed that cannot be fetched, as they stand now. */
export const deadPhotosQuery = (id: string) =>
  queryOptions({
    queryKey: ["import", id, "dead_photos"],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports/{id}/dead_photos", { path: { id }, signal, fresh: true }),
    refetchInterval: 60_000,
  });

/** A run without an end that began longer ago has broken off. */
const RUN_AT_MOST_MS = 3_600_000;

function isUnderWay({ outcome, begun_at }: ImportRun): boolean {
  return outcome === null && serverNow() - Date.parse(begun_at) < RUN_AT_MOST_MS;
}

const FEEDS = ["feeds"];
const UPLOADS = ["feed_uploads"];

/** What an import or a change of a schedule makes old. */
export const feedKeys = [FEEDS, UPLOADS, ["imports"], ["homes"]] as const;

export const feedsQuery = queryOptions({
  queryKey: FEEDS,
  queryFn: ({ signal }) => get("/api/v0/workspace/feeds", { signal, fresh: true }),
  refetchInterval: ({ state }) => (state.data?.feeds.some(({ state: its }) => its?.is_running) ? RUN_POLL_MS : 30_000),
});

/** Uploaded files that have not ended. */
export const uploadsQuery = queryOptions({
  queryKey: UPLOADS,
  queryFn: ({ signal }) => get("/api/v0/workspace/feed_uploads", { signal, fresh: true }),
});

/** Fields and words that a map may name. */
export const fieldsQuery = queryOptions({
  queryKey: ["feed_fields"],
  queryFn: ({ signal }) => get("/api/v0/workspace/feed_fields", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Time between two questions about an upload that the server works on. */
const UPLOAD_POLL_MS = 1_000;

export const uploadQuery = (id: string) =>
  queryOptions({
    queryKey: [...UPLOADS, id],
    queryFn: async ({ signal }) =>
      readUpload(await get("/api/v0/workspace/feed_uploads/{id}", { path: { id }, signal, fresh: true })),
    refetchInterval: ({ state }) =>
      state.data?.stage === "waiting" || state.data?.stage === "running" ? UPLOAD_POLL_MS : false,
  });

function readUpload({ upload, ...rest }: UploadAnswer): FeedUpload {
  return { ...rest, ...upload };
}

/** The map of an upload, as the pages edit it. */
export function mapOf({ map }: Pick<FeedUpload, "map">): FeedMap {
  return map;
}

/** Sends a feed's file. */
export async function sendFile(feed: string, file: File, sending: Sending) {
  return readUpload(await postFile("/api/v0/workspace/feed_uploads", file, { query: { feed } }, sending));
}

/** The server gives up on an address after half an hour: its own answer comes first. */
const FETCH_MS = 31 * 60_000;
/** Time between two looks for a file whose answer was lost on the way. */
const LOOK_MS = 5_000;
/** Looks for such a file: a minute of them. */
const LOOKS = 12;

/**
 * Has the server fetch a feed's file from its address, once. Something between here and the server may give up sooner than the server:
 * its upload is then found in the list.
 */
export async function fetchFile(feed: string, url: string, intent: string, signal: AbortSignal): Promise<FeedUpload> {
  const known = new Set((await listUploads(signal)).map(({ upload_id }) => upload_id));
  try {
    const asked = { body: { feed, url }, idempotencyKey: intent, signal, waitMs: FETCH_MS };
    return readUpload(await post("/api/v0/workspace/feed_uploads/address", asked));
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind === "refused") throw error;
    const id = await findNewUpload(feed, known, signal);
    if (id === null) throw error;
    return readUpload(await get("/api/v0/workspace/feed_uploads/{id}", { path: { id }, signal, fresh: true }));
  }
}

async function listUploads(signal: AbortSignal): Promise<FeedUploadLine[]> {
  return (await get("/api/v0/workspace/feed_uploads", { signal, fresh: true })).uploads;
}

/** The upload of a feed that was not known before; null where none comes, or the server cannot be asked. */
async function findNewUpload(feed: string, known: ReadonlySet<string>, signal: AbortSignal): Promise<string | null> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await pause(LOOK_MS, signal);
    const lines = await listUploads(signal).catch(() => null);
    signal.throwIfAborted();
    if (lines === null) return null;
    const found = lines.find((line) => line.feed === feed && !known.has(line.upload_id));
    if (found !== undefined) return found.upload_id;
  }
  return null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

export async function saveMap(id: string, map: FeedMap) {
  const asked = { path: { id }, body: { map }, idempotencyKey: newKey() };
  return readUpload(await put("/api/v0/workspace/feed_uploads/{id}/map", asked));
}

/** Begins a dry run or an import; the same `intent` sent twice begins one. */
export async function beginRun(id: string, body: RunAsked, intent: string) {
  const asked = { path: { id }, body, idempotencyKey: intent };
  return readUpload(await post("/api/v0/workspace/feed_uploads/{id}/runs", asked));
}

/** Stops a run before its next home. */
export async function cancelRun(id: string) {
  return readUpload(await post("/api/v0/workspace/feed_uploads/{id}/cancel", { path: { id } }));
}

export function dropUpload(id: string) {
  return del("/api/v0/workspace/feed_uploads/{id}", { path: { id }, idempotencyKey: newKey() });
}

/** Makes or changes the schedule of a feed. */
export function setSchedule(name: string, body: Schedule, intent: string) {
  return put("/api/v0/workspace/feeds/{name}", { path: { name }, body, idempotencyKey: intent });
}

export function dropSchedule(name: string) {
  return del("/api/v0/workspace/feeds/{name}", { path: { name }, idempotencyKey: newKey() });
}

export function readNow(name: string) {
  return post("/api/v0/workspace/feeds/{name}/run", { path: { name } });
}
