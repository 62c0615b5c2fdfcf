import type { Period } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import type { ListFilter, SortOrder } from "./filters.ts";

const names: Record<ListFilter, MessageKey> = {
  roomType: "search.room_type",
  moveInMonth: "search.move_in_month",
  leaseDuration: "search.stay_duration",
  distance: "search.distance",
  guarantor: "search.guarantor",
  available: "search.availability",
  dualOccupancy: "search.dual_occupancy",
  accommodationType: "search.housing_type",
  features: "search.features",
  locality: "search.locality",
  university: "search.university",
};

export const sortNames: Record<SortOrder, MessageKey> = {
  "relevance,desc": "search.sort_recommended",
  "distance,asc": "search.sort_nearest",
  "available_price,asc": "search.sort_price_up",
  "available_price,desc": "search.sort_price_down",
  "created,desc": "search.sort_new",
};

const values: Record<string, MessageKey> = {
  "roomType:ensuite_room": "search.room_ensuite",
  "roomType:studio_room": "search.room_studio",
  "roomType:private_room": "search.room_private",
  "roomType:shared_room": "search.room_shared",
  "roomType:studio": "search.room_us_studio",
  "roomType:1bhk": "search.room_1bhk",
  "roomType:2bhk": "search.room_2bhk",
  "roomType:3bhk": "search.room_3bhk",
  "accommodationType:student_accommodation": "search.housing_student",
  "accommodationType:independent_house": "search.housing_house",
  "accommodationType:apartment": "search.housing_apartment",
  "accommodationType:university_hall": "search.housing_hall",
  "dualOccupancy:true": "search.dual_yes",
  "guarantor:false": "search.guarantor_none",
  "guarantor:international": "search.guarantor_international",
  "guarantor:local": "search.guarantor_local",
  "guarantor:not_said": "search.guarantor_not_said",
  "available:true": "search.available_yes",
  "available:false": "search.available_no",
  "distance:1609": "search.mile_1",
  "distance:3218": "search.mile_2",
  "distance:8046": "search.mile_5",
  "distance:all": "search.distance_all",
};

/** A filter's name. */
export function useFilterName(): (name: ListFilter) => string {
  const { t } = useI18n();
  return (name) => t(names[name]);
}

/** A value's words; `period` tells weeks from months where the region counts stays in one or the other. */
export function useValueName(period: Period): (name: ListFilter, value: string) => string {
  const { t, tData } = useI18n();
  const format = useFormat();
  return (name, value) => {
    const known = values[`${name}:${value}`];
    if (known) return t(known);
    if (name === "moveInMonth") return format.month(value);
    if (name === "leaseDuration")
      return t(period === "weekly" ? "search.stay_weeks" : "search.stay_months", { range: value.replace("-", "–") });
    const key = `feature.${value}`;
    const words = name === "features" ? tData(key) : value;
    return words === key || words === value ? humanised(value) : words;
  };
}

function humanised(value: string): string {
  const words = value.replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
