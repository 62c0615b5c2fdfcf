import type { PageLink } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { Link } from "../Link.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { Blocks } from "./Blocks.tsx";
import { ContactForm } from "./ContactForm.tsx";
import "./content.css";

/** `/about` and its like (D17): what its name asks, answered, and one thing to do. */
export default function ContentPage({ page }: { page: PageOf<"content"> }) {
  const { t } = useI18n();
  const format = useFormat();
  const { title, lead, blocks, act, form, more, holds_from } = page.data;
  return (
    <main id="main" className="wrap words-page">
      <header className="words-lead">
        <h1>{title}</h1>
        {lead === null ? null : <p className="t-18 soft">{lead}</p>}
        {holds_from === null ? null : (
          <p className="muted">{t("content.holds_from", { date: format.date(holds_from) })}</p>
        )}
        {act === null ? null : (
          <p>
            <ButtonLink href={act.href} look="primary" size="large">
              {act.name}
            </ButtonLink>
          </p>
        )}
      </header>
      {form === null ? null : <ContactForm key={form} form={form} />}
      <div className="words">
        <Blocks blocks={blocks} />
      </div>
      <More links={more} />
    </main>
  );
}

function More({ links }: { links: readonly PageLink[] }) {
  const { t } = useI18n();
  if (links.length === 0) return null;
  return (
    <nav className="words-more" aria-labelledby="words-more">
      <h2 className="t-18" id="words-more">
        {t("content.more")}
      </h2>
      <ul className="row wrapx">
        {links.map(({ href, name }) => (
          <li key={href}>
            <Link className="chip" href={href}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
