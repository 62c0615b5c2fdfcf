import { useRef, useState } from "react";
import { useI18n } from "../../../../i18n/i18n.tsx";
import { FALLBACK, pageLanguages } from "../../../../i18n/languages.ts";
import { Icon } from "../../../icon.tsx";
import { useKeys } from "../../../keys.ts";
import { languageName } from "../../../languageName.ts";
import { intoView } from "../../../TableStates.tsx";
import type { FeedFields } from "../../feedCalls.ts";
import type { ColumnRow } from "./columnRows.ts";
import { type FeedMap, mapColumn, readColumn, UNITS } from "./feedMap.ts";

interface ColumnTableProps {
  rows: readonly ColumnRow[];
  map: FeedMap;
  fields: FeedFields["fields"];
  onChange: (map: FeedMap) => void;
}

/** Clear columns shown before the rest folds. */
const CLEAR_SHOWN = 8;

/** What each column becomes: J and K move between the rows, Enter goes into its choice, Escape leaves it. */
export function ColumnTable({ rows, map, fields, onChange }: ColumnTableProps) {
  const { t } = useI18n();
  const [isWhole, setIsWhole] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const [asking] = useState(() => rows.filter(({ asks }) => asks).length);
  const folded = isWhole ? rows : rows.slice(0, asking + CLEAR_SHOWN);
  const at = folded.findIndex(({ column }) => column.name === chosen);
  const move = (by: number) =>
    setChosen(folded[Math.max(0, Math.min(folded.length - 1, at + by))]?.column.name ?? null);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    enter: () => table.current?.querySelector<HTMLElement>("[aria-selected=true] select")?.focus(),
  });
  return (
    <div>
      <div className="fd-box">
        <table className="tbl fd-cards map-t" ref={table}>
          <caption className="vh">{t("imports.columns_title")}</caption>
          <thead>
            <tr>
              <th>{t("imports.column")}</th>
              <th>{t("imports.first_values")}</th>
              <th>{t("imports.becomes")}</th>
              <th>{t("imports.because")}</th>
            </tr>
          </thead>
          <tbody>
            {folded.map((row) => (
              <Row
                key={row.column.name}
                row={row}
                selected={row.column.name === chosen}
                map={map}
                fields={fields}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
      {folded.length < rows.length ? (
        <button type="button" className="btn quiet acts16" onClick={() => setIsWhole(true)}>
          {t("imports.more_columns", { n: rows.length - folded.length })}
        </button>
      ) : null}
    </div>
  );
}

interface RowProps extends Omit<ColumnTableProps, "rows"> {
  row: ColumnRow;
  selected: boolean;
}

function Row({ row, selected, map, fields, onChange }: RowProps) {
  const { column, becomes, asks } = row;
  return (
    <tr className={asks ? "ask" : undefined} aria-selected={selected} ref={selected ? intoView : null}>
      <td className="mono up-name">{column.name}</td>
      <td className="sub">{column.samples.slice(0, 3).join(" · ")}</td>
      <td>
        <FieldChoice row={row} map={map} fields={fields} onChange={onChange} />
        {becomes === null ? null : <FieldParts row={row} map={map} fields={fields} onChange={onChange} />}
      </td>
      <td>
        <Because row={row} map={map} fields={fields} onChange={onChange} />
      </td>
    </tr>
  );
}

type CellProps = Omit<RowProps, "selected">;

/** A field as maps write it, with its language behind it. */
const writeKey = (field: string, language: string | null) => (language === null ? field : `${field}_${language}`);

const LEVELS = ["home", "room", "lease"] as const;

/** The field that a column becomes, by the thing that it is a fact of. */
function FieldChoice({ row, map, fields, onChange }: CellProps) {
  const { t, tData } = useI18n();
  const { column, becomes } = row;
  const choose = (field: string) => onChange(mapColumn(map, column.name, field === "" ? null : { field, unit: null }));
  // What is read by its own name cannot be left out by the map; another field can be chosen.
  const isOwn = becomes !== null && readColumn(map, column.name) === null;
  return (
    <select
      className="inp"
      aria-label={t("imports.column_becomes", { column: column.name })}
      value={becomes?.field ?? ""}
      onChange={(event) => choose(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        event.currentTarget.blur();
      }}
    >
      {isOwn ? null : <option value="">{t("imports.not_used")}</option>}
      {LEVELS.map((level) => (
        <optgroup key={level} label={t(`imports.of_${level}`)}>
          {fields
            .filter((field) => field.level === level)
            .map(({ key }) => (
              <option key={key} value={key}>
                {tData(`imports.field_${key}`)}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

/** Language of a text and unit of a number, where the field has one. */
function FieldParts({ row, map, fields, onChange }: CellProps) {
  const { t, tData, lang } = useI18n();
  const { column, becomes } = row;
  if (becomes === null) return null;
  const { field, language, unit } = becomes;
  const isText = fields.find(({ key }) => key === field)?.shape === "texts";
  const units = UNITS[field] ?? [];
  return (
    <>
      {isText ? (
        <select
          className="inp up-part"
          aria-label={t("imports.language_of", { column: column.name })}
          value={language ?? ""}
          onChange={(event) =>
            onChange(mapColumn(map, column.name, { field: writeKey(field, event.target.value || null), unit }))
          }
        >
          <option value="">{t("imports.language_open")}</option>
          {pageLanguages().map(([tag]) => (
            <option key={tag} value={tag}>
              {languageName(tag, lang)}
            </option>
          ))}
        </select>
      ) : null}
      {units.length === 0 ? null : (
        <select
          className="inp up-part"
          aria-label={t("imports.unit_of", { column: column.name })}
          value={unit ?? ""}
          onChange={(event) =>
            onChange(
              mapColumn(map, column.name, { field: writeKey(field, language), unit: event.target.value || null }),
            )
          }
        >
          <option value="">{t("imports.unit_open")}</option>
          {units.map((one) => (
            <option key={one} value={one}>
              {tData(`imports.unit_${one}`)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

/** Why a column becomes its field, or what somebody has to choose. */
function Because({ row, map, onChange }: CellProps) {
  const { t, tData } = useI18n();
  const { column, becomes, words, doubt } = row;
  const unknown = words.filter(({ isKnown }) => !isKnown).length;
  if (row.asks) {
    return (
      <>
        <span className="up-why warn">
          <Icon name="alert" size="xs" />
          {t("imports.please_choose")}
        </span>
        {unknown === 0 ? null : (
          <div className="sub">{t("imports.words_unknown", { n: unknown, of: words.length })}</div>
        )}
        {doubt === null ? null : (
          <div className="sub" lang={FALLBACK}>
            {doubt}
          </div>
        )}
      </>
    );
  }
  if (becomes !== null) {
    return (
      <span className="up-why ok">
        <Icon name="check" size="xs" />
        {t(column.is_mapped || readColumn(map, column.name) !== null ? "imports.by_map" : "imports.by_name")}
      </span>
    );
  }
  if (column.could_be === null) return <span className="sub">{t("imports.no_field")}</span>;
  const field = column.could_be;
  return (
    <>
      <span className="sub">{t("imports.could_be", { field: tData(`imports.field_${field}`) })}</span>{" "}
      <button
        type="button"
        className="link"
        aria-label={t("imports.use_column", { column: column.name })}
        onClick={() => onChange(mapColumn(map, column.name, { field, unit: null }))}
      >
        {t("imports.use_it")}
      </button>
    </>
  );
}
