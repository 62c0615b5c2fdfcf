import { useI18n } from "../../i18n/i18n.tsx";
import { useChrome } from "../../pageContext.ts";

/** Under the mark of the footer: the brand's tagline, how it is reached, and its own links. */
export function BrandWords() {
  const { t } = useI18n();
  const { brand, countries } = useChrome();
  const support = brand?.support ?? [];
  const links = brand?.links ?? [];
  return (
    <>
      <p className="t-14 soft">{brand?.tagline ?? t("shell.foot_words")}</p>
      {support.length > 0 ? (
        <ul>
          {support.map((contact) => (
            <li key={`${contact.country} ${contact.phone} ${contact.email} ${contact.chat}`} className="t-14">
              <span className="soft">{countries.find(({ key }) => key === contact.country)?.name} </span>
              {contact.phone ? <a href={`tel:${contact.phone.replaceAll(" ", "")}`}>{contact.phone}</a> : null}
              {contact.email ? <a href={`mailto:${contact.email}`}>{contact.email}</a> : null}
              {contact.chat ? <span>{contact.chat}</span> : null}
              {contact.hours ? <span className="soft"> {contact.hours}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
      {links.length > 0 ? (
        <ul>
          {links.map((link) => (
            <li key={link.href}>
              <a href={link.href}>{link.label}</a>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
