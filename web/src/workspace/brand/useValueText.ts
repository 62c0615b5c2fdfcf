import { useI18n } from "../../i18n/i18n.tsx";
import { countryName } from "../../ui/countryName.ts";
import { languageName } from "../languageName.ts";
import type { BrandPicture, BrandValues } from "./brandCalls.ts";
import { type Contact, sayWords, type ValueName } from "./brandEdit.ts";
import { countryCode } from "./countries.ts";

const PICTURES = ["logo", "logo_dark", "favicon", "app_icon", "social_picture"] as const;

const isPicture = (name: ValueName): name is (typeof PICTURES)[number] => PICTURES.some((one) => one === name);

/** Says a value in a line; null for one that is as the house ships it. */
export function useValueText(
  pictures: readonly BrandPicture[],
): (name: ValueName, values: BrandValues) => string | null {
  const { t, lang } = useI18n();
  const join = (parts: readonly string[] | null | undefined) => parts?.join(t("workspace.list_mark")) || null;
  const nameCountry = ({ country }: Contact) =>
    country ? countryName(countryCode(country), lang) : t("brand.everywhere_else");
  return (name, values) => {
    if (isPicture(name)) {
      const picture = pictures.find(({ content }) => content === values[name]);
      if (picture === undefined) return values[name] ? t("brand.a_picture") : null;
      const { format, width, height } = picture;
      return t("brand.picture_said", { format: format.toUpperCase(), width, height });
    }
    switch (name) {
      case "tagline":
      case "hero":
      case "hero_lede":
        return sayWords(values[name], lang) ?? Object.values(values[name] ?? {}).find((text) => text) ?? null;
      case "font":
        return values.font ? t(`brand.font_${values.font}`) : null;
      case "sections":
        if (!values.sections) return null;
        return join(values.sections.map((one) => t(`brand.section_${one}`))) ?? t("brand.no_section");
      case "mail_small_print":
      case "letterhead":
        return join(values[name]);
      case "support":
        return join(values.support?.map(nameCountry));
      case "footer_links":
        return join(values.footer_links?.map(({ label, href }) => sayWords(label, lang) ?? href));
      case "first_language":
        return values.first_language ? languageName(values.first_language, lang) : null;
      default:
        return values[name]?.trim() || null;
    }
  };
}
