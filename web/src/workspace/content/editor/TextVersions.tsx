import { useId } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { plainDay } from "../../clock.ts";
import { Icon } from "../../icon.tsx";
import { Scrolling } from "../../Scrolling.tsx";
import type { HouseText, HouseTextVersion } from "../contentCalls.ts";
import { fillWords, type Words } from "./textEdit.ts";

interface TextVersionsProps {
  text: HouseText;
  canReuse: boolean;
  canTakeBack: boolean;
  onReuse: (words: Words) => void;
  onTakeBack: () => void;
}

/** Published versions, the newest first, and the text that ships: any of them can be written on from. */
export function TextVersions({ text, canReuse, canTakeBack, onReuse, onTakeBack }: TextVersionsProps) {
  const { t } = useI18n();
  const heading = useId();
  const { versions, is_shown, shipped } = text;
  return (
    <section aria-labelledby={heading} className="ct-versions">
      <h2 id={heading}>{t("house_texts.versions")}</h2>
      <ul>
        {versions.map((version, at) => (
          <Version
            key={version.number}
            version={version}
            isShown={is_shown && at === 0}
            language={text.language}
            canReuse={canReuse}
            onReuse={onReuse}
          />
        ))}
        <li>
          <div className="row wrapx">
            <b className="grow">{t("house_texts.default_text")}</b>
            {is_shown ? null : <Shown />}
            <Reuse
              name={t("house_texts.default_text")}
              canReuse={canReuse}
              onReuse={() => onReuse(fillWords(shipped))}
            />
            {is_shown ? (
              <button type="button" className="btn sm" disabled={!canTakeBack} onClick={onTakeBack}>
                {t("house_texts.take_back_open")}
              </button>
            ) : null}
          </div>
          <Source language={text.language} body={shipped.body} name={t("house_texts.default_text")} />
        </li>
      </ul>
    </section>
  );
}

interface VersionProps {
  version: HouseTextVersion;
  language: string;
  isShown: boolean;
  canReuse: boolean;
  onReuse: (words: Words) => void;
}

function Version({ version, language, isShown, canReuse, onReuse }: VersionProps) {
  const { t, lang } = useI18n();
  const { number, text, by, at } = version;
  const name = t("house_texts.version", { n: number });
  return (
    <li>
      <div className="row wrapx">
        <div className="grow">
          <b>{name}</b>
          <div className="sub">{t("house_texts.published_by", { day: plainDay(at, lang), name: by })}</div>
        </div>
        {isShown ? <Shown /> : null}
        <Reuse name={name} canReuse={canReuse} onReuse={() => onReuse(fillWords(text))} />
      </div>
      <Source language={language} body={text.body} name={name} />
    </li>
  );
}

function Shown() {
  const { t } = useI18n();
  return (
    <span className="chip ok">
      <Icon name="check" />
      {t("house_texts.shown")}
    </span>
  );
}

interface ReuseProps {
  name: string;
  canReuse: boolean;
  onReuse: () => void;
}

function Reuse({ name, canReuse, onReuse }: ReuseProps) {
  const { t } = useI18n();
  return (
    <button type="button" className="btn sm" disabled={!canReuse} onClick={onReuse}>
      {t("house_texts.reuse")}
      <span className="vh"> {name}</span>
    </button>
  );
}

/** Markdown of a version, to compare with. */
function Source({ body, name, language }: { body: string; name: string; language: string }) {
  const { t } = useI18n();
  return (
    <details>
      <summary>
        {t("house_texts.read")}
        <span className="vh"> {name}</span>
      </summary>
      <Scrolling as="pre" className="mono ct-source" lang={language}>
        {body}
      </Scrolling>
    </details>
  );
}
