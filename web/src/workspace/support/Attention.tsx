import { Link } from "@tanstack/react-router";
import type { LeadRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { said } from "../StatusRing.tsx";
import { isWhole, REASONS } from "./leadFilterNames.ts";
import type { LeadFilters } from "./leadFilters.ts";

interface AttentionViewsProps {
  filters: LeadFilters;
  /** How many leads have each reason, of those that words and status leave. */
  counts: Record<string, number>;
}

/**
 * Reasons to look at a lead as quick views: those that some lead has, and the one in force. Of the whole list those without an answer
 * are a view of their own already.
 */
export function AttentionViews({ filters, counts }: AttentionViewsProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const name = useReasonName();
  const isViewAbove = (reason: string) => reason === "unanswered" && isWhole({ ...filters, attention: null });
  const shown = REASONS.filter(
    (reason) => !isViewAbove(reason) && ((counts[reason] ?? 0) > 0 || reason === filters.attention),
  );
  // Its row has its place before it is known: what is below it stays where it is.
  if (shown.length === 0) return <div className="needs" />;
  return (
    <nav className="needs" aria-label={t("support.needs_views")}>
      {shown.map((reason) => (
        <Link
          key={reason}
          className={reason === filters.attention ? "pill on" : "pill"}
          to="/workspace/leads"
          search={{ ...filters, view: null, p: null, attention: reason }}
          aria-current={reason === filters.attention ? "page" : undefined}
        >
          {name(reason)} <b>{number(counts[reason] ?? 0)}</b>
        </Link>
      ))}
    </nav>
  );
}

/** What a row needs beside its answer, which has a column of its own. */
export function AttentionMarks({ lead }: { lead: LeadRow }) {
  const name = useReasonName();
  const reasons = lead.attention.filter((reason) => reason !== "unanswered" && reason !== "late");
  if (reasons.length === 0) return null;
  return <div className="sub need">{reasons.map((reason) => name(reason)).join(" · ")}</div>;
}

/** A reason in words. */
export function useReasonName(): (reason: string) => string {
  const { tData } = useI18n();
  return (reason) => said(tData, "support.needs_", reason);
}
