import { useEffect, useRef } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../i18n/languages.ts";
import { languageName } from "../../languageName.ts";
import type { BrandColours } from "../brandCalls.ts";
import type { ValueName } from "../brandEdit.ts";
import type { BrandDesk } from "../useBrandDesk.ts";
import { useValueText } from "../useValueText.ts";
import { ChoiceField } from "./ChoiceField.tsx";
import { ColourFields } from "./ColourFields.tsx";
import { ContactFields } from "./ContactFields.tsx";
import { LinkFields } from "./LinkFields.tsx";
import { Part } from "./Part.tsx";
import { PictureField } from "./PictureField.tsx";
import { SectionsField } from "./SectionsField.tsx";
import { LinesField, TextField } from "./TextField.tsx";
import { WordsField } from "./WordsField.tsx";

const TAGLINE_MOST = 60;
const HERO_MOST = 80;
const LEDE_MOST = 200;

interface BrandFormProps {
  desk: BrandDesk;
  colours: BrandColours;
}

/** Everything that a brand may say of itself, in one column. */
export function BrandForm({ desk, colours }: BrandFormProps) {
  const form = useRef<HTMLElement>(null);
  const refused = [...desk.faults.keys()].join(" ");
  useEffect(() => {
    if (refused !== "") form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  return (
    <section ref={form} className="brand-form" aria-labelledby="brand-title">
      <FaceParts desk={desk} colours={colours} />
      <PageParts desk={desk} />
      <ReachParts desk={desk} />
    </section>
  );
}

/** Values as a closed part says them, and whether one of them was refused. */
function usePart(desk: BrandDesk) {
  const { t } = useI18n();
  const say = useValueText(desk.brand.pictures);
  return {
    said: (...names: ValueName[]) =>
      names
        .map((name) => say(name, desk.shown))
        .filter((text) => text !== null)
        .join(" · ") || t("brand.as_shipped"),
    isRefused: (...names: ValueName[]) => names.some((name) => desk.faults.has(name)),
  };
}

/** Name, marks and colours. */
function FaceParts({ desk, colours }: BrandFormProps) {
  const { t } = useI18n();
  const { said, isRefused } = usePart(desk);
  const given = desk.brand.given.find(({ name }) => name === "name")?.value;
  const corrected = colours.contrasts.filter(({ chosen }) => chosen).length;
  return (
    <>
      <Part
        icon="pen"
        title={t("brand.part_name")}
        value={given ?? said("name")}
        isOpen
        hasFault={isRefused("name", "tagline")}
      >
        <TextField desk={desk} name="name" />
        <WordsField desk={desk} name="tagline" most={TAGLINE_MOST} />
        <p className="sub">{t("brand.tagline_hint")}</p>
      </Part>
      <Part
        icon="image"
        title={t("brand.part_logo")}
        value={said("logo")}
        hasFault={isRefused("logo", "logo_dark", "favicon", "app_icon", "social_picture")}
      >
        <p className="sub">{t("brand.pictures_hint")}</p>
        <div className="brand-two">
          <PictureField desk={desk} name="logo" />
          <PictureField desk={desk} name="logo_dark" ground="dark" />
        </div>
        <div className="brand-two">
          <PictureField desk={desk} name="favicon" />
          <PictureField desk={desk} name="app_icon" />
        </div>
        <PictureField desk={desk} name="social_picture" hint={t("brand.social_hint")} />
      </Part>
      <Part
        icon="brush"
        title={t("brand.part_colours")}
        value={colours.contrasts.length === 0 ? t("brand.as_shipped") : t("brand.corrected_n", { n: corrected })}
        look={colours.contrasts.length === 0 ? undefined : corrected === 0 ? "ok" : "bad"}
        isOpen
        hasFault={isRefused("main_colour", "button_colour", "footer_colour")}
      >
        <ColourFields desk={desk} colours={colours} />
      </Part>
      <Part icon="file" title={t("brand.part_font")} value={said("font")} hasFault={isRefused("font")}>
        <ChoiceField
          desk={desk}
          name="font"
          shipped={t("brand.as_shipped")}
          choices={(["inter", "system"] as const).map((value) => ({ value, label: t(`brand.font_${value}`) }))}
        />
      </Part>
    </>
  );
}

/** The home page, mails and papers. */
function PageParts({ desk }: { desk: BrandDesk }) {
  const { t } = useI18n();
  const { said, isRefused } = usePart(desk);
  return (
    <>
      <Part
        icon="home"
        title={t("brand.part_home")}
        value={said("hero", "sections")}
        hasFault={isRefused("hero", "hero_lede", "sections")}
      >
        <WordsField desk={desk} name="hero" most={HERO_MOST} />
        <WordsField desk={desk} name="hero_lede" most={LEDE_MOST} />
        <SectionsField desk={desk} />
      </Part>
      <Part
        icon="mail"
        title={t("brand.part_mails")}
        value={said("mail_small_print", "letterhead")}
        hasFault={isRefused("mail_small_print", "letterhead")}
      >
        <LinesField desk={desk} name="mail_small_print" hint={t("brand.small_print_hint")} />
        <LinesField desk={desk} name="letterhead" hint={t("brand.letterhead_hint")} />
      </Part>
    </>
  );
}

/** Contacts, links, language and money. */
function ReachParts({ desk }: { desk: BrandDesk }) {
  const { t, lang } = useI18n();
  const { said, isRefused } = usePart(desk);
  const languages = pageLanguages().map(([value]) => ({ value, label: languageName(value, lang) }));
  return (
    <>
      <Part icon="people" title={t("brand.part_support")} value={said("support")} hasFault={isRefused("support")}>
        <ContactFields desk={desk} />
      </Part>
      <Part icon="link" title={t("brand.part_links")} value={said("footer_links")} hasFault={isRefused("footer_links")}>
        <LinkFields desk={desk} />
      </Part>
      <Part
        icon="pin"
        title={t("brand.part_start")}
        value={said("first_language", "currency", "region")}
        hasFault={isRefused("first_language", "currency", "region")}
      >
        <ChoiceField desk={desk} name="first_language" shipped={t("brand.as_shipped")} choices={languages} />
        <TextField desk={desk} name="currency" hint={t("brand.currency_hint")} placeholder="GBP" />
        <TextField desk={desk} name="region" hint={t("brand.region_hint")} />
      </Part>
    </>
  );
}
