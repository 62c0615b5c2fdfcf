import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK, pageLanguages } from "../../i18n/languages.ts";
import { toast } from "../../ui/toast.tsx";
import { faultsOf } from "../failure.ts";
import { dropKeptWords, useKeptDraft } from "../keptDraft.ts";
import { LabelledField } from "../LabelledField.tsx";
import { languageName } from "../languageName.ts";
import { usePastMoment } from "../pastMoment.ts";
import { ReasonDialog } from "../ReasonDialog.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { useIntent } from "../useIntent.ts";
import { useOnePress } from "../useOnePress.ts";
import { useUnsavedWarning } from "../useUnsavedWarning.ts";
import { allPlaces, changePlace, placeQuery } from "./placeCalls.ts";
import {
  buildEdit,
  type Draft,
  keepMine,
  listFaults,
  listOvertaken,
  NO_DRAFT,
  type Place,
  type PlaceEdit,
  typeOver,
  writeFields,
} from "./placeEdit.ts";

const LANGUAGES = pageLanguages().flatMap(([tag]) => (tag === FALLBACK ? [] : [tag]));

/** Corrections that were not saved, by their place. */
const kept = new Map<string, Draft>();

/** Reads a place, then corrects it. */
export function PlaceEditor({ id }: { id: string }) {
  const asked = useQuery(placeQuery(id));
  if (asked.data !== undefined) return <Editor place={asked.data} />;
  if (asked.error === null) return <Bone width={320} />;
  return <Stopped error={asked.error} fetchedAt={0} onRetry={() => void asked.refetch()} />;
}

/** Names, centre and the words that find a place. What was typed stays while staff go elsewhere, and is sent with a reason. */
function Editor({ place }: { place: Place }) {
  const { t } = useI18n();
  const [draft, setDraft] = useKeptDraft(kept, place.id, () => NO_DRAFT);
  const [isAsking, setAsking] = useState(false);
  const [wasTried, setWasTried] = useState(false);
  const isPast = usePastMoment() !== null;
  const isUnsaved = Object.keys(draft).length > 0;
  useUnsavedWarning(isUnsaved);
  const press = useCorrecting(place.id, () => {
    setAsking(false);
    setDraft(NO_DRAFT);
  });
  const shown = writeFields(place, LANGUAGES);
  const faults = listFaults(draft);
  const overtaken = listOvertaken(draft, shown);
  // The choice between both texts stands on the page: a second press in the dialog would send over it.
  if (isAsking && overtaken.length > 0) setAsking(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasTried(true);
    if (faults.length === 0 && overtaken.length === 0) setAsking(true);
  };
  return (
    <form className="rm-one place-form" aria-label={place.name} onSubmit={submit} noValidate>
      <h2>{place.name}</h2>
      <Fields
        draft={draft}
        shown={shown}
        refused={faultsOf(press.error)}
        faults={wasTried ? faults : []}
        isPast={isPast}
        onType={(field, text) => setDraft(typeOver(draft, field, shown[field] ?? "", text))}
      />
      {overtaken.length === 0 ? null : (
        <div className="note warn" role="alert">
          <p className="grow">{t("places.overtaken", { fields: nameFields(t, overtaken) })}</p>
          <button type="button" className="btn sm" onClick={() => setDraft(keepMine(draft, shown))}>
            {t("places.keep_mine")}
          </button>
        </div>
      )}
      <div className="row">
        <button type="submit" className="btn pri" disabled={isPast || !isUnsaved}>
          {t("places.correct")}
        </button>
        <button type="button" className="btn quiet" disabled={!isUnsaved} onClick={() => setDraft(NO_DRAFT)}>
          {t("places.discard")}
        </button>
      </div>
      {isAsking ? (
        <ReasonDialog
          about={`place ${place.id}`}
          title={t("places.correct_title", { name: place.name })}
          text={t("places.correct_text", { n: place.homes })}
          label={t("places.why")}
          act={t("places.correct")}
          sending={{ ...press, send: (reason) => press.send(buildEdit(place, draft, reason)) }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </form>
  );
}

/** Names of fields in a sentence; all names in languages are one of them. */
function nameFields(t: ReturnType<typeof useI18n>["t"], fields: readonly string[]): string {
  const named = fields.map((field) => {
    if (field === "found_by") return t("places.found_by");
    return t(field === "lat" || field === "lng" ? "places.centre" : "places.name");
  });
  return [...new Set(named)].join(t("workspace.list_mark"));
}

/** Sends a correction; after a refusal the place is read anew, and what was typed stays. */
function useCorrecting(id: string, onDone: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  return useOnePress<Place, PlaceEdit>({
    mutationFn: (edit) => changePlace(id, edit, keyOf(edit)),
    onSuccess: (place) => {
      client.setQueryData(placeQuery(id).queryKey, place);
      void client.invalidateQueries({ queryKey: allPlaces });
      dropKeptWords(`place ${id}`);
      toast(t("places.saved"));
      onDone();
    },
    onError: () => void client.invalidateQueries({ queryKey: placeQuery(id).queryKey }),
  });
}

interface FieldsProps {
  draft: Draft;
  shown: Readonly<Record<string, string>>;
  /** What the server refused, by its own names of the fields. */
  refused: ReadonlyMap<string, string>;
  faults: readonly string[];
  isPast: boolean;
  onType: (field: string, text: string) => void;
}

function Fields({ draft, shown, refused, faults, isPast, onType }: FieldsProps) {
  const { t, lang } = useI18n();
  const line = (field: string, label: string, served: string, fault: string, isNumber = false) => (
    <div key={field}>
      <LabelledField label={label} fault={refused.get(served) ?? (faults.includes(field) ? fault : undefined)}>
        {(its) => (
          <input
            {...its}
            className="field"
            inputMode={isNumber ? "decimal" : undefined}
            disabled={isPast}
            value={draft[field]?.text ?? shown[field] ?? ""}
            onChange={(event) => onType(field, event.target.value)}
          />
        )}
      </LabelledField>
    </div>
  );
  return (
    <>
      <div className="place-fields">
        {line("name", t("places.name"), "name", t("places.name_fault"))}
        {LANGUAGES.map((tag) =>
          line(`name.${tag}`, t("places.name_in", { language: languageName(tag, lang) }), "local_names", ""),
        )}
        {line("lat", t("places.lat"), "centre", t("places.lat_fault"), true)}
        {line("lng", t("places.lng"), "centre", t("places.lng_fault"), true)}
      </div>
      <div>
        <LabelledField label={t("places.found_by")} hint={t("places.found_by_hint")} fault={refused.get("found_by")}>
          {(its) => (
            <textarea
              {...its}
              className="area"
              rows={6}
              disabled={isPast}
              value={draft["found_by"]?.text ?? shown["found_by"] ?? ""}
              onChange={(event) => onType("found_by", event.target.value)}
            />
          )}
        </LabelledField>
      </div>
    </>
  );
}
