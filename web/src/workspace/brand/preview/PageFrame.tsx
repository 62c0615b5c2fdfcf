import type { ReactNode } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { sayWords } from "../brandEdit.ts";
import type { Face } from "./face.ts";

/** The mark beside the name; a plain shape in the brand's colour where there is no logo. */
export function Logo({ face, isDark = false }: { face: Face; isDark?: boolean }) {
  const picture = isDark ? face.logoDark : face.logo;
  return (
    <span className={`bp-logo${face.mark("name", "logo", "logo_dark")}`}>
      {picture === undefined ? <i className="bp-mark" /> : <img src={picture.url} alt="" />}
      <b>{face.name}</b>
    </span>
  );
}

/** Head and foot of a page of the shop, drawn: nothing in it can be pressed. */
export function PageFrame({ face, children }: { face: Face; children: ReactNode }) {
  const { t } = useI18n();
  const { shown } = face;
  const contact = shown.support?.find(({ country }) => !country) ?? shown.support?.[0];
  const links = (shown.footer_links ?? []).map(({ label, href }) => sayWords(label, face.tag) ?? href);
  const ways = [contact?.phone, contact?.email, contact?.chat].filter((way) => way);
  return (
    <>
      <div className="bp-head">
        <Logo face={face} />
        <span className="bp-btn line">{t("brand.look_log_in")}</span>
      </div>
      {children}
      <div className={`bp-foot${face.mark("footer_colour", "support", "footer_links", "tagline")}`}>
        <Logo face={face} isDark />
        <span>{face.say("tagline")}</span>
        <span className="soft">{[...links, ...ways].join(" · ")}</span>
      </div>
    </>
  );
}
