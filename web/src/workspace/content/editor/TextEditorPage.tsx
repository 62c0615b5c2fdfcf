import "../content.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../i18n/languages.ts";
import { toast } from "../../../ui/toast.tsx";
import { plainDay } from "../../clock.ts";
import { Icon } from "../../icon.tsx";
import { useKeptDraft } from "../../keptDraft.ts";
import { languageName } from "../../languageName.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { Bone, Stopped } from "../../TableStates.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { useUnsavedWarning } from "../../useUnsavedWarning.ts";
import { type DraftAsked, type HouseText, saveDraft, type TextPlace, textQuery, textsQuery } from "../contentCalls.ts";
import { isLegal, stateOf, type TextState } from "../textStates.ts";
import { PublishDialog, TakeBackDialog } from "./StepDialogs.tsx";
import { TextForm } from "./TextForm.tsx";
import { TextPreview } from "./TextPreview.tsx";
import { TextVersions } from "./TextVersions.tsx";
import { afterSaving, fillWords, type Typed, type Words } from "./textEdit.ts";

const route = getRouteApi("/workspace/content/$page/$language");

/** Words that were not saved, by their page and language. */
const kept = new Map<string, Typed | null>();

/** A page's text in one language: written on the left, drawn as readers see it on the right, published as versions. */
export function TextEditorPage() {
  const { t, lang } = useI18n();
  const place = route.useParams();
  const asked = useQuery(textQuery(place));
  const text = asked.data;
  const name = text?.shipped.title ?? t("house_texts.title");
  useEffect(() => {
    document.title = `${name} · ${languageName(place.language, lang)} · ${t("workspace.title")}`;
  }, [name, place.language, lang, t]);
  return (
    <main className="main" id="work">
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {text === undefined ? (
        <header className="ct-head">
          <ToList />
          {asked.error === null ? <Bone width={240} /> : null}
        </header>
      ) : (
        <Editor key={`${place.page} ${place.language}`} place={place} text={text} />
      )}
    </main>
  );
}

function ToList() {
  const { t } = useI18n();
  return (
    <Link className="btn quiet sq" to="/workspace/content" search={{}} aria-label={t("house_texts.to_list")}>
      <Icon name="left" />
    </Link>
  );
}

interface EditorProps {
  place: TextPlace;
  text: HouseText;
}

/** Typed words stay while staff go elsewhere, and are published only once they are kept as a draft. */
function Editor({ place, text }: EditorProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useKeptDraft<Typed | null>(kept, `${place.page} ${place.language}`, () => null);
  const [dialog, setDialog] = useState<"publish" | "take_back" | null>(null);
  const isPast = usePastMoment() !== null;
  const isUnsaved = typed !== null;
  useUnsavedWarning(isUnsaved);
  const press = useSaving(place, (saved, sent) => setTyped(afterSaving(typed, sent, saved)));
  const canPublish = text.draft !== null && !isUnsaved && !isPast;
  const close = () => setDialog(null);
  return (
    <>
      <Head text={text}>
        <button
          type="button"
          className="btn pri"
          disabled={!canPublish}
          title={isUnsaved ? t("house_texts.save_first") : undefined}
          onClick={() => setDialog("publish")}
        >
          {t("house_texts.publish_open")}
        </button>
      </Head>
      <Languages place={place} />
      <div className="ct-desk">
        <div className="ct-write">
          <Notes text={text} />
          <TextForm text={text} typed={typed} press={press} isPast={isPast} onType={setTyped} />
          <TextVersions
            text={text}
            canReuse={!isUnsaved && !isPast}
            canTakeBack={!isPast}
            onReuse={(words) => setTyped({ words: fillWords(words), revision: text.revision })}
            onTakeBack={() => setDialog("take_back")}
          />
        </div>
        <TextPreview text={text} isUnsaved={isUnsaved} />
      </div>
      {dialog === "publish" ? <PublishDialog place={place} text={text} onClose={close} /> : null}
      {dialog === "take_back" ? <TakeBackDialog place={place} text={text} onClose={close} /> : null}
    </>
  );
}

