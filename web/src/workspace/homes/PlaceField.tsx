import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { get } from "../../api.ts";
import type { QueryOf } from "../../contract/calls.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { LabelledField } from "../LabelledField.tsx";
import type { BulkAct, StaffHome } from "./homeCalls.ts";

/** A city and an area of it, as they are typed. */
export interface PlaceTyped {
  city: string;
  area: string;
}

interface Region {
  id: string;
  name: string;
  canonical_name: string;
  /** Currency and period of its homes' prices. */
  currency: string;
  period: StaffHome["period"];
}

/** The canonical name in brackets behind the name that people read. */
const spell = ({ name, canonical_name }: Region) => `${name} (${canonical_name})`;

/** The place that was typed: the name in brackets of one that was chosen, else the words. Null without a city. */
export function readPlace({ city, area }: PlaceTyped): NonNullable<BulkAct["place"]> | null {
  const named = (typed: string) => /\(([^()]+)\)$/.exec(typed.trim())?.[1] ?? typed.trim();
  if (city.trim() === "") return null;
  return { city: named(city), ...(area.trim() === "" ? {} : { area: named(area) }) };
}

/** Places of a kind whose names begin as it was typed. */
function usePlaces(query: QueryOf<"/api/v0/regions">, isOn: boolean): readonly Region[] {
  const { data } = useQuery({
    queryKey: ["regions", query],
    queryFn: ({ signal }) => get("/api/v0/regions", { query, signal }),
    enabled: isOn,
    staleTime: 60_000,
  });
  return (data?.result ?? []).flatMap(({ id, name, canonical_name, currency, period }) =>
    id && name && canonical_name && currency && period ? [{ id, name, canonical_name, currency, period }] : [],
  );
}

/** Cities that the typed words suggest, and the one that they name. */
export function useCities(place: PlaceTyped): { found: readonly Region[]; named: Region | undefined } {
  const words = place.city.replace(/ \(.*$/, "").trim();
  const found = usePlaces({ search_name: words, region_type: "locality", limit: 10 }, words.length > 1);
  return { found, named: findNamed(found, place) };
}

/** The city among these that is typed with its name in addresses, in brackets or alone. */
export function findNamed<City extends Pick<Region, "canonical_name">>(
  cities: readonly City[],
  place: PlaceTyped,
): City | undefined {
  const named = readPlace(place)?.city;
  return cities.find(({ canonical_name }) => canonical_name === named);
}

interface PlaceFieldProps {
  place: PlaceTyped;
  faults: ReadonlyMap<string, string>;
  onType: (place: PlaceTyped) => void;
}

/** A city and, where the house tells them apart, an area of it; both are suggested while they are typed. */
export function PlaceField({ place, faults, onType }: PlaceFieldProps) {
  const { t } = useI18n();
  const [cities, areas] = [useId(), useId()];
  const { found, named } = useCities(place);
  const parts = usePlaces({ ancestor_id: named?.id ?? "", region_type: "sublocality", limit: 50 }, named !== undefined);
  return (
    <>
      <LabelledField label={t("homes.city")} fault={faults.get("place/city") ?? faults.get("place")}>
        {(its) => (
          <input
            {...its}
            className="field"
            list={cities}
            autoComplete="off"
            value={place.city}
            onChange={(event) => onType({ city: event.target.value, area: "" })}
          />
        )}
      </LabelledField>
      <Suggestions id={cities} regions={found} />
      <LabelledField label={t("homes.area")} hint={t("homes.optional")} fault={faults.get("place/area")}>
        {(its) => (
          <input
            {...its}
            className="field"
            list={areas}
            autoComplete="off"
            value={place.area}
            onChange={(event) => onType({ ...place, area: event.target.value })}
          />
        )}
      </LabelledField>
      <Suggestions id={areas} regions={parts} />
    </>
  );
}

function Suggestions({ id, regions }: { id: string; regions: readonly Region[] }) {
  return (
    <datalist id={id}>
      {regions.map((region) => (
        <option key={region.id} value={spell(region)} />
      ))}
    </datalist>
  );
}
