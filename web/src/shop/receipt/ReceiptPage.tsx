import { useCallback, useEffect, useId, useState } from "react";
import "./receipt.css";
import { ApiError, buildAddress, get, post } from "../../api.ts";
import type { Receipt, ReceiptFacts } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PAPERS } from "../../ui/languageTable.ts";
import { Link } from "../Link.tsx";
import { useSession } from "../session.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Amounts, Rows, useNumberRows } from "./facts.tsx";

type Standing =
  | { at: "loading" }
  | { at: "shown"; receipt: Receipt }
  | { at: "missing" }
  | { at: "over" }
  | { at: "failed" };

/** What opens a receipt without a login: the payment's token, or the pass of a mail's link. */
type Opener = { token: string | null; pass: string | null };

/** `/receipts/{number}`: a receipt or credit note, for who has a link to it, its owner and finance (row E9). */
export default function ReceiptPage({ page }: { page: PageOf<"receipt"> }) {
  const { number, token, pass } = page.data;
  const by: Opener = { token, pass };
  const [standing, read] = useReceipt(number, by);
  switch (standing.at) {
    case "loading":
      return <Loading />;
    case "shown":
      return <Paper receipt={standing.receipt} by={by} />;
    case "missing":
      return <Missing number={number} />;
    case "over":
      return <Over number={number} pass={pass ?? ""} />;
    case "failed":
      return <Failed onAgain={() => read()} />;
  }
}

function useReceipt(number: string, { token, pass }: Opener): [Standing, () => void] {
  const [standing, setStanding] = useState<Standing>({ at: "loading" });
  const load = useCallback(
    (signal?: AbortSignal) => {
      setStanding({ at: "loading" });
      get("/api/v0/receipts/{number}", {
        path: { number },
        query: { token, pass },
        fresh: true,
        ...(signal && { signal }),
      }).then(
        (receipt) => setStanding({ at: "shown", receipt }),
        (failure) => {
          if (signal?.aborted) return;
          const status = failure instanceof ApiError ? failure.status : 0;
          setStanding({ at: status === 404 ? "missing" : status === 410 ? "over" : "failed" });
        },
      );
    },
    [number, token, pass],
  );
  useEffect(() => {
    const left = new AbortController();
    load(left.signal);
    return () => left.abort();
  }, [load]);
  return [standing, load];
}

function Paper({ receipt, by }: { receipt: Receipt; by: Opener }) {
  const { t } = useI18n();
  const { facts } = receipt;
  const numbers = useNumberRows(receipt);
  const cards = facts.charges.map(({ card }) =>
    card ? t("receipt.method_card", { brand: named(card.brand), last4: card.last4 }) : t("receipt.method_other"),
  );
  return (
    <main id="main" className="wrap receipt-page">
      <article className="card receipt">
        <header>
          <h1>{t(`receipt.${facts.kind}`)}</h1>
          <p className="m">{receipt.seller}</p>
          <p className="t-14 soft receipt-address">{receipt.seller_address}</p>
        </header>
        <Rows
          rows={[
            ...numbers,
            [t("receipt.payer"), receipt.payer],
            [t("receipt.home"), receipt.home],
            [t("receipt.room"), receipt.room],
            [t("receipt.provider"), receipt.provider],
            [t("receipt.method"), cards.join(t("ui.comma"))],
            [t("receipt.reference"), receipt.reference],
            [t("receipt.currency"), facts.currency],
          ]}
        />
        <h2 className="t-18">{t("receipt.lines")}</h2>
        <Amounts facts={facts} clock={receipt.clock} />
        {receipt.payer === null ? <p className="t-14 muted">{t("receipt.payer_hidden")}</p> : null}
        <p className="t-14 muted">{t("receipt.no_invoice")}</p>
      </article>
      <Downloads number={facts.number} by={by} />
      <p className="t-14 soft">
        {t("receipt.proof_text")} <Link href={paths.verify()}>{t("receipt.verify_link")}</Link>
      </p>
      <OtherDocuments facts={facts} by={by} />
    </main>
  );
}

