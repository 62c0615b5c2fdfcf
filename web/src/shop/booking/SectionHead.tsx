import { useEffect, useState } from "react";
import type { SnapshotFrom } from "xstate";
import type { SectionKey } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Section } from "./bookingContext.ts";
import type { bookingMachine } from "./bookingMachine.ts";
import { minutesOf } from "./fields.ts";

/** "Saved just now", "Saving" or "Kept on this device": the state of what was typed, beside the title. */
export function SavedState({ snapshot }: { snapshot: SnapshotFrom<typeof bookingMachine> }) {
  const { t } = useI18n();
  const [touched, setTouched] = useState(false);
  // Where the reader is goes along unseen: what is told is about what was typed.
  const isTyped = Object.keys(snapshot.context.unsaved).length > 0 || snapshot.hasTag("busy");
  const moving = isTyped && (snapshot.hasTag("saving") || snapshot.hasTag("kept"));
  useEffect(() => {
    if (moving) setTouched(true);
  }, [moving]);
  if (moving && snapshot.hasTag("kept")) {
    return (
      <span className="saved saved-kept" role="status" title={t("booking.kept_note")}>
        <Icon name="info" size={20} />
        {t("booking.kept")}
      </span>
    );
  }
  if (moving) {
    return (
      <span className="saved saved-moving" role="status">
        <span className="spin spin-small" aria-hidden="true" />
        {t("booking.saving")}
      </span>
    );
  }
  return (
    <span className="saved" role="status">
      <Icon name="cloud-ok" size={20} />
      {t(touched ? "booking.saved" : "booking.all_saved")}
    </span>
  );
}

interface SubstepsProps {
  sections: readonly Section[];
  at: number;
  done: readonly SectionKey[];
  onGo: (index: number) => void;
}

/** The sections, each done or not. Their numbers (D92) are the wire's alone: the frame numbers the steps of the page. */
export function Substeps({ sections, at, done, onGo }: SubstepsProps) {
  const { t } = useI18n();
  return (
    <ol className="substeps" aria-label={t("booking.sections")}>
      {sections.map((section, index) => (
        <li
          key={section.key}
          className={`substep${index === at ? " now" : ""}`}
          aria-current={index === at ? "step" : undefined}
        >
          <SubstepWords
            section={section}
            done={done.includes(section.key)}
            onGo={index !== at && (done.includes(section.key) || index < at) ? () => onGo(index) : null}
          />
        </li>
      ))}
    </ol>
  );
}

interface SubstepWordsProps {
  section: Section;
  done: boolean;
  onGo: (() => void) | null;
}

function SubstepWords({ section, done, onGo }: SubstepWordsProps) {
  const { t } = useI18n();
  const name = t(`booking.section_${section.key}`);
  return (
    <>
      {done ? <Icon name="check" size={16} /> : null}
      <span>
        {onGo ? (
          <button type="button" className="m substep-go" onClick={onGo}>
            {name}
          </button>
        ) : (
          <span className="m substep-go">{name}</span>
        )}
        <span className="t-12">
          {done ? t("booking.section_done") : t("booking.minutes", { n: minutesOf(section) })}
        </span>
      </span>
    </>
  );
}