/** Keeps a draft; after a refusal the text is read anew, and typed words stay. */
function useSaving(place: TextPlace, onSaved: (saved: HouseText, sent: Words) => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const { queryKey } = textQuery(place);
  return useOnePress<HouseText, DraftAsked>({
    mutationFn: (body) => saveDraft(place, body, keyOf(body)),
    onSuccess: (saved, { text }) => {
      client.setQueryData(queryKey, saved);
      void client.invalidateQueries({ queryKey: textsQuery.queryKey });
      toast(t("house_texts.saved"));
      onSaved(saved, fillWords(text));
    },
    onError: () => void client.invalidateQueries({ queryKey }),
  });
}

function Head({ text, children }: { text: HouseText; children: ReactNode }) {
  const { t, lang } = useI18n();
  const { page, language, draft, versions, is_shown, shipped } = text;
  const shown = is_shown ? versions[0] : undefined;
  const isMissing = useStates(page).find((one) => one.language === language)?.state === "missing";
  return (
    <header className="ct-head">
      <ToList />
      <div className="grow">
        <h1>
          {shipped.title}
          {draft === null ? null : (
            <span className="chip info">
              <Icon name="pen" />
              {t("house_texts.draft")}
            </span>
          )}
          {isLegal(page) ? <span className="chip">{t("house_texts.duty")}</span> : null}
        </h1>
        <p className="sub">
          <span className="mono">{`/${page}`}</span>
          {" · "}
          {shown !== undefined
            ? t("house_texts.shows_version", { n: shown.number, day: plainDay(shown.at, lang) })
            : isMissing
              ? t("house_texts.shows_first", { language: languageName(FALLBACK, lang) })
              : t("house_texts.shows_default")}
        </p>
      </div>
      <div className="right">
        <a className="btn" href={`/${page}?lang=${language}`} target="_blank" rel="noreferrer">
          {t("house_texts.open_page")}
        </a>
        {children}
      </div>
    </header>
  );
}

/** What readers get of a page in each language. */
function useStates(page: string): { language: string; state: TextState; hasDraft: boolean; version: number | null }[] {
  const { data = [] } = useQuery(textsQuery);
  const lines = data.filter((line) => line.page === page);
  const first = lines.find(({ language }) => language === FALLBACK);
  return lines.map((line) => ({
    language: line.language,
    state: stateOf(line, first),
    hasDraft: line.has_draft,
    version: line.version,
  }));
}

/** The same page in other languages, each with its state. */
function Languages({ place: { page, language: chosen } }: { place: TextPlace }) {
  const { t, lang } = useI18n();
  return (
    <nav className="tabs" aria-label={t("house_texts.languages")}>
      {useStates(page).map(({ language, state, hasDraft, version }) => (
        <Link
          key={language}
          to="/workspace/content/$page/$language"
          params={{ page, language }}
          aria-current={language === chosen ? "page" : undefined}
        >
          {languageName(language, lang)}{" "}
          <span>
            {hasDraft
              ? t("house_texts.draft")
              : state === "published" && version !== null
                ? t("house_texts.version_short", { n: version })
                : t(`house_texts.${state}`)}
          </span>
        </Link>
      ))}
    </nav>
  );
}

/** Duties and changes that an editor has to know before writing. */
function Notes({ text: { page, draft, versions, is_shown } }: { text: HouseText }) {
  const { t } = useI18n();
  const isOlder = draft?.is_older ?? (is_shown && versions[0]?.is_older === true);
  return (
    <>
      {isLegal(page) ? (
        <p className="note">
          <Icon name="shield" />
          <span>{t("house_texts.duty_text")}</span>
        </p>
      ) : null}
      {isOlder ? (
        <p className="note warn">
          <Icon name="alert" />
          <span>{t("house_texts.default_changed_text")}</span>
        </p>
      ) : null}
    </>
  );
}
