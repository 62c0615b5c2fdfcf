import type { ReactNode } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { useChrome } from "../../../pageContext.ts";
import { TextBlocks } from "../../../ui/textBlocks.tsx";
import { Scrolling } from "../../Scrolling.tsx";
import type { HouseText } from "../contentCalls.ts";

interface TextPreviewProps {
  text: HouseText;
  isUnsaved: boolean;
}

/** The kept draft as the server draws it. */
export function TextPreview({ text: { draft, language }, isUnsaved }: TextPreviewProps) {
  const { t } = useI18n();
  const { brand_name } = useChrome();
  const fill = (said: string) => said.replaceAll("{brand}", brand_name);
  return (
    <Scrolling as="section" className="ct-seen" aria-label={t("house_texts.preview")}>
      <h2>{t("house_texts.preview")}</h2>
      <p className="sub" role="status">
        {t(
          draft === null
            ? "house_texts.preview_none"
            : isUnsaved
              ? "house_texts.preview_old"
              : "house_texts.preview_text",
        )}
      </p>
      {draft === null ? null : (
        <article className="ct-page" lang={language}>
          <h2 className="ct-page-title">{fill(draft.text.title)}</h2>
          {draft.text.lead ? <p className="ct-lead">{fill(draft.text.lead)}</p> : null}
          <TextBlocks blocks={draft.blocks.map((block) => ({ ...block, id: null }))} link={NewTabLink} />
        </article>
      )}
    </Scrolling>
  );
}

/** Leads out of the preview without leaving the editor. */
function NewTabLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
