import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../i18n/languages.ts";
import { useChrome } from "../../../pageContext.ts";
import { Scrolling } from "../../Scrolling.tsx";
import type { BrandColours } from "../brandCalls.ts";
import type { ValueName } from "../brandEdit.ts";
import type { BrandDesk } from "../useBrandDesk.ts";
import { type Face, readFace, styleFace } from "./face.ts";
import { HomeView } from "./HomeView.tsx";
import { MailView, PropertyView, ReceiptView } from "./OtherViews.tsx";

const VIEWS = ["home", "property", "mail", "receipt"] as const;
const WIDTHS = ["wide", "phone"] as const;

type View = (typeof VIEWS)[number];

/** The view in which a changed value is seen best; null stays where one is. */
function viewOf(name: ValueName | null): View | null {
  if (name === "mail_small_print") return "mail";
  if (name === "letterhead") return "receipt";
  return name === "hero" || name === "hero_lede" || name === "sections" ? "home" : null;
}

interface BrandPreviewProps {
  desk: BrandDesk;
  colours: BrandColours;
  /** The value that was changed last. */
  touched: ValueName | null;
}

/** Pages, mails and papers in the draft's face: drawn anew with each key press, and what changes is outlined. */
export function BrandPreview({ desk, colours, touched }: BrandPreviewProps) {
  const { t, lang } = useI18n();
  const { brand_name } = useChrome();
  const [chosen, setChosen] = useState<{ view: View; at: ValueName | null }>({ view: "home", at: null });
  const [tag, setTag] = useState<string>(lang);
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>("wide");
  // Once for each other value: what staff choose afterwards stays.
  if (touched !== chosen.at) setChosen({ view: viewOf(touched) ?? chosen.view, at: touched });
  const { view } = chosen;
  const given = desk.brand.given.find(({ name }) => name === "name")?.value;
  const face = readFace({
    shown: desk.shown,
    pictures: desk.brand.pictures,
    name: given ?? (desk.shown.name?.trim() || brand_name),
    tag,
    touched,
  });
  const views = VIEWS.map((name) => ({ name, label: t(`brand.view_${name}`) }));
  const widths = WIDTHS.map((name) => ({ name, label: t(`brand.width_${name}`) }));
  const languages = pageLanguages().map(([name, label]) => ({ name, label }));
  const said = t("brand.preview_said", { view: t(`brand.view_${view}`), name: face.name });
  return (
    <section className="brand-preview" aria-label={t("brand.preview")}>
      <div className="brand-segs">
        <Choice
          legend={t("brand.preview_view")}
          choices={views}
          chosen={view}
          onChoose={(name) => setChosen({ view: name, at: touched })}
        />
        <Choice legend={t("brand.preview_width")} choices={widths} chosen={width} onChoose={setWidth} />
        <Choice<string> legend={t("brand.preview_language")} choices={languages} chosen={tag} onChoose={setTag} />
      </div>
      <Scrolling className="brand-stage" role="group" aria-label={t("brand.preview")}>
        <div
          className={`bp bp-${width} bp-${view}`}
          style={styleFace(colours, desk.shown.font)}
          role="img"
          aria-label={said}
        >
          <Drawn view={view} face={face} />
        </div>
      </Scrolling>
    </section>
  );
}

function Drawn({ view, face }: { view: View; face: Face }) {
  switch (view) {
    case "home":
      return <HomeView face={face} />;
    case "property":
      return <PropertyView face={face} />;
    case "mail":
      return <MailView face={face} />;
    case "receipt":
      return <ReceiptView face={face} />;
  }
}

interface ChoiceProps<Name extends string> {
  legend: string;
  choices: readonly { name: Name; label: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

function Choice<Name extends string>({ legend, choices, chosen, onChoose }: ChoiceProps<Name>) {
  return (
    <fieldset className="seg">
      <legend className="vh">{legend}</legend>
      {choices.map(({ name, label }) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}
