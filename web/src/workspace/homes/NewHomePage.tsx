import "../recordPages.css";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import type { Counted } from "../../typedNumber.ts";
import { toast } from "../../ui/toast.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { faultsOf } from "../failure.ts";
import { readCurrency } from "../homeCurrency.ts";
import { Icon } from "../icon.tsx";
import { useKeptDraft } from "../keptDraft.ts";
import { LabelledField } from "../LabelledField.tsx";
import { usePastMoment } from "../pastMoment.ts";
import { useIntent } from "../useIntent.ts";
import { useOnePress } from "../useOnePress.ts";
import { useUnsavedWarning } from "../useUnsavedWarning.ts";
import { PROPERTY_KINDS } from "./facts/factNames.ts";
import { addHome, homeQuery, type NewHome, type StaffHome } from "./homeCalls.ts";
import { PlaceField, type PlaceTyped, readPlace, useCities } from "./PlaceField.tsx";
import { faultsBelow, hasPrice, NO_ROOM, type RoomRead, type RoomTyped, readRoom } from "./rooms/newRoom.ts";
import { RoomFields } from "./rooms/RoomFields.tsx";

interface HomeTyped {
  name: string;
  place: PlaceTyped;
  street: string;
  postalCode: string;
  kind: string;
  rooms: readonly RoomTyped[];
  reason: string;
}

const BEGIN: HomeTyped = {
  name: "",
  place: { city: "", area: "" },
  street: "",
  postalCode: "",
  kind: "",
  rooms: [NO_ROOM],
  reason: "",
};

const ABOUT = "new home";
const kept = new Map<string, HomeTyped>();

/** Prices are in the currency of the home's city. Until that is known they are looked at as hundredths, and none is sent. */
const HUNDREDTHS: Counted = { currency: null, decimals: 2 };

