import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK, pageLanguages } from "../../../i18n/languages.ts";
import { toast } from "../../../ui/toast.tsx";
import { DecisionDialog } from "../../DecisionDialog.tsx";
import { Icon, type IconName } from "../../icon.tsx";
import { dropKeptWords, useKeptWords } from "../../keptDraft.ts";
import { languageName } from "../../languageName.ts";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { type Brand, type BrandPublication, brandQuery, publishBrand } from "../brandCalls.ts";
import { ChangedValues } from "./ChangedValues.tsx";

const ABOUT = "brand publish";
const TEXTS = ["tagline", "hero", "hero_lede"] as const;

/** Publishes the draft: what changes at the left, what happens and what was checked at the right. */
export function PublishDialog({ brand, onClose }: { brand: Brand; onClose: () => void }) {
  const { t } = useI18n();
  const why = useId();
  const [reason, setReason] = useKeptWords(ABOUT);
  const { isPending, error, send } = usePublishing(onClose);
  const version = brand.published?.version ?? 0;
  const asked = { revision: brand.revision, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) };
  return (
    <DecisionDialog
      title={t("brand.publish_title", { n: version + 1 })}
      press={{ isPending, error, send: () => send(asked) }}
      go={t("brand.publish")}
      onClose={onClose}
    >
      <div className="brand-publish">
        <div>
          <ChangedValues
            names={brand.changed}
            from={brand.published?.values ?? {}}
            to={brand.draft}
            pictures={brand.pictures}
          />
          <label className="label" htmlFor={why}>
            {t("brand.why")}
          </label>
          <input
            id={why}
            className="field"
            data-first
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <div className="then">
          <h3>{t("brand.then")}</h3>
          <ul>
            <Then icon="home" text={t("brand.then_pages")} />
            <Then icon="mail" text={t("brand.then_mails")} />
            {version > 0 ? <Then icon="undo" text={t("brand.then_back", { n: version })} /> : null}
          </ul>
          <h3>{t("brand.checked")}</h3>
          <ul>
            <Checks brand={brand} />
          </ul>
        </div>
      </div>
    </DecisionDialog>
  );
}

function Then({ icon, text }: { icon: IconName; text: string }) {
  return (
    <li>
      <Icon name={icon} size="s" />
      <span>{text}</span>
    </li>
  );
}

/** Colours that give way to others, and texts that a language lacks. */
function Checks({ brand }: { brand: Brand }) {
  const { t, lang } = useI18n();
  const corrected = brand.colours.contrasts.filter(({ chosen }) => chosen);
  const others = pageLanguages().flatMap(([tag]) => (tag === FALLBACK ? [] : [tag]));
  const lacking = TEXTS.flatMap((name) => {
    const words = brand.draft[name];
    return words?.[FALLBACK] ? others.filter((tag) => !words[tag]).map((tag) => ({ name, tag })) : [];
  });
  return (
    <>
      {corrected.length === 0 ? <Then icon="check" text={t("brand.checked_colours")} /> : null}
      {corrected.map(({ place, chosen, ground }) => (
        <Then key={place} icon="alert" text={t("brand.checked_corrected", { chosen: chosen ?? "", ground })} />
      ))}
      {lacking.map(({ name, tag }) => (
        <Then
          key={`${name} ${tag}`}
          icon="alert"
          text={t("brand.checked_language", {
            value: t(`brand.value_${name}`),
            language: languageName(tag, lang),
            shown: languageName(FALLBACK, lang),
          })}
        />
      ))}
    </>
  );
}

function usePublishing(onDone: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  return useOnePress<Brand, BrandPublication>({
    mutationFn: (asked) => publishBrand(asked, keyOf(asked)),
    onSuccess: (brand) => {
      client.setQueryData(brandQuery.queryKey, brand);
      void client.invalidateQueries({ queryKey: brandQuery.queryKey });
      dropKeptWords(ABOUT);
      toast(t("brand.published_done", { n: brand.published?.version ?? 1 }));
      onDone();
    },
    onError: () => void client.invalidateQueries({ queryKey: brandQuery.queryKey }),
  });
}
