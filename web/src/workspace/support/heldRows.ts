/** Rows of a list stay where they are while a person reads them: what is new waits above until it is asked for. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { LeadListPage } from "../../contract/wire.ts";
import { listQuery } from "./leadFilterNames.ts";
import type { LeadFilters } from "./leadFilters.ts";

interface Held {
  key: string;
  page: LeadListPage;
}

/** What a list is drawn from. */
export type ShownList = Pick<
  UseQueryResult<LeadListPage>,
  "data" | "error" | "isPending" | "dataUpdatedAt" | "refetch"
>;

interface HeldRows {
  list: ShownList;
  /** How many rows the newest answer has in other places than the list on screen. */
  waiting: number;
  onShow: () => void;
}

interface Rows {
  result: { lead_id: string }[];
}

/** The rows on screen with the newest values, in the order they were shown in. */
export function heldPage<Page extends Rows>(shown: Page, fresh: Page): { page: Page; waiting: number } {
  const places = new Map(fresh.result.map((row, place) => [row.lead_id, place]));
  const isSame =
    shown.result.length === fresh.result.length &&
    shown.result.every((row, place) => places.get(row.lead_id) === place);
  if (isSame || shown.result.length === 0) return { page: fresh, waiting: 0 };
  const known = new Set(shown.result.map((row) => row.lead_id));
  const added = fresh.result.filter((row) => !known.has(row.lead_id)).length;
  const rows = shown.result.map((row) => fresh.result[places.get(row.lead_id) ?? -1] ?? row);
  return { page: { ...fresh, result: rows }, waiting: Math.max(1, added) };
}

/** Holds the order of the rows until the filters change or the reader asks for what is new. */
export function useHeldRows(asking: UseQueryResult<LeadListPage>, filters: LeadFilters): HeldRows {
  const key = JSON.stringify(listQuery(filters));
  const [held, setHeld] = useState<Held | null>(null);
  const { data, isPlaceholderData } = asking;
  if (data === undefined || isPlaceholderData) return { list: asking, waiting: 0, onShow: () => undefined };
  if (held === null || held.key !== key) {
    setHeld({ key, page: data });
    return { list: asking, waiting: 0, onShow: () => undefined };
  }
  const { page, waiting } = heldPage(held.page, data);
  const { error, isPending, dataUpdatedAt, refetch } = asking;
  return {
    list: { data: page, error, isPending, dataUpdatedAt, refetch },
    waiting,
    onShow: () => setHeld({ key, page: data }),
  };
}
