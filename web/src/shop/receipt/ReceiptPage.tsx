import { useCallback, useEffect, useState } from "react";
import "./receipt.css";
import { ApiError, get } from "../../api.ts";
import type { Receipt } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Link } from "../Link.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Amounts, Rows, useNumberRows } from "./facts.tsx";

type Standing = { at: "loading" } | { at: "shown"; receipt: Receipt } | { at: "missing" } | { at: "failed" };

const api = (number: string, part: string, token: string | null) =>
  `/api/v0/receipts/${encodeURIComponent(number)}${part}${paths.asQuery({ token })}`;

/** `/receipts/{number}`: a receipt or credit note, for who holds the payment's token, its owner and finance (row E9). */
export default function ReceiptPage({ page }: { page: PageOf<"receipt"> }) {
  const { number, token } = page.data;
  const [standing, read] = useReceipt(number, token);
  switch (standing.at) {
    case "loading":
      return <Loading />;
    case "shown":
      return <Paper receipt={standing.receipt} token={token} />;
    case "missing":
      return <Missing number={number} />;
    case "failed":
      return <Failed onAgain={() => read()} />;
  }
}

function useReceipt(number: string, token: string | null): [Standing, () => void] {
  const [standing, setStanding] = useState<Standing>({ at: "loading" });
  const load = useCallback(
    (signal?: AbortSignal) => {
      setStanding({ at: "loading" });
      get<Receipt>(api(number, "", token), { fresh: true, ...(signal && { signal }) }).then(
        (receipt) => setStanding({ at: "shown", receipt }),
        (failure) => {
          if (signal?.aborted) return;
          const isMissing = failure instanceof ApiError && failure.status === 404;
          setStanding({ at: isMissing ? "missing" : "failed" });
        },
      );
    },
    [number, token],
  );
  useEffect(() => {
    const left = new AbortController();
    load(left.signal);
    return () => left.abort();
  }, [load]);
  return [standing, load];
}

function Paper({ receipt, token }: { receipt: Receipt; token: string | null }) {
  const { t } = useI18n();
  const { facts } = receipt;
  const numbers = useNumberRows(facts);
  const cards = facts.charges.map(({ card }) =>
    card ? t("receipt.method_card", { brand: named(card.brand), last4: card.last4 }) : t("receipt.method_other"),
  );
  const notes = facts.kind === "receipt" ? facts.refunds : [];
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
        <Amounts facts={facts} />
        {receipt.payer === null ? <p className="t-14 muted">{t("receipt.payer_hidden")}</p> : null}
      </article>
      <div className="row wrapx receipt-acts">
        <a className={buttonClass({ look: "primary" })} href={api(facts.number, "/pdf", token)} download>
          {t("receipt.download_pdf")}
        </a>
        <a className={buttonClass({ look: "quiet" })} href={api(facts.number, "/proof", token)} download>
          {t("receipt.download_proof")}
        </a>
      </div>
      <p className="t-14 soft">
        {t("receipt.proof_text")} <Link href={paths.verify()}>{t("receipt.verify_link")}</Link>
      </p>
      <ul className="receipt-notes">
        {notes.map((note) => (
          <li key={note.number}>
            <Link href={paths.receipt(note.number, token)}>{t("receipt.open_note", { number: note.number })}</Link>
          </li>
        ))}
        {facts.receipt_number ? (
          <li>
            <Link href={paths.receipt(facts.receipt_number, token)}>{t("receipt.open")}</Link>
          </li>
        ) : null}
      </ul>
    </main>
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
