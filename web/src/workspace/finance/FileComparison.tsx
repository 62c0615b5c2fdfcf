import "./bankFile.css";
import { type FormEvent, useId, useState } from "react";
import { ApiError } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useFailureText } from "../failure.ts";
import { useOnePress } from "../useOnePress.ts";
import { COLUMNS, type ColumnNames, type Comparison, compareFile } from "./bankFile.ts";
import { FileLines } from "./FileLines.tsx";

interface Chosen {
  file: File;
  columns: ColumnNames;
}

/** A file is chosen, its columns are named, and each of its lines is compared with the provider's account. */
export function FileComparison() {
  const { t } = useI18n();
  const [field, problem] = [useId(), useId()];
  const [file, setFile] = useState<File | null>(null);
  const [columns, setColumns] = useState<ColumnNames>({ date: "", amount: "", currency: "", reference: "" });
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const comparing = useOnePress<Comparison, Chosen>({
    mutationFn: (chosen) => compareFile(chosen.file, chosen.columns),
    onSuccess: setComparison,
    onError: () => setComparison(null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file !== null) comparing.send({ file, columns });
  };
  return (
    <section aria-labelledby="bank-file">
      <h2 id="bank-file">{t("bank_file.title")}</h2>
      <p className="muted">{t("bank_file.text")}</p>
      <form className="bf" onSubmit={submit}>
        <label className="label" htmlFor={field}>
          {t("bank_file.file")}
        </label>
        <input
          id={field}
          className="field"
          type="file"
          accept=".csv,.txt,.xml,text/csv,text/plain,application/xml,text/xml"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          aria-invalid={comparing.error !== null}
          aria-describedby={comparing.error === null ? undefined : problem}
        />
        <Columns columns={columns} onChange={setColumns} />
        {comparing.error === null ? null : <Refused error={comparing.error} id={problem} />}
        <button type="submit" className="btn" disabled={file === null || comparing.isPending}>
          {t(comparing.isPending ? "bank_file.comparing" : "bank_file.compare")}
        </button>
      </form>
      {comparison === null ? null : <FileLines key={comparison.name} comparison={comparison} />}
    </section>
  );
}

interface ColumnsProps {
  columns: ColumnNames;
  onChange: (columns: ColumnNames) => void;
}

function Columns({ columns, onChange }: ColumnsProps) {
  const { t } = useI18n();
  const id = useId();
  return (
    <details className="bf-columns">
      <summary>{t("bank_file.columns")}</summary>
      <p className="sub">{t("bank_file.columns_text")}</p>
      <div>
        {COLUMNS.map((column) => (
          <div key={column}>
            <label className="label" htmlFor={`${id}-${column}`}>
              {t(`bank_file.${column}`)}
            </label>
            <input
              id={`${id}-${column}`}
              className="field"
              maxLength={100}
              placeholder={`${column.charAt(0).toUpperCase()}${column.slice(1)}`}
              value={columns[column]}
              onChange={(event) => onChange({ ...columns, [column]: event.target.value })}
            />
          </div>
        ))}
      </div>
    </details>
  );
}

/** What the server could not read, and what to do about it. */
function Refused({ error, id }: { error: Error; id: string }) {
  const { t } = useI18n();
  const failureText = useFailureText();
  const codes = error instanceof ApiError ? error.fields.map(({ field, code }) => `${field}.${code}`) : [];
  const cure = codes.includes("columns.no_column")
    ? t("bank_file.no_column_cure")
    : codes.includes("file.unreadable")
      ? t("bank_file.file_cure")
      : null;
  return (
    <p id={id} className="note bad" role="alert">
      {failureText(error)}
      {cure === null ? null : <span className="sub">{cure}</span>}
    </p>
  );
}
