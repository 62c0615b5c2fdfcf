import type { ReactNode } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Link } from "../Link.tsx";
import { PlaceSearch } from "../ui/search/PlaceSearch.tsx";
import darkHouse from "./dark-house.svg";

/** The dark house with one lit window: shared by the 404 and 500 pages. */
export function Lost({
  code,
  title,
  email,
  children,
}: {
  code: string;
  title: string;
  email: string | null;
  children: ReactNode;
}) {
  const { t } = useI18n();
  return (
    <div className="wrap nf">
      <div>
        <p className="eyebrow num">{code}</p>
        <h1 className="nf-title">{title}</h1>
        <p className="t-18 soft nf-words">{children}</p>
        <PlaceSearch />
        <p className="row wrapx nf-links">
          <Link className="link tap" href={paths.home()}>
            {t("errors.back_home")}
          </Link>
          {email ? (
            <a className="link tap" href={`mailto:${email}`}>
              {email}
            </a>
          ) : null}
        </p>
      </div>
      <img src={darkHouse} alt={t("errors.dark_house")} width={440} height={440} />
    </div>
  );
}
