import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { dayWithYear } from "../clock.ts";
import { FailureNote } from "../FailureNote.tsx";
import { Icon } from "../icon.tsx";
import { useRested } from "../useRested.ts";
import { type Brand, coloursQuery } from "./brandCalls.ts";
import { keepMine, readColour, takeTheirs, type ValueName } from "./brandEdit.ts";
import { BrandForm } from "./form/BrandForm.tsx";
import { BrandPreview } from "./preview/BrandPreview.tsx";
import { type BrandDesk, useBrandDesk } from "./useBrandDesk.ts";
import { useValueText } from "./useValueText.ts";
import { BrandHistory } from "./versions/BrandHistory.tsx";
import { PublishDialog } from "./versions/PublishDialog.tsx";

interface DraftDeskProps {
  brand: Brand;
  /** Versions are shown in place of the form. */
  isHistory: boolean;
}

/** The draft beside its preview, or the versions that readers saw. */
export function DraftDesk({ brand, isHistory }: DraftDeskProps) {
  const [isPublishing, setPublishing] = useState(false);
  const { desk, draft, setDraft, touched, unsaved, overtaken, press, save } = useBrandDesk(brand);
  const colours = useColours(desk);
  // Typed values may come to those that readers see already.
  const ask = ({ changed }: Brand) => setPublishing(changed.length > 0);
  const publish = () => (unsaved.length > 0 ? save(ask) : ask(brand));
  const isHeld = desk.isPast || press.isPending || overtaken.length > 0;
  return (
    <>
      <Top
        brand={brand}
        unsaved={unsaved.length}
        isHistory={isHistory}
        isHeld={isHeld}
        onSave={() => save()}
        onPublish={publish}
      />
      {isHistory ? (
        <BrandHistory brand={brand} />
      ) : (
        <>
          <Notes
            desk={desk}
            overtaken={overtaken}
            error={press.error}
            onMine={() => setDraft(keepMine(draft, brand.draft))}
            onTheirs={() => setDraft(takeTheirs(draft, overtaken))}
          />
          <div className="brand-desk" data-list-scroll>
            <BrandForm desk={desk} colours={colours} />
            <BrandPreview desk={desk} colours={colours} touched={touched} />
          </div>
        </>
      )}
      {isPublishing ? <PublishDialog brand={brand} onClose={() => setPublishing(false)} /> : null}
    </>
  );
}

/** Colours of what is typed as the server derives them; those of the draft until it has answered. */
function useColours({ brand, shown }: BrandDesk) {
  const chosen = {
    main_colour: readColour(shown.main_colour),
    button_colour: readColour(shown.button_colour),
    footer_colour: readColour(shown.footer_colour),
  };
  const typed = JSON.stringify(chosen);
  const { main_colour = null, button_colour = null, footer_colour = null } = brand.draft;
  const isDraft = typed === JSON.stringify({ main_colour, button_colour, footer_colour });
  const isRested = useRested(typed) === typed;
  const asked = useQuery({ ...coloursQuery(chosen), enabled: isRested && !isDraft });
  return isDraft ? brand.colours : (asked.data?.colours ?? brand.colours);
}

interface TopProps {
  brand: Brand;
  /** Values that are typed and not saved. */
  unsaved: number;
  isHistory: boolean;
  isHeld: boolean;
  onSave: () => void;
  onPublish: () => void;
}

function Top({ brand, unsaved, isHistory, isHeld, onSave, onPublish }: TopProps) {
  const { t, lang } = useI18n();
  const { published, changed } = brand;
  const isSame = changed.length === 0 && unsaved === 0;
  return (
    <header className="brand-top">
      <div className="grow">
        <h1 id="brand-title">
          {t("workspace.brand")}
          {unsaved > 0 ? (
            <span className="chip warn">{t("brand.unsaved", { n: unsaved })}</span>
          ) : changed.length > 0 ? (
            <span className="chip info">{t("brand.draft", { n: changed.length })}</span>
          ) : null}
        </h1>
        <p className="sub">
          {published
            ? t("brand.published", {
                n: published.version,
                who: published.by ?? t("brand.by_command"),
                day: dayWithYear(published.at, lang),
              })
            : t("brand.never_published")}
        </p>
      </div>
      <Link className="btn" to="/workspace/brand" search={{ view: isHistory ? null : "history" }}>
        <Icon name={isHistory ? "left" : "replay"} size="s" />
        {t(isHistory ? "brand.to_draft" : "brand.history")}
      </Link>
      {isHistory ? null : (
        <>
          <button type="button" className="btn" disabled={isHeld || unsaved === 0} onClick={onSave}>
            {t("brand.save")}
          </button>
          <button type="button" className="btn pri" disabled={isHeld || isSame} onClick={onPublish}>
            {t("brand.publish_ask")}
          </button>
        </>
      )}
    </header>
  );
}

interface NotesProps {
  desk: BrandDesk;
  overtaken: readonly ValueName[];
  error: Error | null;
  onMine: () => void;
  onTheirs: () => void;
}

/** The refusal; and where others changed what is typed here, their values and the choice between both. */
function Notes({ desk, overtaken, error, onMine, onTheirs }: NotesProps) {
  const { t } = useI18n();
  const say = useValueText(desk.brand.pictures);
  if (overtaken.length === 0) {
    // A refusal of a value is said beside it.
    return error === null || desk.faults.size > 0 ? null : (
      <div className="brand-notes">
        <FailureNote error={error} />
      </div>
    );
  }
  return (
    <div className="brand-notes">
      <div className="note warn" role="alert">
        <div className="grow">
          <p>
            <b>{t("brand.overtaken", { n: overtaken.length, who: desk.brand.drafted_by ?? t("brand.by_command") })}</b>
          </p>
          <ul>
            {overtaken.map((name) => (
              <li key={name}>
                {t("brand.overtaken_value", {
                  value: t(`brand.value_${name}`),
                  now: say(name, desk.brand.draft) ?? t("brand.as_shipped"),
                })}
              </li>
            ))}
          </ul>
        </div>
        <button type="button" className="btn sm" onClick={onMine}>
          {t("brand.keep_mine")}
        </button>
        <button type="button" className="btn sm" onClick={onTheirs}>
          {t("brand.take_theirs")}
        </button>
      </div>
    </div>
  );
}
