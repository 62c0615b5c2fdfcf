import type { ReactNode } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { useChrome } from "../../../pageContext.ts";
import { SECTIONS, type Section } from "../brandEdit.ts";
import type { Face } from "./face.ts";
import { PageFrame } from "./PageFrame.tsx";

/** The home page in the draft's face. */
export function HomeView({ face }: { face: Face }) {
  const { t } = useI18n();
  const sections: readonly Section[] = face.shown.sections ?? SECTIONS;
  return (
    <PageFrame face={face}>
      <div className="bp-body">
        <div className={`bp-title${face.mark("hero")}`}>{face.say("hero") ?? t("home.title")}</div>
        <div className={`soft${face.mark("hero_lede")}`}>
          {face.say("hero_lede") ?? t("home.lede", { n: 0, count: "0" })}
        </div>
        <div className="bp-search">
          <span className="soft">{t("brand.look_search_hint")}</span>
          <span className={`bp-btn${face.mark("button_colour", "main_colour")}`}>{t("brand.look_search")}</span>
        </div>
        <div className={face.mark("sections")}>
          {sections.map((name) => (
            <HomeSection key={name} name={name} />
          ))}
        </div>
      </div>
    </PageFrame>
  );
}

function HomeSection({ name }: { name: Section }) {
  const { t } = useI18n();
  const drawn: Record<Section, ReactNode> = {
    cities: <Cities />,
    recent: (
      <div className="bp-tiles">
        <i />
        <i />
        <i />
      </div>
    ),
    facts: <div className="bp-fact">{t("home.fee")}</div>,
    how_it_works: <div className="soft">{[t("home.step1"), t("home.step2"), t("home.step3")].join(" · ")}</div>,
    ask: <span className="bp-btn dark">{t("home.ask_button")}</span>,
  };
  return (
    <div className={name === "ask" ? "bp-sec ask" : "bp-sec"}>
      <b>{t(`brand.section_${name}`)}</b>
      {drawn[name]}
    </div>
  );
}

/** Cities of the house, or empty places where it has none yet. */
function Cities() {
  const { countries } = useChrome();
  const cities = countries.flatMap((country) => country.cities);
  return (
    <div className="bp-tiles">
      {[0, 1, 2].map((at) => (
        <span key={at}>
          <i />
          {cities[at]?.name}
        </span>
      ))}
    </div>
  );
}
