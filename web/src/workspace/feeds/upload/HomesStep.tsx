import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { FailureNote } from "../../FailureNote.tsx";
import { readCurrency } from "../../homeCurrency.ts";
import { Icon } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { Scrolling } from "../../Scrolling.tsx";
import type { FeedUpload, PreviewHome } from "../feedCalls.ts";
import { ReportLines } from "./ReportLines.tsx";
import { useRun } from "./RunStep.tsx";
import { StepFrame } from "./StepFrame.tsx";
import type { StepProps } from "./UploadPage.tsx";

/** The third step: the first homes as a student would see them, with what nobody said. */
export function HomesStep({ upload, takesFocus, send, onArrived }: StepProps & { upload: FeedUpload }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const isPast = usePastMoment() !== null;
  const run = useRun(upload.upload_id, onArrived);
  const { look } = upload;
  const records = look?.records ?? 0;
  const tryAll = () => run.send({ kind: "dry_run", missing: "report", missing_limit: null });
  useKeys(isPast ? {} : { enter: tryAll });
  return (
    <StepFrame
      title={t("imports.step_homes")}
      text={t("imports.homes_text")}
      takesFocus={takesFocus}
      bar={
        <>
          <p className="grow">
            <b>{t("imports.looks_right")}</b> <span className="sub">{t("imports.looks_right_text")}</span>
          </p>
          <button type="button" className="btn" onClick={() => send({ type: "step.go", to: "columns" })}>
            {t("imports.to_columns")}
          </button>
          <button type="button" className="btn pri" disabled={isPast || run.isPending} onClick={tryAll}>
            {t("imports.try_all", { n: records, shown: number(records) })}
          </button>
        </>
      }
    >
      <FailureNote error={run.error} />
      {look === null || look.homes.length === 0 ? (
        <p className="note warn">
          <Icon name="alert" />
          {t("imports.no_homes")}
        </p>
      ) : (
        <>
          <ul className="up-cards">
            {look.homes.map((home) => (
              <li key={`${home.line}/${home.id}`}>
                <HomeCard home={home} />
              </li>
            ))}
          </ul>
          <Facts homes={look.homes} />
        </>
      )}
      <ReportLines title={t("imports.first_rejected")} lines={look?.rejected ?? []} />
    </StepFrame>
  );
}

/** One home on the student's ground, and below it what is missing. */
function HomeCard({ home }: { home: PreviewHome }) {
  const { t, lang } = useI18n();
  const { money } = useFormat();
  const name = home.names[lang] ?? home.name;
  const where = [home.street, home.area, home.city].filter((part) => part != null && part !== "");
  const stays = home.rooms.reduce((sum, room) => sum + room.stays.length, 0);
  return (
    <article className="up-card" aria-label={name}>
      <div className="sv">
        <p className="sv-none">
          {home.photos === 0 ? t("imports.no_photo") : t("imports.photos_later", { n: home.photos })}
        </p>
        <div className="sv-body">
          <h3>{name}</h3>
          <p className="muted">{where.join(t("workspace.list_mark"))}</p>
          {home.from_minor === null ? null : (
            <p className="sv-price">
              {t(home.period === "weekly" ? "homes.from_weekly" : "homes.from_monthly", {
                price: money(home.from_minor, readCurrency(home.currency)),
              })}
            </p>
          )}
        </div>
      </div>
      <ul className="up-list">
        <li className="ok">
          <Icon name="check" size="s" />
          {t("imports.holds", { rooms: home.rooms.length, stays })}
        </li>
        <NotSaid home={home} />
        {home.notes.map((note) => (
          <li key={`${note.line}/${note.path}/${note.reason}`} className="warn">
            <Icon name="alert" size="s" />
            <span>
              {note.path === "" ? null : <span className="mono">{note.path} </span>}
              {note.reason}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

/** What nobody said, so that a student will not see it. */
function NotSaid({ home }: { home: PreviewHome }) {
  const { t, tData } = useI18n();
  if (home.not_said.length === 0) {
    return (
      <li className="ok">
        <Icon name="check" size="s" />
        {t("imports.all_said")}
      </li>
    );
  }
  const names = home.not_said.map((fact) => tData(`imports.unsaid_${fact}`));
  return (
    <li className="warn">
      <Icon name="alert" size="s" />
      <span>{t("imports.not_shown", { facts: names.join(t("workspace.list_mark")) })}</span>
    </li>
  );
}

/** What the file says about terms and rooms of the first homes; a dashed value is one that nobody said. */
function Facts({ homes }: { homes: readonly PreviewHome[] }) {
  const { t, tData, lang } = useI18n();
  const { number } = useFormat();
  const word = (kind: "bills" | "guarantor", value: string | null) =>
    value === null ? <NothingSaid /> : tData(`homes.${kind}_${value}`);
  return (
    <section aria-label={t("imports.facts")}>
      <div className="fd-head">
        <h3>{t("imports.facts")}</h3>
      </div>
      <Scrolling role="group" className="fd-box up-wide" aria-label={t("imports.facts")}>
        <table className="tbl">
          <thead>
            <tr>
              <th scope="col">{t("homes.home")}</th>
              <th scope="col">{t("homes.fact_bills")}</th>
              <th scope="col">{t("imports.field_deposit")}</th>
              <th scope="col">{t("homes.fact_guarantor")}</th>
              <th scope="col" className="num">
                {t("homes.fact_count")}
              </th>
            </tr>
          </thead>
          <tbody>
            {homes.map((home) => {
              const counts = home.rooms.map(({ count }) => count);
              const rooms = counts.every((count) => count === null)
                ? null
                : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
              return (
                <tr key={`${home.line}/${home.id}`}>
                  <th scope="row">{home.names[lang] ?? home.name}</th>
                  <td>{word("bills", home.bills)}</td>
                  <td>
                    <Deposit home={home} />
                  </td>
                  <td>{word("guarantor", home.guarantor)}</td>
                  <td className="num">{rooms === null ? <NothingSaid /> : number(rooms)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
}

function Deposit({ home }: { home: PreviewHome }) {
  const { t } = useI18n();
  const { money } = useFormat();
  if (home.deposit_minor === 0 || home.deposit_percent === 0) return t("imports.deposit_none");
  if (home.deposit_minor !== null) return money(home.deposit_minor, readCurrency(home.currency));
  return home.deposit_percent === null ? <NothingSaid /> : t("imports.deposit_share", { n: home.deposit_percent });
}

function NothingSaid() {
  const { t } = useI18n();
  return <span className="unsaid">{t("homes.not_said")}</span>;
}
