import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { HomeEdit, HomeFact, HomeValues } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK, pageLanguages } from "../../../i18n/languages.ts";
import { doubtText } from "../../../ui/numberDoubt.ts";
import { toast } from "../../../ui/toast.tsx";
import { faultsOf } from "../../failure.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { dropKeptWords, useKeptDraft } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { Bone, Stopped } from "../../TableStates.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { useUnsavedWarning } from "../../useUnsavedWarning.ts";
import { changeHome, homeKeys, type StaffHome, valuesQuery } from "../homeCalls.ts";
import { TriedEdit } from "../tried/TriedEdit.tsx";
import { FactRow } from "./FactRow.tsx";
import { nameElement, readFactName } from "./factNames.ts";
import {
  buildEdit,
  countChanges,
  type Draft,
  dropSettled,
  findDoubt,
  isOvertaken,
  NO_DRAFT,
  nameRefused,
} from "./homeEdit.ts";
import { LanguageChoice } from "./LanguageChoice.tsx";
import { StudentView } from "./StudentView.tsx";
import { addLanguages, listMissing, nameText } from "./textLanguages.ts";

const LANGUAGES = pageLanguages().map(([tag]) => tag);

/** Edits that were not saved, by their home: they are there again when it is opened again. */
const kept = new Map<string, Draft>();

interface HomeFactsProps {
  home: StaffHome;
  /** Facts of the home itself, or of its rooms. */
  part: "facts" | "rooms";
  /** Drawn below the facts. */
  children?: ReactNode;
}

/** Facts of a home with where each comes from, edited beside what a student sees; nothing is sent before it is saved with a reason. */
export function HomeFacts({ home, part, children }: HomeFactsProps) {
  const asked = useQuery(valuesQuery(home.home_id));
  const [draft, setDraft] = useKeptDraft(kept, home.home_id, () => NO_DRAFT);
  useUnsavedWarning(countChanges(draft) > 0);
  if (asked.data === undefined) {
    return (
      <div className="scroll pad">
        {asked.error === null ? (
          <Bone width={320} />
        ) : (
          <Stopped error={asked.error} fetchedAt={0} onRetry={() => void asked.refetch()} />
        )}
      </div>
    );
  }
  return (
    <Editor
      home={home}
      values={asked.data}
      part={part}
      draft={dropSettled(draft, asked.data.values)}
      onChange={setDraft}
    >
      {children}
    </Editor>
  );
}

interface EditorProps extends HomeFactsProps {
  values: HomeValues;
  draft: Draft;
  onChange: (draft: Draft) => void;
}

