import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BankStatement } from "../../contract/wire.ts";
import { date } from "../../i18n/format.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import { dayOf, fullMoment } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { statementFileUrl, statementQuery, statementsQuery } from "./bankStatements.ts";
import { FileLines } from "./FileLines.tsx";

interface KeptProps {
  /** The statement whose lines are shown. */
  shown: string | null;
  onShow: (id: string) => void;
}

/** Every statement that is kept: who gave it in and when, of which account and days; its lines are opened here. */
export function KeptStatements({ shown, onShow }: KeptProps) {
  const { t } = useI18n();
  const { data, error, dataUpdatedAt, refetch } = useQuery(statementsQuery);
  return (
    <section aria-labelledby="kept-statements">
      <h2 id="kept-statements">{t("bank_file.kept")}</h2>
      {error === null ? null : <Stopped error={error} fetchedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Bone width={240} /> : null}
      {data?.length === 0 ? <p className="sub">{t("bank_file.kept_none")}</p> : null}
      <ul className="rm-list">
        {data?.map((statement) => (
          <li key={statement.id}>
            <Kept statement={statement} isShown={statement.id === shown} onShow={() => onShow(statement.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The form of a file with its account: `camt · account ending 4417`. */
export function useStatementName(): (statement: BankStatement) => string {
  const { t } = useI18n();
  return ({ form, account_end }) =>
    account_end === null
      ? form.toUpperCase()
      : t("bank_file.kept_name", { form: form.toUpperCase(), end: account_end });
}

interface OneProps {
  statement: BankStatement;
  isShown: boolean;
  onShow: () => void;
}

function Kept({ statement, isShown, onShow }: OneProps) {
  const { t, lang } = useI18n();
  const client = useQueryClient();
  const name = useStatementName()(statement);
  const { id, covered, rows, kept_at, kept_by, kept_until, decided, redacted, openings } = statement;
  const span = ({ currency, first, last }: (typeof covered)[number]) =>
    `${currency} ${date(first, "day", lang)} – ${date(last, "day", lang)}`;
  const days = covered.map(span).join(t("workspace.list_mark"));
  const newest = openings[0];
  // The download is a link: that it was recorded shows once the list is read again.
  const readAgain = () => void client.invalidateQueries({ queryKey: statementsQuery.queryKey, refetchType: "none" });
  return (
    <article className="rm-one">
      <header>
        <h3 className="num">{name}</h3>
        <p className="sub num grow">
          {days === "" ? "" : `${days} · `}
          {t("bank_file.rows_read", { n: rows })}
        </p>
        <button type="button" className="btn sm" aria-pressed={isShown} onClick={onShow}>
          {t("bank_file.kept_open")}
        </button>
        <a className="btn sm" href={statementFileUrl(id)} download onClick={readAgain}>
          <Icon name="export" size="s" />
          {t("bank_file.kept_download")}
        </a>
      </header>
      <p className="muted num">
        <Icon name="lock" size="s" />{" "}
        {joinSentences(
          t("bank_file.kept_by", { name: kept_by, at: fullMoment(kept_at, lang) }),
          t("bank_file.kept_until", { day: dayOf(kept_until) }),
          decided === 0 ? "" : t("bank_file.kept_decided", { n: decided }),
          redacted === 0 ? "" : t("bank_file.kept_redacted", { n: redacted }),
        )}
      </p>
      {newest === undefined ? null : (
        <p className="sub num">
          {t("bank_file.kept_opened", { n: openings.length, name: newest.by, at: fullMoment(newest.at, lang) })}
        </p>
      )}
    </article>
  );
}

/** The lines of one statement, as they stand. */
export function StatementLines({ id, fileName }: { id: string; fileName: string | null }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(statementQuery(id));
  const nameOf = useStatementName();
  if (data === undefined)
    return error === null ? (
      <Bone width={240} />
    ) : (
      <Stopped error={error} fetchedAt={dataUpdatedAt} onRetry={() => void refetch()} />
    );
  const name = fileName ?? (data.statement === null ? "" : nameOf(data.statement));
  return (
    <>
      {error === null ? null : <Stopped error={error} fetchedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      <FileLines comparison={{ name, compared: data }} />
    </>
  );
}
