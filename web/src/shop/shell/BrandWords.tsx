import { useI18n } from "../../i18n/i18n.tsx";
import { useChrome } from "../../pageContext.ts";

/** Under the mark of the footer: the brand's tagline, how it is reached, and its own links. */
export function BrandWords() {
  const { t } = useI18n();
  const { brand, countries } = useChrome();
  return (
    <>
      <p className="t-14 soft">{brand?.tagline ?? t("shell.foot_words")}</p>
      <ul className="t-14">
        {brand?.support.map(({ country, phone, email, chat, hours }) => (
          <li key={`${country} ${phone} ${email} ${chat}`}>
            {countries.find(({ key }) => key === country)?.name}{" "}
            {phone && <a href={`tel:${phone.replaceAll(" ", "")}`}>{phone}</a>}{" "}
            {email && <a href={`mailto:${email}`}>{email}</a>} {chat} {hours}
          </li>
        ))}
        {brand?.links.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
