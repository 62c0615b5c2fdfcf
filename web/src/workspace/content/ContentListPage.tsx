import "./content.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, linkOptions } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK } from "../../i18n/languages.ts";
import { plainDay } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { useKeys } from "../keys.ts";
import { languageName } from "../languageName.ts";
import { Bone, intoView, NothingFound, Stopped } from "../TableStates.tsx";
import { leaveOnEnter, useSearchWords } from "../useSearchWords.ts";
import { useStaying } from "../useStaying.ts";
import { type TextLine, textsQuery } from "./contentCalls.ts";
import { StateMark } from "./StateMark.tsx";
import { buildRows, findRows, isLegal, listLanguages, stateOf, type TextRow } from "./textStates.ts";

const route = getRouteApi("/workspace/content");

const linkTo = (page: string, language: string) =>
  linkOptions({ to: "/workspace/content/$page/$language", params: { page, language } });

/** Pages of the site and their languages: which words readers get, and which the company has to write. */
export function ContentListPage() {
  const { t, lang } = useI18n();
  const { q } = route.useSearch();
  const asked = useQuery(textsQuery);
  const rows = asked.data === undefined ? undefined : findRows(buildRows(asked.data, lang), q);
  useEffect(() => {
    document.title = `${t("house_texts.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <Top q={q} />
      <div className="scroll ct-list" data-list-scroll>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        <p className="note ct-duty">
          <Icon name="shield" />
          <span>{t("house_texts.duty_text")}</span>
        </p>
        {rows === undefined ? (
          asked.error === null ? (
            <Bone width={320} />
          ) : null
        ) : rows.length === 0 ? (
          <NothingFound title={t("house_texts.none")}>{t("house_texts.none_text")}</NothingFound>
        ) : (
          <>
            <Legend />
            <Grid rows={rows} languages={listLanguages(asked.data ?? [])} />
          </>
        )}
      </div>
    </main>
  );
}

function Top({ q }: { q: string | null }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const isStaying = useStaying();
  const [words, setWords] = useSearchWords(q, (next) => {
    if (isStaying()) void navigate({ search: { q: next }, replace: true });
  });
  return (
    <div className="lead-top">
      <h1>{t("house_texts.title")}</h1>
      <label className="field big" htmlFor="content-search">
        <Icon name="search" />
        <span className="vh">{t("house_texts.search")}</span>
        <input
          id="content-search"
          type="search"
          placeholder={t("house_texts.search_hint")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={leaveOnEnter}
        />
        <kbd>/</kbd>
      </label>
    </div>
  );
}

/** Marks of the grid, and who reads what under each. */
function Legend() {
  const { t, lang } = useI18n();
  const first = languageName(FALLBACK, lang);
  return (
    <ul className="ct-legend" aria-label={t("house_texts.legend")}>
      <li>
        <StateMark state="published" /> {t("house_texts.legend_published")}
      </li>
      <li>
        <StateMark state="older" /> {t("house_texts.legend_older", { language: first })}
      </li>
      <li>
        <StateMark state="shipped" /> {t("house_texts.legend_shipped")}
      </li>
      <li>
        <StateMark state="missing" /> {t("house_texts.legend_missing", { language: first })}
      </li>
    </ul>
  );
}

interface GridProps {
  rows: TextRow[];
  languages: string[];
}

/** J and K move, Enter opens the page in the first language. */
function Grid({ rows, languages }: GridProps) {
  const { t, lang } = useI18n();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const at = rows.findIndex(({ page }) => page === chosen);
  const move = (by: number) => setChosen(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.page ?? null);
  useKeys({
    "/": () => document.getElementById("content-search")?.focus(),
    j: () => move(1),
    k: () => move(-1),
    enter: () => {
      const row = rows[at];
      if (row !== undefined) void navigate(linkTo(row.page, FALLBACK));
    },
  });
  return (
    <table className="tbl ct-t">
      <caption className="vh">{t("house_texts.caption")}</caption>
      <thead>
        <tr>
          <th>{t("house_texts.page")}</th>
          {languages.map((language) => (
            <th key={language}>{languageName(language, lang)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.page} row={row} languages={languages} selected={row.page === chosen} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  row: TextRow;
  languages: string[];
  selected: boolean;
}

function Row({ row: { page, title, lines }, languages, selected }: RowProps) {
  const { t } = useI18n();
  return (
    <tr aria-selected={selected} ref={selected ? intoView : undefined}>
      <td className="c-page">
        <Link className="b quiet-link" {...linkTo(page, FALLBACK)}>
          {title}
        </Link>
        <div className="sub mono">{`/${page}`}</div>
        {isLegal(page) ? <span className="chip">{t("house_texts.duty")}</span> : null}
      </td>
      {languages.map((language) => (
        <Cell key={language} title={title} line={lines.get(language)} first={lines.get(FALLBACK)} />
      ))}
    </tr>
  );
}

interface CellProps {
  title: string;
  line: TextLine | undefined;
  first: TextLine | undefined;
}

/** A page in a language: what readers get, and whether a draft waits. */
function Cell({ title, line, first }: CellProps) {
  const { t, lang } = useI18n();
  if (line === undefined) return <td>—</td>;
  const { page, language, version, published_at, has_draft, is_older } = line;
  return (
    <td className="c-text">
      <span className="sub ct-lang" aria-hidden="true">
        {languageName(language, lang)}
      </span>
      <Link className="ct-cell" {...linkTo(page, language)}>
        <span className="vh">{t("house_texts.cell_name", { title, language: languageName(language, lang) })} </span>
        <StateMark state={stateOf(line, first)} version={version} />
        {has_draft ? (
          <span className="chip info">
            <Icon name="pen" />
            {t("house_texts.draft")}
          </span>
        ) : null}
      </Link>
      {version === null || published_at === null ? null : <div className="sub">{plainDay(published_at, lang)}</div>}
      {is_older ? <div className="sub warn">{t("house_texts.default_changed")}</div> : null}
    </td>
  );
}
