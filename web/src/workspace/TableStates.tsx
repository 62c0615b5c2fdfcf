/** The four states every table shares: loading, empty, nothing found, stopped. */
import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { joinSentences, spaceAfter } from "../i18n/sentences.ts";
import { clockTime } from "./clock.ts";
import { useFailureText } from "./failure.ts";
import { Icon } from "./icon.tsx";

/** `true` once loading has taken long enough to be worth showing (150 ms). */
export function useSlow(loading: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!loading) {
      setSlow(false);
      return;
    }
    const timer = window.setTimeout(() => setSlow(true), 150);
    return () => window.clearTimeout(timer);
  }, [loading]);
  return slow && loading;
}

interface EmptyProps {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** Nothing is there, which is good news: says what that means and what to do next. */
export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div className="empty">
      <svg className="art" viewBox="0 0 120 72" aria-hidden="true">
        <path className="a1" d="M8 62h104" />
        <rect className="a2" x="22" y="14" width="76" height="12" rx="6" />
        <rect className="a2" x="22" y="32" width="76" height="12" rx="6" />
        <rect className="a3" x="22" y="50" width="76" height="12" rx="6" />
        <circle className="a4" cx="98" cy="20" r="12" />
        <path className="a5" d="m92.5 20 4 4 7-8" />
      </svg>
      <div>
        <h2>{title}</h2>
        <p className="muted">{children}</p>
        {actions === undefined ? null : <div className="row acts16">{actions}</div>}
      </div>
    </div>
  );
}

/** Filters hide every row: names them and offers the way out. */
export function NothingFound({ title, children, actions }: EmptyProps) {
  return (
    <div className="empty" role="status">
      <span className="big">
        <Icon name="search" />
      </span>
      <div>
        <h2>{title}</h2>
        <div className="muted">{children}</div>
        {actions === undefined ? null : <div className="row wrapx acts16">{actions}</div>}
      </div>
    </div>
  );
}

interface StoppedProps {
  error: Error;
  /** When the rows still shown were fetched; 0 when there are none. */
  fetchedAt: number;
  onRetry: () => void;
}

/** A list that could not be refreshed: what is below is old, nothing is lost, one way forward. */
export function Stopped({ error, fetchedAt, onRetry }: StoppedProps) {
  const { t } = useI18n();
  const because = useFailureText()(error);
  const since = fetchedAt > 0 ? clockTime(new Date(fetchedAt).toISOString()) : null;
  const stopped = since === null ? t("workspace.stopped_never") : t("workspace.stopped_at", { time: since });
  const request = error instanceof ApiError ? error.requestId : null;
  return (
    <>
      <div className="note warn stale" role="alert">
        <Icon name="alert" />
        <span className="grow">
          <b>{stopped}</b>
          {spaceAfter(stopped)}
          {joinSentences(because, since === null ? "" : t("workspace.stopped_old"))}
        </span>
        <button type="button" className="btn sm" onClick={onRetry}>
          <Icon name="refresh" size="xs" />
          {t("workspace.try_again")}
        </button>
      </div>
      {request === null ? null : (
        <p className="sub foot2">
          {t("workspace.request_number")}
          {spaceAfter(t("workspace.request_number"))}
          <span className="mono">{request}</span>
        </p>
      )}
    </>
  );
}

/** A grey bar the size of what will stand there. */
export function Bone({ width, look = "" }: { width: number; look?: "" | "s" | "c" }) {
  return <span className={`sk ${look}`.trim()} style={{ width }} />;
}

interface BoneShape {
  width: number;
  look?: "" | "s" | "c";
}

/** One column on its way: its class, and its bars below each other, or in a row where a round one leads. */
export type BoneColumn = readonly [className: string, ...bones: BoneShape[]];

const FADING = [1, 0.8, 0.6, 0.4];

/** Rows on their way: real columns, grey bars, fading downwards. */
export function LoadingRows({ columns }: { columns: readonly BoneColumn[] }) {
  return (
    <tbody>
      {FADING.map((opacity) => (
        <tr key={opacity} style={{ opacity }}>
          {columns.map(([className, ...bones]) => (
            <td key={className} className={className}>
              <span className={bones.length > 1 && bones[0]?.look === "c" ? "row" : undefined}>
                {bones.map(({ width, look = "" }) => (
                  <Bone key={`${look}${width}`} width={width} look={look} />
                ))}
              </span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** A press on a row beside its own links and buttons chooses it, and opens it unless text is being selected. */
export function pressRow(event: MouseEvent, onChoose: () => void, onOpen: () => void): void {
  if (event.defaultPrevented || (event.target instanceof Element && event.target.closest("a, button, input"))) return;
  onChoose();
  if (window.getSelection()?.isCollapsed !== false) onOpen();
}

/** For the row that is chosen by a key. */
export function intoView(row: HTMLTableRowElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}
