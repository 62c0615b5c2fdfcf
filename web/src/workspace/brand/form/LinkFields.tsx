import { useI18n } from "../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../i18n/languages.ts";
import { Icon } from "../../icon.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import { languageName } from "../../languageName.ts";
import type { FooterLink } from "../brandEdit.ts";
import type { BrandDesk } from "../useBrandDesk.ts";
import { RowsFault } from "./RowsFault.tsx";

const MOST = 12;

/** Links of the footer, each with its name in every language. */
export function LinkFields({ desk }: { desk: BrandDesk }) {
  const { t, lang } = useI18n();
  const { shown, isPast, change } = desk;
  const links = shown.footer_links ?? [];
  const set = (at: number, link: FooterLink) =>
    change({ footer_links: links.map((one, index) => (index === at ? link : one)) });
  const field = (label: string, value: string, onType: (text: string) => void, placeholder?: string) => (
    <div key={label}>
      <LabelledField label={label} fault={undefined}>
        {(its) => (
          <input
            {...its}
            className="field"
            placeholder={placeholder}
            disabled={isPast}
            value={value}
            onChange={(event) => onType(event.target.value)}
          />
        )}
      </LabelledField>
    </div>
  );
  return (
    <>
      {links.map((link, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name, and rows keep their order.
        <fieldset key={at} className="brand-row">
          <legend className="vh">{t("brand.link_n", { n: at + 1 })}</legend>
          {pageLanguages().map(([tag]) =>
            field(
              t("brand.in_language", { value: t("brand.link_label"), language: languageName(tag, lang) }),
              link.label[tag] ?? "",
              (text) => set(at, { ...link, label: { ...link.label, [tag]: text } }),
            ),
          )}
          {field(t("brand.link_address"), link.href, (href) => set(at, { ...link, href }), "/about")}
          <button
            type="button"
            className="btn sm quiet"
            disabled={isPast}
            onClick={() => change({ footer_links: links.filter((_, index) => index !== at) })}
          >
            {t("brand.remove_link")}
          </button>
        </fieldset>
      ))}
      <p className="sub">{t("brand.links_hint")}</p>
      <RowsFault fault={desk.faults.get("footer_links")} />
      <button
        type="button"
        className="btn"
        disabled={isPast || links.length >= MOST}
        onClick={() => change({ footer_links: [...links, { label: {}, href: "" }] })}
      >
        <Icon name="plus" size="s" />
        {t("brand.add_link")}
      </button>
    </>
  );
}
