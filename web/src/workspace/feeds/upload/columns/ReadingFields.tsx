import { useState } from "react";
import { useI18n } from "../../../../i18n/i18n.tsx";
import { FailureNote } from "../../../FailureNote.tsx";
import { faultsOf } from "../../../failure.ts";
import { LabelledField } from "../../../LabelledField.tsx";
import { usePastMoment } from "../../../pastMoment.ts";
import { useOnePress } from "../../../useOnePress.ts";
import { type FeedUpload, mapOf, saveMap } from "../../feedCalls.ts";
import { ENCODINGS, type FeedMap } from "./feedMap.ts";

const NAMES = ["list", "separator", "encoding"] as const;

interface ReadingFieldsProps {
  upload: FeedUpload;
  onArrived: (upload: FeedUpload) => void;
}

/** What a map says so that a file can be read at all: where its homes are, the sign between its cells, and its encoding. */
export function ReadingFields({ upload, onArrived }: ReadingFieldsProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [map, setMap] = useState<FeedMap>(() => mapOf(upload));
  const press = useOnePress<FeedUpload>({
    mutationFn: () => saveMap(upload.upload_id, writeReading(map)),
    onSuccess: onArrived,
  });
  const fault = faultsOf(press.error).get("map");
  return (
    <section className="fd-card" aria-label={t("imports.read_otherwise")}>
      <h3>{t("imports.read_otherwise")}</h3>
      <div className="halves">
        {NAMES.map((name) => (
          <div key={name}>
            <LabelledField
              label={t(`imports.reading_${name}`)}
              hint={t(`imports.reading_${name}_hint`)}
              fault={name === "list" ? fault : undefined}
            >
              {(its) => (
                <input
                  {...its}
                  className="field"
                  autoComplete="off"
                  list={name === "encoding" ? "encodings" : undefined}
                  value={map[name] ?? ""}
                  onChange={(event) => setMap({ ...map, [name]: event.target.value })}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter") return;
                    // The form around it would send another file.
                    event.preventDefault();
                    if (!isPast) press.send();
                  }}
                />
              )}
            </LabelledField>
          </div>
        ))}
        <datalist id="encodings">
          {ENCODINGS.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      {fault === undefined ? <FailureNote error={press.error} /> : null}
      <button type="button" className="btn acts16" disabled={isPast || press.isPending} onClick={() => press.send()}>
        {t("imports.read_again")}
      </button>
    </section>
  );
}

/** The map without the words that were left empty. */
function writeReading(map: FeedMap): FeedMap {
  const empty = NAMES.filter((name) => (map[name] ?? "").trim() === "");
  return Object.fromEntries(Object.entries(map).filter(([name]) => !empty.some((one) => one === name)));
}
