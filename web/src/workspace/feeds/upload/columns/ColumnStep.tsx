import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useFormat, useI18n } from "../../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../../i18n/languages.ts";
import { FailureNote } from "../../../FailureNote.tsx";
import { faultsOf } from "../../../failure.ts";
import { Icon } from "../../../icon.tsx";
import { useKeptDraft } from "../../../keptDraft.ts";
import { usePastMoment } from "../../../pastMoment.ts";
import { useOnePress } from "../../../useOnePress.ts";
import { useUnsavedWarning } from "../../../useUnsavedWarning.ts";
import { type FeedUpload, fieldsQuery, mapOf, saveMap } from "../../feedCalls.ts";
import { StepFrame } from "../StepFrame.tsx";
import type { StepProps } from "../UploadPage.tsx";
import { ColumnTable } from "./ColumnTable.tsx";
import { Constants } from "./Constants.tsx";
import { type ColumnRow, listRows } from "./columnRows.ts";
import { type FeedMap, saysSame } from "./feedMap.ts";
import { WordLists } from "./WordLists.tsx";
import { WritingFields } from "./WritingFields.tsx";

interface ColumnStepProps extends StepProps {
  upload: FeedUpload;
  isSaving: boolean;
}

const kept = new Map<string, FeedMap>();

/** The second step: what each column becomes; those that need somebody come first. */
export function ColumnStep({ upload, isSaving, takesFocus, send, onArrived }: ColumnStepProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const isPast = usePastMoment() !== null;
  const [map, setMap] = useKeptDraft<FeedMap>(kept, upload.upload_id, () => mapOf(upload));
  const isChanged = !saysSame(map, mapOf(upload));
  useUnsavedWarning(isChanged);
  const { data: fields } = useQuery(fieldsQuery);
  const known = useMemo(() => new Set(fields?.fields.map(({ key }) => key)), [fields]);
  const rows = listRows(upload, map, known);
  const asking = rows.filter(({ asks }) => asks);
  const press = useOnePress<FeedUpload>({
    mutationFn: () => saveMap(upload.upload_id, map),
    onSuccess: (next) => {
      setMap(mapOf(next));
      kept.delete(upload.upload_id);
      onArrived(next);
    },
    onError: () => send({ type: "map.failed" }),
  });
  const unfit = faultsOf(press.error).get("map");
  const goOn = () => {
    if (!isChanged && upload.look !== null && upload.fault === null) return send({ type: "step.go", to: "homes" });
    send({ type: "map.save" });
    press.send();
  };
  return (
    <StepFrame
      title={t("imports.columns_title")}
      takesFocus={takesFocus}
      bar={
        <>
          <p className="grow">
            <b>{t("imports.columns_ask", { n: asking.length })}</b>
            <br />
            <span className="sub">{t("imports.choices_kept")}</span>
          </p>
          {isChanged ? (
            <button type="button" className="btn" onClick={() => setMap(mapOf(upload))}>
              {t("imports.undo_choices")}
            </button>
          ) : null}
          <button type="button" className="btn pri" disabled={isPast || isSaving || press.isPending} onClick={goOn}>
            {isSaving ? t("imports.reading") : t("imports.to_homes")}
          </button>
        </>
      }
    >
      <Standing upload={upload} rows={rows} asking={asking.length} />
      {unfit === undefined ? (
        <FailureNote error={press.error} />
      ) : (
        <Trouble title={t("imports.map_unfit")} text={unfit} way={t("imports.map_unfit_text")} />
      )}
      {fields === undefined ? null : (
        <>
          <ColumnTable rows={rows} map={map} fields={fields.fields} onChange={setMap} />
          <p className="sub num" role="status">
            {t("imports.columns_of", { n: rows.length, shown: number(rows.length) })}
          </p>
          <WordLists rows={rows} map={map} fields={fields} onChange={setMap} />
          <Constants rows={rows} map={map} fields={fields.fields} onChange={setMap} />
          <WritingFields upload={upload} map={map} onChange={setMap} />
        </>
      )}
    </StepFrame>
  );
}

interface StandingProps {
  upload: FeedUpload;
  rows: readonly ColumnRow[];
  asking: number;
}

/** How much of the file is clear, where its map comes from, and why an earlier one does not fit. */
function Standing({ upload, rows, asking }: StandingProps) {
  const { t } = useI18n();
  const unused = rows.filter(({ becomes }) => becomes === null).length;
  const clear = rows.filter(({ becomes, asks }) => becomes !== null && !asks).length;
  return (
    <>
      <div className="note ok">
        <Icon name="check" />
        <p>
          <b>{t("imports.columns_clear", { n: clear, of: rows.length })}</b>{" "}
          {t("imports.columns_rest", { ask: asking, unused })}
          {upload.map_from === "kept" ? <span className="up-line">{t("imports.map_kept")}</span> : null}
        </p>
      </div>
      {upload.kept_fault === null ? null : (
        <Trouble title={t("imports.kept_unfit")} text={upload.kept_fault} way={t("imports.kept_unfit_text")} />
      )}
      {upload.fault === null ? null : (
        <Trouble title={t("imports.map_unfit")} text={upload.fault} way={t("imports.map_unfit_text")} />
      )}
      {upload.look?.has_unreadable_letters ? (
        <Trouble title={t("imports.letters_lost")} text={null} way={t("imports.letters_lost_text")} />
      ) : null}
    </>
  );
}

/** A warning with the reader's own sentence of it, and the way out. */
function Trouble({ title, text, way }: { title: string; text: string | null; way: string }) {
  return (
    <div className="note warn" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          <b>{title}</b>
        </p>
        {text === null ? null : <p lang={FALLBACK}>{text}</p>}
        <p>{way}</p>
      </div>
    </div>
  );
}
