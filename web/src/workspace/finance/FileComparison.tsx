import "./bankFile.css";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ApiError } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useFailureText } from "../failure.ts";
import { useOnePress } from "../useOnePress.ts";
import { COLUMNS, type ColumnNames, type Comparison, compareFile, type FileChoices } from "./bankFile.ts";
import { statementQuery, statementsQuery } from "./bankStatements.ts";
import { KeptStatements, StatementLines } from "./KeptStatements.tsx";

interface Chosen {
  file: File;
  columns: ColumnNames;
  choices: FileChoices;
}

const NO_NAMES: ColumnNames = {
  date: "",
  amount: "",
  paid_in: "",
  paid_out: "",
  sign: "",
  currency: "",
  reference: "",
};

const NO_CHOICES: FileChoices = { account_currency: "", decimal: "", days: "", account_of: "" };

/** The statement whose lines are shown; one that was just given in has its file's name. */
interface Shown {
  id: string;
  fileName: string | null;
  wasKnown: boolean;
}

/** A file is chosen, what it does not say is filled in, and each of its lines is compared with the provider's account; then it is kept. */
export function FileComparison() {
  const { t } = useI18n();
  const [field, problem] = [useId(), useId()];
  const [file, setFile] = useState<File | null>(null);
  const [columns, setColumns] = useState<ColumnNames>(NO_NAMES);
  const [choices, setChoices] = useState<FileChoices>(NO_CHOICES);
  const [shown, setShown] = useState<Shown | null>(null);
  const client = useQueryClient();
  const comparing = useOnePress<Comparison, Chosen>({
    mutationFn: (chosen) => compareFile(chosen.file, chosen.columns, chosen.choices),
    onSuccess: ({ name, compared }) => {
      const id = compared.statement?.id;
      if (id === undefined) return;
      client.setQueryData(statementQuery(id).queryKey, compared);
      void client.invalidateQueries({ queryKey: statementsQuery.queryKey });
      setShown({ id, fileName: name, wasKnown: compared.was_known });
    },
    onError: () => setShown(null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file !== null) comparing.send({ file, columns, choices });
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
          accept=".csv,.txt,.xml,.sta,.940,.mt940,text/csv,text/plain,application/xml,text/xml"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          aria-invalid={comparing.error !== null}
          aria-describedby={comparing.error === null ? undefined : problem}
        />
        <Choices choices={choices} onChange={setChoices} />
        <ColumnFields columns={columns} onChange={setColumns} />
        {comparing.error === null ? null : <Refused error={comparing.error} id={problem} />}
        <button type="submit" className="btn" disabled={file === null || comparing.isPending}>
          {t(comparing.isPending ? "bank_file.comparing" : "bank_file.compare")}
        </button>
      </form>
      {shown?.wasKnown === true ? (
        <p className="note" role="status">
          {t("bank_file.was_known")}
        </p>
      ) : null}
      {shown === null ? null : <StatementLines key={shown.id} id={shown.id} fileName={shown.fileName} />}
      <KeptStatements shown={shown?.id ?? null} onShow={(id) => setShown({ id, fileName: null, wasKnown: false })} />
    </section>
  );
}

interface ChoicesProps {
  choices: FileChoices;
  onChange: (choices: FileChoices) => void;
}

type Select = "decimal" | "days" | "account_of";

/** The account's currency, the decimal sign, the order of days and whose file it is, for a file that leaves them open. */
function Choices({ choices, onChange }: ChoicesProps) {
  const { t } = useI18n();
  const id = useId();
  const options: Readonly<Record<Select, readonly (readonly [string, string])[]>> = {
    decimal: [
      ["", t("bank_file.as_written")],
      [".", "1,250.50"],
      [",", "1.250,50"],
    ],
    days: [
      ["", t("bank_file.as_written")],
      ["day", t("bank_file.days_day")],
      ["month", t("bank_file.days_month")],
      ["year", t("bank_file.days_year")],
    ],
    account_of: [
      ["", t("bank_file.as_written")],
      ["bank", t("bank_file.account_of_bank")],
      ["provider", t("bank_file.account_of_provider")],
    ],
  };
  const select = (name: Select) => (
    <div>
      <label className="label" htmlFor={`${id}-${name}`}>
        {t(`bank_file.${name}`)}
      </label>
      <select
        id={`${id}-${name}`}
        className="field"
        value={choices[name]}
        onChange={(event) => onChange({ ...choices, [name]: event.target.value })}
      >
        {options[name].map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <div className="bf-choices">
      <div>
        <label className="label" htmlFor={`${id}-currency`}>
          {t("bank_file.account_currency")}
        </label>
        <input
          id={`${id}-currency`}
          className="field"
          maxLength={3}
          placeholder="GBP"
          autoCapitalize="characters"
          value={choices.account_currency}
          onChange={(event) => onChange({ ...choices, account_currency: event.target.value })}
        />
      </div>
      {select("decimal")}
      {select("days")}
      {select("account_of")}
    </div>
  );
}

interface ColumnsProps {
  columns: ColumnNames;
  onChange: (columns: ColumnNames) => void;
}

function ColumnFields({ columns, onChange }: ColumnsProps) {
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