function Editor({ home, values: read, part, draft, onChange, children }: EditorProps) {
  const { t } = useI18n();
  const [added, setAdded] = useState<readonly string[]>([]);
  const values = { ...read, values: addLanguages(read.values, draft, added) };
  const [isAsking, setAsking] = useState(false);
  const [wasTried, setWasTried] = useState(false);
  const save = useSave(home.home_id, () => {
    setAsking(false);
    setWasTried(false);
    onChange(NO_DRAFT);
  });
  const counted = readCurrency(values.currency);
  const doubts = useDoubts(draft, counted);
  const overtaken = values.values.filter((fact) => isOvertaken(draft, fact));
  // The choice between both values stands on the page: a second press in the dialog would send over it.
  if (isAsking && (overtaken.length > 0 || countChanges(draft) === 0)) setAsking(false);
  const faults = new Map([...save.refused, ...(wasTried ? doubts : [])]);
  // A doubt or a change of others is settled before a reason is asked for: the first such field takes the keyboard.
  const begin = () => {
    setWasTried(true);
    const first = overtaken[0]?.fact ?? [...doubts.keys()][0];
    if (first === undefined) setAsking(true);
    else document.querySelector<HTMLElement>(`[id^="${nameElement("fact", first)}"]`)?.focus();
  };
  return (
    <>
      <div className="beside">
        <section className="scroll pad stackv" aria-label={t(`homes.part_${part}`)} data-list-scroll>
          {groupFacts(nameRegions(values.values, home), part).map(([group, facts]) => (
            <Group key={group} home={home} group={group}>
              {facts.map((fact) => (
                <FactRow
                  key={fact.fact}
                  {...{ fact, values, draft, counted, onChange }}
                  fault={faults.get(fact.fact)}
                />
              ))}
            </Group>
          ))}
          {part === "facts" ? <Languages facts={values.values} onAdd={(fact) => setAdded([...added, fact])} /> : null}
          {part === "rooms" ? <TriedEdit values={values} draft={draft} /> : null}
          {children}
        </section>
        <StudentView home={home} values={values} draft={draft} />
      </div>
      <SaveBar
        values={values}
        draft={draft}
        overtaken={overtaken.length}
        onSave={begin}
        onDiscard={() => onChange(NO_DRAFT)}
      />
      {isAsking ? <SaveDialog {...{ home, values, draft, save }} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

/** Adds a language to the name or the description of a home. */
function Languages({ facts, onAdd }: { facts: readonly HomeFact[]; onAdd: (fact: string) => void }) {
  const { t } = useI18n();
  // The name itself is read where a language has no other.
  const forNames = LANGUAGES.filter((tag) => tag !== FALLBACK);
  return (
    <div className="row wrapx">
      <LanguageChoice
        tags={listMissing(facts, "name", forNames)}
        label={t("homes.fact_name")}
        onAdd={(tag) => onAdd(nameText("name", tag))}
      />
      <LanguageChoice
        tags={listMissing(facts, "description", LANGUAGES)}
        label={t("homes.text_description")}
        onAdd={(tag) => onAdd(nameText("description", tag))}
      />
    </div>
  );
}

interface SaveDialogProps extends Pick<EditorProps, "home" | "values" | "draft"> {
  save: ReturnType<typeof useSave>;
  onClose: () => void;
}

/** Asks for the reason of an edit, beside what its prices and numbers of rooms would do. */
function SaveDialog({ home, values, draft, save, onClose }: SaveDialogProps) {
  const { t } = useI18n();
  return (
    <ReasonDialog
      about={`home ${home.home_id}`}
      title={t("homes.save_title", { n: countChanges(draft) })}
      text={values.feed === null ? t("homes.save_text") : t("homes.save_text_feed", { feed: values.feed })}
      label={t("homes.why")}
      act={t("homes.save")}
      sending={{ ...save, send: (reason) => save.send(buildEdit(values, draft, reason)) }}
      onClose={onClose}
    >
      <TriedEdit values={values} draft={draft} />
    </ReasonDialog>
  );
}

/** Numbers that cannot be read, by their facts, each as a sentence. */
function useDoubts(draft: Draft, counted: ReturnType<typeof readCurrency>): Map<string, string> {
  const { t } = useI18n();
  return new Map(
    Object.entries(draft.typed).flatMap(([fact, { text }]) => {
      const found = findDoubt(fact, text, counted);
      return found === null
        ? []
        : [[fact, doubtText(t, t("homes.number"), found.typed, found.doubt, counted)] as const];
    }),
  );
}

/** Sends an edit; after a refusal the values are read anew, and what was typed stays. */
function useSave(homeId: string, onDone: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const press = useOnePress<HomeValues, HomeEdit>({
    mutationFn: (edit) => changeHome(homeId, edit, keyOf(edit)),
    onSuccess: (values) => {
      client.setQueryData(valuesQuery(homeId).queryKey, values);
      setRefused(new Map());
      dropKeptWords(`home ${homeId}`);
      toast(t("homes.saved"));
      onDone();
      for (const queryKey of homeKeys(homeId)) void client.invalidateQueries({ queryKey });
    },
    onError: (error, edit) => {
      setRefused(new Map([...faultsOf(error)].map(([field, said]) => [nameRefused(edit, field), said])));
      void client.invalidateQueries({ queryKey: valuesQuery(homeId).queryKey });
    },
  });
  return { ...press, refused };
}

type GroupName = "told" | "where" | "texts" | `room ${string}`;

/** The place by its names in place of the ids that it is kept by. */
function nameRegions(facts: readonly HomeFact[], { city, area }: StaffHome): HomeFact[] {
  const named = Object.entries({ city: city?.name, area: area?.name }).filter(([, name]) => name !== undefined);
  const value: Record<string, string> = Object.fromEntries(named.map(([part, name]) => [part, name ?? ""]));
  return facts.map((fact) => (fact.fact === "place" ? { ...fact, value } : fact));
}

/** Facts of a part in their groups: texts by language last, one group a room. */
function groupFacts(facts: readonly HomeFact[], part: "facts" | "rooms"): [GroupName, HomeFact[]][] {
  const groups = new Map<GroupName, HomeFact[]>(part === "facts" ? [["told", []]] : []);
  for (const fact of facts) {
    if ((fact.room_id === null) !== (part === "facts")) continue;
    const group = nameGroup(fact);
    groups.set(group, [...(groups.get(group) ?? []), fact]);
  }
  return [...groups];
}

function nameGroup({ fact, room_id }: HomeFact): GroupName {
  if (room_id !== null) return `room ${room_id}`;
  const { kind } = readFactName(fact);
  if (kind === "description") return "texts";
  return kind === "address" || fact === "place" || fact === "coordinates" ? "where" : "told";
}

function Group({ home, group, children }: { home: StaffHome; group: GroupName; children: ReactNode }) {
  const { t, lang } = useI18n();
  const room = home.rooms.find(({ room_id }) => group === `room ${room_id}`);
  const title =
    group === "told" || group === "where" || group === "texts"
      ? t(`homes.group_${group}`)
      : (room?.name[lang] ?? Object.values(room?.name ?? {})[0] ?? t("homes.room"));
  return (
    <section>
      <h2 className="sec-h">{title}</h2>
      <div className="facts2">{children}</div>
    </section>
  );
}

interface SaveBarProps {
  values: HomeValues;
  draft: Draft;
  /** Facts that others changed after they were typed over. */
  overtaken: number;
  onSave: () => void;
  onDiscard: () => void;
}

/** What is not saved yet, and the ways to save it or to let it go; nothing while nothing was typed. */
function SaveBar({ values, draft, overtaken, onSave, onDiscard }: SaveBarProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const changes = countChanges(draft);
  if (changes === 0) return null;
  return (
    <section className="actbar" aria-label={t("homes.unsaved")}>
      <p className="grow">
        <b>{t("homes.changes", { n: changes })}</b>
        <span className="sub blk">
          {overtaken > 0
            ? t("homes.overtaken", { n: overtaken })
            : values.feed === null
              ? t("homes.kept_here")
              : t("homes.kept_until_feed", { feed: values.feed })}
        </span>
      </p>
      <button type="button" className="btn quiet" onClick={onDiscard}>
        {t("homes.discard")}
      </button>
      <button type="button" className="btn pri" disabled={isPast} onClick={onSave}>
        {t("homes.save_with_reason")}
      </button>
    </section>
  );
}
