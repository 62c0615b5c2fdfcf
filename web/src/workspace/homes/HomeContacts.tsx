import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";
import type { StaffHome } from "./homeCalls.ts";

/** The office of a home and its page at its source, for staff who ask there; nothing while neither is known. */
export function HomeContacts({ home }: { home: Pick<StaffHome, "phones" | "email" | "source_link"> }) {
  const { t } = useI18n();
  const { phones, email, source_link } = home;
  if (phones.length === 0 && email === null && source_link === null) return null;
  return (
    <ul className="refs" aria-label={t("homes.contacts")}>
      {phones.map((phone) => (
        <li key={phone}>
          <a className="link num" href={`tel:${phone}`}>
            {phone}
          </a>
        </li>
      ))}
      {email === null ? null : (
        <li>
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>
        </li>
      )}
      {source_link === null ? null : (
        <li>
          <a className="link" href={source_link} title={source_link} target="_blank" rel="noreferrer">
            <Icon name="link" size="xs" /> {t("homes.source_page")}
          </a>
        </li>
      )}
    </ul>
  );
}