/** A home that no feed lists: name and place are enough for a draft, which only staff see. */
export function NewHomePage() {
  const { t } = useI18n();
  const [typed, setTyped] = useKeptDraft(kept, ABOUT, () => BEGIN);
  const isTyped = JSON.stringify(typed) !== JSON.stringify(BEGIN);
  useUnsavedWarning(isTyped);
  useEffect(() => {
    document.title = `${t("homes.new")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <header className="hh">
        <Link className="btn quiet sq" to="/workspace/homes" aria-label={t("homes.to_list")}>
          <Icon name="left" />
        </Link>
        <h1>{t("homes.new")}</h1>
      </header>
      <div className="scroll pad" data-list-scroll>
        <p className="muted">{t("homes.new_text")}</p>
        <NewHomeForm typed={typed} onType={setTyped} />
      </div>
    </main>
  );
}

interface FormProps {
  typed: HomeTyped;
  onType: (typed: HomeTyped) => void;
}

function NewHomeForm({ typed, onType }: FormProps) {
  const { t, lang } = useI18n();
  const isPast = usePastMoment() !== null;
  const [wasTried, setWasTried] = useState(false);
  const press = useAdding();
  const faults = faultsOf(press.error);
  const change = (part: Partial<HomeTyped>) => onType({ ...typed, ...part });
  const { named: city } = useCities(typed.place);
  const counted = city === undefined ? HUNDREDTHS : readCurrency(city.currency);
  const reads = typed.rooms.map((room) => (room.name.trim() === "" ? null : readRoom(room, lang, counted)));
  const isUnpriced = city === undefined && reads.some((read) => read !== null && hasPrice(read));
  const place = readPlace(typed.place);
  const lack = place === null ? "homes.required" : isUnpriced ? "homes.city_for_prices" : null;
  const unplaced = wasTried ? lack : null;
  const missing = typed.name.trim() === "" || place === null || typed.reason.trim().length < 3;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasTried(true);
    const home = missing || isUnpriced || place === null ? null : writeHome(typed, place, reads);
    if (home !== null) press.send(home);
  };
  const required = (isMissing: boolean) => (wasTried && isMissing ? t("homes.required") : undefined);
  return (
    <form className="new-home" onSubmit={submit} noValidate>
      <LabelledField label={t("homes.fact_name")} fault={faults.get("name") ?? required(typed.name.trim() === "")}>
        {(its) => (
          <input
            {...its}
            className="field"
            value={typed.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </LabelledField>
      <PlaceField
        place={typed.place}
        faults={unplaced === null ? faults : new Map([["place", t(unplaced)]])}
        onType={(next) => change({ place: next })}
      />
      <Details typed={typed} faults={faults} onChange={change} />
      <Rooms
        rooms={typed.rooms}
        reads={wasTried ? reads : []}
        faults={faults}
        counted={counted}
        period={city?.period ?? null}
        onType={(rooms) => change({ rooms })}
      />
      <LabelledField
        label={t("homes.why")}
        hint={t("homes.why_hint")}
        fault={faults.get("reason") ?? required(typed.reason.trim().length < 3)}
      >
        {(its) => (
          <textarea
            {...its}
            className="area"
            maxLength={500}
            value={typed.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        )}
      </LabelledField>
      <FailureNote error={press.error} />
      <button type="submit" className="btn pri" disabled={isPast || press.isPending}>
        {t("homes.add_draft")}
      </button>
    </form>
  );
}

interface RoomsProps {
  rooms: readonly RoomTyped[];
  /** How each was read, once that is to be said. */
  reads: readonly (RoomRead | null)[];
  faults: ReadonlyMap<string, string>;
  counted: Counted;
  period: StaffHome["period"] | null;
  onType: (rooms: readonly RoomTyped[]) => void;
}

/** The room types, each in a box of its own; one without a name is left out. */
function Rooms({ rooms, reads, faults, counted, period, onType }: RoomsProps) {
  const { t } = useI18n();
  return (
    <>
      {rooms.map((room, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rooms are added behind the others alone
        <fieldset key={at} className="new-room">
          <legend>{t("homes.room_type", { n: at + 1 })}</legend>
          <RoomFields
            typed={room}
            read={reads[at] ?? null}
            faults={faultsBelow(faults, `rooms/${at}/`)}
            counted={counted}
            period={period}
            onType={(next) => onType(rooms.map((one, place) => (place === at ? next : one)))}
          />
        </fieldset>
      ))}
      <button type="button" className="btn" onClick={() => onType([...rooms, NO_ROOM])}>
        <Icon name="plus" size="s" />
        {t("homes.add_room")}
      </button>
    </>
  );
}

interface DetailsProps {
  typed: HomeTyped;
  faults: ReadonlyMap<string, string>;
  onChange: (part: Partial<HomeTyped>) => void;
}

function Details({ typed, faults, onChange }: DetailsProps) {
  const { t } = useI18n();
  return (
    <div className="halves">
      <div>
        <LabelledField label={t("homes.street")} hint={t("homes.optional")} fault={faults.get("address/route")}>
          {(its) => (
            <input
              {...its}
              className="field"
              value={typed.street}
              onChange={(event) => onChange({ street: event.target.value })}
            />
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField
          label={t("homes.address_postal_code")}
          hint={t("homes.optional")}
          fault={faults.get("address/postal_code")}
        >
          {(its) => (
            <input
              {...its}
              className="field"
              value={typed.postalCode}
              onChange={(event) => onChange({ postalCode: event.target.value })}
            />
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField label={t("homes.fact_property_kind")} fault={faults.get("kind")}>
          {(its) => (
            <select
              {...its}
              className="field"
              value={typed.kind}
              onChange={(event) => onChange({ kind: event.target.value })}
            >
              <option value="">{t("homes.not_said")}</option>
              {PROPERTY_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`homes.property_kind_${kind}`)}
                </option>
              ))}
            </select>
          )}
        </LabelledField>
      </div>
    </div>
  );
}

/** What is sent; null where a room cannot be read. A room without a name is left out. */
function writeHome(typed: HomeTyped, place: NewHome["place"], reads: readonly (RoomRead | null)[]): NewHome | null {
  const named = reads.filter((read) => read !== null);
  const rooms = named.flatMap((read) => ("room" in read ? [read.room] : []));
  if (rooms.length < named.length) return null;
  const [street, postalCode] = [typed.street.trim(), typed.postalCode.trim()];
  const kind = PROPERTY_KINDS.find((known) => known === typed.kind);
  return {
    name: typed.name.trim(),
    place,
    reason: typed.reason.trim(),
    ...(street === "" && postalCode === ""
      ? {}
      : { address: { ...(street && { route: street }), ...(postalCode && { postal_code: postalCode }) } }),
    ...(kind === undefined ? {} : { kind }),
    ...(rooms.length === 0 ? {} : { rooms }),
  };
}

/** Lists the home, forgets what was typed, and opens its page. */
function useAdding() {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const keyOf = useIntent();
  return useOnePress<StaffHome, NewHome>({
    mutationFn: (home) => addHome(home, keyOf(home)),
    onSuccess: (home) => {
      kept.delete(ABOUT);
      client.setQueryData(homeQuery(home.home_id).queryKey, home);
      void client.invalidateQueries({ queryKey: ["homes"] });
      toast(t("homes.added", { name: home.name }));
      void navigate({ to: "/workspace/homes/$homeId", params: { homeId: home.home_id }, search: {} });
    },
  });
}
