import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { Icon } from "../../icon.tsx";
import { dropKeptWords } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { HomeActDialog } from "../acts/HomeActDialog.tsx";
import { MoveDialog } from "../acts/MoveDialog.tsx";
import { actOnHomes, type BulkAct, type HomeRow, type HomeVerdict, homesQuery } from "../homeCalls.ts";

interface HomesBulkProps {
  homes: HomeRow[];
  /** Opens the question before pausing from outside, by a key. */
  isPausing: boolean;
  onPaused: () => void;
  onClear: () => void;
}

const ABOUT = "homes bulk";

/** Acts on the chosen homes in one call; each home has a verdict of its own. */
export function HomesBulk({ homes, isPausing, onPaused, onClear }: HomesBulkProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [act, setAct] = useState<BulkAct["act"] | null>(null);
  const [verdicts, setVerdicts] = useState<HomeVerdict[] | null>(null);
  useEffect(() => {
    if (isPausing && !isPast) setAct("pause");
  }, [isPausing, isPast]);
  const close = () => {
    setAct(null);
    onPaused();
  };
  const press = useActing((all) => {
    setVerdicts(all);
    close();
  });
  const ids = homes.map(({ home_id }) => home_id);
  const sum = (count: (home: HomeRow) => number) => homes.reduce((all, home) => all + count(home), 0);
  return (
    <section className="bulk" aria-label={t("homes.bulk")}>
      <b className="grow">{t("homes.chosen", { n: homes.length })}</b>
      <button type="button" className="btn quiet" onClick={onClear}>
        {t("homes.clear")}
      </button>
      <button type="button" className="btn" disabled={isPast} onClick={() => setAct("move")}>
        {t("homes.act_move")}
      </button>
      {(["close", "reopen", "pause"] as const).map((word) => (
        <button
          key={word}
          type="button"
          className={word === "pause" ? "btn pri" : "btn"}
          disabled={isPast}
          onClick={() => setAct(word)}
        >
          {t(`homes.act_${word}`)}
        </button>
      ))}
      {verdicts === null ? null : <Verdicts verdicts={verdicts} />}
      {act === null ? null : act === "move" ? (
        <MoveDialog
          n={homes.length}
          about={ABOUT}
          press={{ ...press, send: (asked) => press.send({ act, homes: ids, ...asked }) }}
          onClose={close}
        />
      ) : (
        <HomeActDialog
          act={act}
          homes={{ name: homes.length === 1 ? (homes[0]?.name ?? null) : null, n: homes.length }}
          stakes={{
            free: sum((one) => one.free),
            held: sum((one) => one.held),
            booked: sum((one) => one.booked),
            waiting: null,
          }}
          about={ABOUT}
          press={{ ...press, send: (asked) => press.send({ act, homes: ids, ...asked }) }}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Sends an act. The same one again, once it was answered, is another act: what it did may have been undone meanwhile. */
function useActing(onDone: (verdicts: HomeVerdict[]) => void) {
  const client = useQueryClient();
  const keyOf = useIntent();
  const [answers, setAnswers] = useState(0);
  return useOnePress<HomeVerdict[], BulkAct>({
    mutationFn: (asked) => actOnHomes(asked, keyOf([answers, asked])),
    onSuccess: (verdicts) => {
      setAnswers(answers + 1);
      dropKeptWords(ABOUT);
      onDone(verdicts);
      void client.invalidateQueries({ queryKey: homesQuery({}).queryKey.slice(0, 1) });
    },
  });
}

/** What became of each home: those that are done as a number, the others by name with why. */
function Verdicts({ verdicts }: { verdicts: HomeVerdict[] }) {
  const { t } = useI18n();
  const others = verdicts.filter(({ verdict }) => verdict !== "done");
  return (
    <div className="full" role="status">
      <p>{t("homes.done_of", { n: verdicts.length - others.length, of: verdicts.length })}</p>
      <ul>
        {others.map(({ home_id, name, verdict, why }) => (
          <li key={home_id}>
            <Icon name={verdict === "refused" ? "alert" : "check"} size="xs" /> <b>{name}</b>:{" "}
            {why ?? t("homes.verdict_unchanged")}
          </li>
        ))}
      </ul>
    </div>
  );
}
