import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import type { LeadDesk, LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { withTexts } from "../withTexts.ts";
import { ActForm } from "./ActForm.tsx";
import { AtDesk } from "./AtDesk.tsx";
import { deskQuery } from "./actCalls.ts";
import { ACTS, type MenuAct, MIRROR_KEY } from "./actList.ts";

const WriteDialog = lazyPart(async () => (await withTexts(import("./WriteDialog.tsx"), "desk")).WriteDialog);
const LinksDialog = lazyPart(async () => (await import("../LinksDialog.tsx")).LinksDialog);

interface ActsDialogProps {
  lead: LeadRow;
  /** The act to begin with; the menu where there is none. */
  first: MenuAct | null;
  onClose: () => void;
}

/** Everything that can be done to a lead, under keys, and the form of the chosen act. */
export function ActsDialog({ lead, first, onClose }: ActsDialogProps) {
  const [act, setAct] = useState(first);
  if (act === "write") {
    return (
      <Suspense>
        <WriteDialog lead={lead} onClose={onClose} />
      </Suspense>
    );
  }
  if (act === "payment_link") {
    return (
      <Suspense>
        <LinksDialog lead={lead} onClose={onClose} />
      </Suspense>
    );
  }
  return <Acts lead={lead} act={act} onAct={setAct} onClose={onClose} />;
}

interface ActsProps {
  lead: LeadRow;
  act: MenuAct | null;
  onAct: (act: MenuAct | null) => void;
  onClose: () => void;
}

function Acts({ lead, act, onAct, onClose }: ActsProps) {
  const { t } = useI18n();
  const heading = useId();
  const { data, error } = useQuery(deskQuery(lead.lead_id));
  const title = act === null ? t("acts.title", { reference: lead.reference }) : t(`acts.${act}`);
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg">
        <header>
          <h2 id={heading}>{title}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body pad-b">
          <FailureNote error={error} />
          {data === undefined && error === null ? <p className="sub">{t("acts.loading")}</p> : null}
          {data === undefined ? null : act === null ? (
            <Menu leadId={lead.lead_id} desk={data} onAct={onAct} />
          ) : (
            <ActForm key={act} lead={lead} desk={data} act={act} onBack={() => onAct(null)} onDone={onClose} />
          )}
        </div>
      </div>
    </Overlay>
  );
}

interface MenuProps {
  leadId: string;
  desk: LeadDesk;
  onAct: (act: MenuAct) => void;
}

function Menu({ leadId, desk, onAct }: MenuProps) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const can: readonly string[] = [...desk.can, "write", "payment_link"];
  const shown = ACTS.filter(([act]) => can.includes(act) && (act !== "set_team" || desk.teams.length > 0));
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  // The list comes after the dialog, which has the keyboard by then: its letters count wherever in it the focus is.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.toLowerCase() === MIRROR_KEY) {
        event.preventDefault();
        return void navigate({ to: "/workspace/mirror", search: { lead: leadId } });
      }
      const found = latest.current.find(([, key]) => key === event.key.toLowerCase());
      if (found === undefined) return;
      event.preventDefault();
      onAct(found[0]);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [leadId, navigate, onAct]);
  return (
    <>
      <AtDesk desk={desk} />
      <ul className="act-menu" aria-label={t("acts.menu")}>
        {shown.map(([act, key], at) => (
          <li key={act}>
            <button
              type="button"
              className="btn quiet"
              data-first={at === 0 ? true : undefined}
              onClick={() => onAct(act)}
            >
              <span>{t(`acts.${act}`)}</span> <kbd>{key.toUpperCase()}</kbd>
            </button>
          </li>
        ))}
        <li>
          <Link className="btn quiet" to="/workspace/mirror" search={{ lead: leadId }}>
            <span>{t("acts.mirror")}</span> <kbd>{MIRROR_KEY.toUpperCase()}</kbd>
          </Link>
        </li>
      </ul>
    </>
  );
}
