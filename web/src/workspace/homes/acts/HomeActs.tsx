import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Icon, type IconName } from "../../icon.tsx";
import { dropKeptWords } from "../../keptDraft.ts";
import { useKeys } from "../../keys.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import {
  actOnHome,
  actOnHomes,
  type BulkAct,
  type HomeActWord,
  type HomeVerdict,
  homeKeys,
  homeQuery,
  type StaffHome,
} from "../homeCalls.ts";
import { type Asked, HomeActDialog } from "./HomeActDialog.tsx";
import { MoveDialog } from "./MoveDialog.tsx";

const ACTS: readonly (readonly [HomeActWord, IconName])[] = [
  ["activate", "check"],
  ["submit", "eye"],
  ["ask_changes", "mail"],
  ["reopen", "play"],
  ["pause", "pause"],
  ["close", "x"],
];

/** Acts that the state of a home allows, each asked for its reason; P pauses or lets again. */
export function HomeActs({ home }: { home: StaffHome }) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [act, setAct] = useState<HomeActWord | null>(null);
  const [isMoving, setMoving] = useState(false);
  const allowed = ACTS.filter(([word]) => home.can.includes(word));
  const toggle = home.can.includes("pause") ? "pause" : home.can.includes("reopen") ? "reopen" : null;
  useKeys({ p: () => isPast || setAct(toggle) });
  return (
    <>
      {allowed.map(([word, icon], at) => (
        <button
          key={word}
          type="button"
          className={at === 0 && (word === "activate" || word === "reopen") ? "btn pri" : "btn"}
          disabled={isPast}
          title={isPast ? t("support.read_only") : undefined}
          onClick={() => setAct(word)}
        >
          <Icon name={icon} size="s" />
          {t(`homes.act_${word}`)}
        </button>
      ))}
      <button type="button" className="btn" disabled={isPast} onClick={() => setMoving(true)}>
        {t("homes.act_move")}
      </button>
      {isMoving ? <Move home={home} onClose={() => setMoving(false)} /> : null}
      {act === null ? null : <Act key={act} home={home} act={act} onClose={() => setAct(null)} />}
    </>
  );
}

/** Moves one home as several are moved: its verdict is said where it is refused. */
function Move({ home, onClose }: { home: StaffHome; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const about = `home ${home.home_id} move`;
  const press = useOnePress<HomeVerdict[], Pick<BulkAct, "place" | "reason">>({
    mutationFn: (asked) => actOnHomes({ act: "move", homes: [home.home_id], ...asked }, keyOf(asked)),
    onSuccess: ([verdict]) => {
      for (const queryKey of homeKeys(home.home_id)) void client.invalidateQueries({ queryKey });
      if (verdict?.verdict === "refused") {
        toast(verdict.why ?? t("homes.verdict_unchanged"), "error");
        return;
      }
      dropKeptWords(about);
      toast(t("homes.saved"));
      onClose();
    },
  });
  return <MoveDialog n={1} about={about} press={press} onClose={onClose} />;
}

function Act({ home, act, onClose }: { home: StaffHome; act: HomeActWord; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const about = `home ${home.home_id} ${act}`;
  const press = useOnePress<StaffHome, Asked>({
    mutationFn: (asked) => actOnHome(home.home_id, { act, ...asked }, keyOf(asked)),
    onSuccess: (changed) => {
      client.setQueryData(homeQuery(home.home_id).queryKey, changed);
      for (const queryKey of homeKeys(home.home_id)) void client.invalidateQueries({ queryKey });
      dropKeptWords(about);
      toast(t(`homes.did_${act}`, { name: home.name }));
      onClose();
    },
    onError: () => void client.invalidateQueries({ queryKey: homeQuery(home.home_id).queryKey }),
  });
  return (
    <HomeActDialog
      act={act}
      homes={{ name: home.name, n: 1 }}
      stakes={home.stakes}
      about={about}
      press={press}
      onClose={onClose}
    />
  );
}
