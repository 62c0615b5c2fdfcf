import { type FormEvent, useId, useRef, useState } from "react";
import "./receipt.css";
import type { ReceiptVerdict } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { postFile } from "../../postFile.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Amounts, Rows, useDocumentTime, useNumberRows, useOwnClock } from "./facts.tsx";

/** The server reads no larger body. */
const bytesMax = 240 * 1024;

type Problem = "verify.nothing" | "verify.too_large" | "verify.failed";
type Checked =
  | { at: "idle" }
  | { at: "checking" }
  | { at: "problem"; says: Problem }
  | { at: "done"; verdict: ReceiptVerdict };

/** `/verify`: anyone checks that a receipt belongs to the signed log. */
export default function VerifyPage(_: { page: PageOf<"verify"> }) {
  const { t } = useI18n();
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState("");
  const [checked, setChecked] = useState<Checked>({ at: "idle" });
  const id = useId();
  const check = async (event: FormEvent) => {
    event.preventDefault();
    if (checked.at === "checking") return;
    const text = pasted.trim();
    const sent = file ?? (text === "" ? null : new File([text], "proof.json"));
    if (sent === null) return setChecked({ at: "problem", says: "verify.nothing" });
    if (sent.size > bytesMax) return setChecked({ at: "problem", says: "verify.too_large" });
    setChecked({ at: "checking" });
    try {
      setChecked({ at: "done", verdict: await postFile("/api/v0/receipts/verify", sent, {}) });
    } catch {
      setChecked({ at: "problem", says: "verify.failed" });
    }
  };
  return (
    <main id="main" className="wrap receipt-page">
      <h1>{t("verify.title")}</h1>
      <p className="t-18 soft">{t("verify.lead")}</p>
      <form className="stack g16" onSubmit={check}>
        <FileChoice file={file} onFile={setFile} />
        <div className="field">
          <label htmlFor={`${id}-text`}>{t("verify.paste")}</label>
          <textarea
            id={`${id}-text`}
            className="input verify-text"
            rows={5}
            spellCheck={false}
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
          />
        </div>
        <div className="row">
          <Button look="primary" type="submit" busy={checked.at === "checking"}>
            {t(checked.at === "checking" ? "verify.checking" : "verify.check")}
          </Button>
        </div>
      </form>
      <div role="status" className="verify-result">
        {checked.at === "problem" ? <p className="verify-bad">{t(checked.says)}</p> : null}
        {checked.at === "done" ? <Result verdict={checked.verdict} /> : null}
      </div>
    </main>
  );
}

/** The browser's own button for a file speaks the browser's language, which may be another than the page's: ours stands in its place. */
function FileChoice({ file, onFile }: { file: File | null; onFile: (file: File | null) => void }) {
  const { t } = useI18n();
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t("verify.file")}</label>
      <input
        id={id}
        ref={picker}
        className="vh"
        type="file"
        tabIndex={-1}
        accept="application/pdf,application/json,.pdf,.json"
        onChange={(event) => onFile(event.target.files?.[0] ?? null)}
      />
      <div className="row wrapx" aria-live="polite">
        <Button onClick={() => picker.current?.click()}>{t(file ? "verify.choose_other" : "verify.choose")}</Button>
        {file ? <span className="t-14 soft clip">{file.name}</span> : null}
      </div>
    </div>
  );
}

function Result({ verdict }: { verdict: ReceiptVerdict }) {
  const { t } = useI18n();
  const told = useDocumentTime(useOwnClock());
  if (verdict.valid && verdict.receipt) {
    const at = verdict.signed_at ? told(verdict.signed_at) : "";
    return (
      <div data-verdict="valid">
        <h2 className="row verify-good">
          <Icon name="check" size={20} />
          {t("verify.valid_title")}
        </h2>
        <p>{t("verify.valid_text", { at, key: verdict.key ?? "" })}</p>
        <p>{t("verify.valid_compare")}</p>
        <Proved facts={verdict.receipt} />
      </div>
    );
  }
  return (
    <div data-verdict="invalid">
      <h2 className="row verify-bad">
        <Icon name="alert" size={20} />
        {t("verify.invalid_title")}
      </h2>
      {verdict.fault ? <p>{t(`verify.fault_${verdict.fault}`)}</p> : null}
    </div>
  );
}

function Proved({ facts }: { facts: NonNullable<ReceiptVerdict["receipt"]> }) {
  const { t } = useI18n();
  const clock = useOwnClock();
  return (
    <article className="card receipt">
      <h3>{t(`receipt.${facts.kind}`)}</h3>
      <Rows rows={useNumberRows({ facts, clock })} />
      <Amounts facts={facts} clock={clock} />
    </article>
  );
}
