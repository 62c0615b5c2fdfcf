/** Why a value of a lead is what it is (N2). */
import { queryOptions } from "@tanstack/react-query";
import { get } from "../../api.ts";

/** Values that lists and heads show, in the order in which they are offered. */
export const LEAD_FIELDS = [
  "status",
  "owner",
  "property",
  "move_in_date",
  "lease_duration",
  "name",
  "email",
  "phone",
  "source",
] as const;

export type LeadField = (typeof LEAD_FIELDS)[number];

/** The events that set a value, oldest first; asked again each time the dialog opens. */
export const leadWhyQuery = (leadId: string, field: LeadField) =>
  queryOptions({
    queryKey: ["why", leadId, field],
    queryFn: ({ signal }) =>
      get("/api/v0/workspace/why", { query: { aggregate: leadId, path: `/lead/${field}` }, signal }),
    staleTime: 0,
  });
