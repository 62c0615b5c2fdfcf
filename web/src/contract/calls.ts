/** How a call is written, by its method and path: derived from the calls of the served document. */
import type { Operations } from "./wire.ts";

type Method = keyof Operations;

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Repeats of the same intent carry the same key (Spec: every POST takes Idempotency-Key). */
  idempotencyKey?: string;
  /** Expected version, for `If-Match`. */
  ifMatch?: number;
  /** Work done for a challenge (T20). */
  proof?: string;
  /** Reads that must not come from a cache (D130). */
  fresh?: boolean;
  /** How long the answer is waited for, in milliseconds, where that is not a minute. */
  waitMs?: number;
}

/** Values of a query; those without one are left out, and `lang` names the language of any answer. */
type Values<Q> = { [N in keyof Q]: Partial<Pick<Q, N>> extends Pick<Q, N> ? Q[N] | null | undefined : Q[N] } & {
  lang?: string;
};

type Query<O> = O extends { query: infer Q }
  ? { query: Values<Q> }
  : { query?: "query" extends keyof O ? Values<NonNullable<O["query"]>> : Values<unknown> };

/** Paths whose answers carry data; files, pages and streams are read in other ways. */
export type PathOf<M extends Method> = {
  [P in keyof Operations[M]]: Operations[M][P] extends { data: unknown } ? P : never;
}[keyof Operations[M]];

/** Paths that a file is sent to as it is. */
export type FilePath = {
  [P in PathOf<"post">]: Operations["post"][P] extends { body: File } ? P : never;
}[PathOf<"post">];

/** What goes into the path, query and body of a call, beside its options. */
export type Asked<M extends Method, P extends keyof Operations[M]> = Omit<Operations[M][P], "query" | "data"> &
  Query<Operations[M][P]> &
  CallOptions;

/** The arguments of a call after its path: none has to be named where nothing is needed. */
export type Arguments<M extends Method, P extends keyof Operations[M]> =
  Partial<Asked<M, P>> extends Asked<M, P> ? [asked?: Asked<M, P>] : [asked: Asked<M, P>];

/** The data of an answer. */
export type DataOf<M extends Method, P extends keyof Operations[M]> = Operations[M][P] extends { data: infer D }
  ? D
  : never;

/** The query of a call that reads. */
export type QueryOf<P extends keyof Operations["get"]> = NonNullable<Asked<"get", P>["query"]>;

type Address<P extends keyof Operations["get"]> = Omit<Asked<"get", P>, keyof CallOptions>;

/** What an address needs after its path. */
export type AddressArguments<P extends keyof Operations["get"]> =
  Partial<Address<P>> extends Address<P> ? [asked?: Address<P>] : [asked: Address<P>];