/** The receipt of a credit note, and the credit notes of a receipt. A pass opens one document alone: a guest reads their numbers. */
function OtherDocuments({ facts, by: { token, pass } }: { facts: ReceiptFacts; by: Opener }) {
  const { t } = useI18n();
  const isGuest = useSession().state !== "user" && token === null && pass !== null;
  const notes = facts.kind === "receipt" ? facts.refunds.map((refund) => refund.number) : [];
  const others = [
    ...notes.map((number) => ({ number, name: t("receipt.open_note", { number }) })),
    ...(facts.receipt_number === null
      ? []
      : [{ number: facts.receipt_number, name: t("receipt.open_receipt", { number: facts.receipt_number }) }]),
  ];
  const [first] = others;
  if (first === undefined) return null;
  return (
    <>
      <ul className="receipt-notes">
        {others.map(({ number, name }) => (
          <li key={number}>{isGuest ? name : <Link href={paths.receipt(number, token)}>{name}</Link>}</li>
        ))}
      </ul>
      {isGuest ? (
        <p className="t-14 soft">
          {t("receipt.other_links")}
          {spaceAfter(t("receipt.other_links"))}
          <Link href={paths.loginThen(paths.receipt(first.number))}>{t("receipt.log_in")}</Link>
        </p>
      ) : null}
    </>
  );
}

/** The paper in the language that its reader needs it in, and its proof. */
function Downloads({ number, by }: { number: string; by: Opener }) {
  const { t, lang } = useI18n();
  const [language, setLanguage] = useState<string>(lang);
  const choice = useId();
  return (
    <>
      <div className="field receipt-language">
        <label htmlFor={choice}>{t("receipt.pdf_language")}</label>
        <select id={choice} className="select" value={language} onChange={(event) => setLanguage(event.target.value)}>
          {PAPERS.map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="row wrapx receipt-acts">
        <a
          className={buttonClass({ look: "primary" })}
          href={buildAddress("/api/v0/receipts/{number}/pdf", { path: { number }, query: { ...by, lang: language } })}
          download
        >
          {t("receipt.download_pdf")}
        </a>
        <a
          className={buttonClass({ look: "quiet" })}
          href={buildAddress("/api/v0/receipts/{number}/proof", { path: { number }, query: by })}
          download
        >
          {t("receipt.download_proof")}
        </a>
      </div>
    </>
  );
}

function named(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

function Loading() {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap receipt-page" aria-busy="true">
      <h1 role="status">{t("receipt.loading")}</h1>
      <div className="stack g16" aria-hidden="true">
        <Skeleton height={44} radius={10} />
        <Skeleton height={160} radius={10} />
      </div>
    </main>
  );
}

function Missing({ number }: { number: string }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap receipt-page">
      <h1>{t("receipt.missing_title")}</h1>
      <p className="t-18 soft">{t("receipt.missing_text")}</p>
      <div className="row wrapx receipt-acts">
        <ButtonLink look="primary" href={paths.loginThen(paths.receipt(number))}>
          {t("receipt.log_in")}
        </ButtonLink>
      </div>
    </main>
  );
}

/** The link of a mail is over: a new one goes to the address that the booking has. */
function Over({ number, pass }: { number: string; pass: string }) {
  const { t } = useI18n();
  const [asked, setAsked] = useState<"no" | "asking" | "sent" | "failed">("no");
  const ask = async () => {
    if (asked === "asking") return;
    setAsked("asking");
    try {
      await post("/api/v0/receipts/{number}/link", { path: { number }, body: { pass } });
      setAsked("sent");
    } catch {
      setAsked("failed");
    }
  };
  return (
    <main id="main" className="wrap receipt-page">
      <h1>{t("receipt.link_over_title")}</h1>
      <p className="t-18 soft">{t("receipt.link_over_text")}</p>
      <p role="status">{asked === "sent" ? t("receipt.link_sent") : ""}</p>
      {asked === "failed" ? <p role="alert">{t("receipt.failed_text")}</p> : null}
      <div className="row wrapx receipt-acts">
        {asked === "sent" ? null : (
          <Button look="primary" busy={asked === "asking"} onClick={() => void ask()}>
            {t("receipt.link_new")}
          </Button>
        )}
        <ButtonLink look="quiet" href={paths.loginThen(paths.receipt(number))}>
          {t("receipt.log_in")}
        </ButtonLink>
      </div>
    </main>
  );
}

function Failed({ onAgain }: { onAgain: () => void }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap receipt-page">
      <h1>{t("receipt.missing_title")}</h1>
      <p className="t-18 soft">{t("receipt.failed_text")}</p>
      <div className="row wrapx receipt-acts">
        <Button look="primary" onClick={onAgain}>
          {t("receipt.again")}
        </Button>
      </div>
    </main>
  );
}
