import { Link, linkOptions, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { shortDay } from "../../clock.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { Icon } from "../../icon.tsx";
import { type BoneColumn, intoView, LoadingRows, pressRow } from "../../TableStates.tsx";
import type { HomeRow } from "../homeCalls.ts";
import { StateChip } from "../StateChip.tsx";

interface HomeTableProps {
  rows: HomeRow[];
  /** The rows could not be refreshed: shown, but dimmed. */
  old: boolean;
  selected: HomeRow | undefined;
  /** Homes chosen for an act on several. */
  marked: ReadonlySet<string>;
  onChoose: (homeId: string) => void;
  onMark: (homeId: string) => void;
  onMarkAll: () => void;
}

/** Homes as rows on a screen, as cards on a phone. */
export function HomeTable({ rows, old, selected, marked, onChoose, onMark, onMarkAll }: HomeTableProps) {
  const { t } = useI18n();
  return (
    <table className={old ? "tbl fix home-t old" : "tbl fix home-t"}>
      <caption className="vh">{t("homes.table")}</caption>
      <Head>
        <input
          type="checkbox"
          aria-label={t("homes.choose_all")}
          checked={marked.size > 0 && rows.every((row) => marked.has(row.home_id))}
          onChange={onMarkAll}
        />
      </Head>
      <tbody>
        {rows.map((home) => (
          <Row
            key={home.home_id}
            home={home}
            selected={home === selected}
            marked={marked.has(home.home_id)}
            onChoose={onChoose}
            onMark={onMark}
          />
        ))}
      </tbody>
    </table>
  );
}

function Head({ children }: { children?: ReactNode }) {
  const { t } = useI18n();
  return (
    <thead>
      <tr>
        <th className="c-pick" style={{ width: 56 }}>
          {children ?? <span className="vh">{t("homes.choose_all")}</span>}
        </th>
        <th>{t("homes.home")}</th>
        <th style={{ width: 148 }}>{t("homes.state")}</th>
        <th style={{ width: 112 }}>{t("homes.rooms_free")}</th>
        <th className="num" style={{ width: 104 }}>
          {t("homes.from")}
        </th>
        <th className="c-miss" style={{ width: 176 }}>
          {t("homes.student_misses")}
        </th>
        <th className="c-last" style={{ width: 168 }}>
          {t("homes.last_change")}
        </th>
      </tr>
    </thead>
  );
}

interface RowProps {
  home: HomeRow;
  selected: boolean;
  marked: boolean;
  onChoose: (homeId: string) => void;
  onMark: (homeId: string) => void;
}

function Row({ home, selected, marked, onChoose, onMark }: RowProps) {
  const { t, lang } = useI18n();
  const { money } = useFormat();
  const navigate = useNavigate();
  const one = linkOptions({ to: "/workspace/homes/$homeId", params: { homeId: home.home_id }, search: {} });
  const where = [home.city?.name, home.feed].filter((part) => typeof part === "string");
  return (
    // The row only repeats, for the mouse, what its link and J, K and Enter do.
    <tr
      className={marked ? "marked" : undefined}
      aria-selected={selected}
      onClick={(event) =>
        pressRow(
          event,
          () => onChoose(home.home_id),
          () => void navigate(one),
        )
      }
      ref={selected ? intoView : null}
    >
      <td className="c-pick">
        <input
          type="checkbox"
          aria-label={t("homes.choose_one", { name: home.name })}
          checked={marked}
          onChange={() => onMark(home.home_id)}
        />
      </td>
      <td className="c-home">
        <div>
          <Thumb picture={home.picture} />
          <span className="grow">
            <Link className="b quiet-link cut blk" {...one}>
              {home.name}
            </Link>
            <span className="sub cut blk">{where.join(" · ") || home.address}</span>
          </span>
        </div>
      </td>
      <td className="c-state">
        <StateChip state={home.state} reopensOn={home.reopens_on} />
      </td>
      <td className="c-free">
        <Free home={home} />
      </td>
      <td className="c-from num">
        {home.from_minor === null ? (
          <span className="muted">—</span>
        ) : (
          <>
            <span className="b nowrap">{money(home.from_minor, readCurrency(home.currency))}</span>{" "}
            <span className="sub nowrap">{t(`homes.${home.period}`)}</span>
          </>
        )}
      </td>
      <td className="c-miss">
        <Lacks home={home} />
      </td>
      <td className="c-last">
        <div>{t(`homes.change_${home.changed_what}`)}</div>
        <div className="sub">
          {[home.changed_by.label || t(`homes.by_${home.changed_by.kind}`), shortDay(home.changed_at, lang)].join(
            " · ",
          )}
        </div>
      </td>
    </tr>
  );
}

function Thumb({ picture }: { picture: string | null }) {
  if (picture === null) return <span className="thumb none" aria-hidden="true" />;
  return <img className="thumb" src={picture} loading="lazy" alt="" />;
}

/** Free rooms of all, with the let ones and the held ones as a bar; a count that nobody said is not shown. */
function Free({ home }: { home: HomeRow }) {
  const { t } = useI18n();
  const { number } = useFormat();
  if (home.rooms === 0 || !home.is_count_said) return <span className="muted">—</span>;
  return (
    <div className="free">
      <span>{t("homes.free_of", { free: number(home.free), of: number(home.rooms) })}</span>
      <span className="free-bar" aria-hidden="true">
        <i style={{ flex: home.free }} />
        <i className="h" style={{ flex: home.held }} />
        <i className="rest" style={{ flex: Math.max(0, home.rooms - home.free - home.held) }} />
      </span>
    </div>
  );
}

/** The facts that nobody says, by their names: a student misses them. */
function Lacks({ home }: { home: HomeRow }) {
  const { t } = useI18n();
  if (home.lacks.length === 0) {
    return (
      <span className="miss muted">
        <Icon name="check" />
        {t("homes.misses_nothing")}
      </span>
    );
  }
  return (
    <span className="miss warn">
      <Icon name="alert" />
      <span>{home.lacks.map((fact) => t(`homes.lacks_${fact}`)).join(t("workspace.list_mark"))}</span>
    </span>
  );
}

const COLUMNS: readonly BoneColumn[] = [
  ["c-pick", { width: 18 }],
  ["c-home", { width: 180 }, { width: 120, look: "s" }],
  ["c-state", { width: 72 }],
  ["c-free", { width: 80 }],
  ["c-from", { width: 56 }],
  ["c-miss", { width: 120 }],
  ["c-last", { width: 120 }, { width: 80, look: "s" }],
];

export function LoadingHomes() {
  const { t } = useI18n();
  return (
    <table className="tbl fix home-t" aria-busy="true">
      <caption className="vh">{t("homes.loading")}</caption>
      <Head />
      <LoadingRows columns={COLUMNS} />
    </table>
  );
}
