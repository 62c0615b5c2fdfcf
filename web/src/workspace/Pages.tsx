import type { ListMeta } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { NothingFound } from "./TableStates.tsx";
import { WorkLink } from "./WorkLink.tsx";

interface PagesProps {
  meta: ListMeta;
  /** The address of a page of this list. */
  at: (page: number) => string;
}

/** One page on or back; each is a history entry, so that Back returns to the page and row one came from. */
export function Pages({ meta: { prev, next, current_page, pages }, at }: PagesProps) {
  const { t } = useI18n();
  if (pages <= 1) return null;
  return (
    <nav className="pages" aria-label={t("workspace.pages")}>
      <PageLink href={prev === null ? null : at(prev)} name={t("workspace.prev_page")} />
      <span className="sub num">{t("workspace.page_of", { n: current_page, of: pages })}</span>
      <PageLink href={next === null ? null : at(next)} name={t("workspace.next_page")} />
    </nav>
  );
}

/** A page of an address that the list has not, or has no more. */
export function PastTheEnd({ first }: { first: string }) {
  const { t } = useI18n();
  return (
    <NothingFound
      title={t("workspace.past_the_end")}
      actions={
        <WorkLink className="btn" href={first}>
          {t("workspace.to_first_page")}
        </WorkLink>
      }
    >
      {t("workspace.past_the_end_text")}
    </NothingFound>
  );
}

function PageLink({ href, name }: { href: string | null; name: string }) {
  if (href === null) return <span className="btn sm off">{name}</span>;
  return (
    <WorkLink className="btn sm" href={href}>
      {name}
    </WorkLink>
  );
}
