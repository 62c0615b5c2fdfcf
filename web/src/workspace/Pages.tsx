import { Link } from "@tanstack/react-router";
import type { ListMeta } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { NothingFound } from "./TableStates.tsx";

/** A list of pages. */
type List = "/workspace/leads" | "/workspace/finance" | "/workspace/provider" | "/workspace/books";

interface PagesProps {
  list: List;
  meta: ListMeta;
}

/** One page on or back; each is a history entry, so that Back returns to the page and row one came from. */
export function Pages({ list, meta: { prev, next, current_page, pages } }: PagesProps) {
  const { t } = useI18n();
  if (pages <= 1) return null;
  return (
    <nav className="pages" aria-label={t("workspace.pages")}>
      <PageLink list={list} page={prev} name={t("workspace.prev_page")} />
      <span className="sub num">{t("workspace.page_of", { n: current_page, of: pages })}</span>
      <PageLink list={list} page={next} name={t("workspace.next_page")} />
    </nav>
  );
}

/** A page of an address that the list has not, or has no more. */
export function PastTheEnd({ list }: { list: List }) {
  const { t } = useI18n();
  return (
    <NothingFound
      title={t("workspace.past_the_end")}
      actions={
        <Link className="btn" from={list} to="." search={(filters) => ({ ...filters, p: null })}>
          {t("workspace.to_first_page")}
        </Link>
      }
    >
      {t("workspace.past_the_end_text")}
    </NothingFound>
  );
}

function PageLink({ list, page, name }: { list: List; page: number | null; name: string }) {
  if (page === null) return <span className="btn sm off">{name}</span>;
  return (
    <Link className="btn sm" from={list} to="." search={(filters) => ({ ...filters, p: page })}>
      {name}
    </Link>
  );
}
