import { type ReactNode, useState } from "react";
import type { WorkspaceMe } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { useChrome } from "../pageContext.ts";
import { initials } from "../ui/initials.tsx";
import { financePath, go, grantsPath, leadsPath, type Place, readModelsPath } from "./address.ts";
import { type Ground, rememberedGround, rememberGround } from "./ground.ts";
import { Icon, type IconName, Mark } from "./icon.tsx";
import { KeyHelp } from "./KeyHelp.tsx";
import { useKeys } from "./keys.ts";
import { LogEnd } from "./LogEnd.tsx";
import { GroundContext } from "./session.ts";
import { WorkLink } from "./WorkLink.tsx";

/** The part of the workspace a place belongs to. */
type Part = "leads" | "finance" | "read_models" | "grants";

function partOf(place: Place): Part | null {
  switch (place.page) {
    case "leads":
    case "replay":
      return "leads";
    case "finance":
      return "finance";
    case "read_models":
      return "read_models";
    case "grants":
      return "grants";
    case "start":
    case "unknown":
      return null;
  }
}

interface ShellProps {
  me: WorkspaceMe;
  place: Place;
  onFind: () => void;
  children: ReactNode;
}

/** Side bar, ground and the page beside it. On the replay the bar folds to icons to give the panes their room. */
export function Shell({ me, place, onFind, children }: ShellProps) {
  const [ground, setGround] = useState<Ground>(rememberedGround);
  const turn = () => {
    const next = ground === "light" ? "dark" : "light";
    rememberGround(next);
    setGround(next);
  };
  const [helps, setHelps] = useState(false);
  useKeys({ "?": () => setHelps(true) });
  return (
    <GroundContext value={{ ground, turn }}>
      <div className="ws" data-theme={ground}>
        <SkipLink />
        <div className={place.page === "replay" ? "app w-rail" : "app"}>
          <SideBar me={me} part={partOf(place)} onFind={onFind} ground={ground} onTurn={turn} />
          {children}
        </div>
        {helps ? <KeyHelp onClose={() => setHelps(false)} /> : null}
      </div>
    </GroundContext>
  );
}

function SkipLink() {
  const { t } = useI18n();
  return (
    <a className="skip" href="#work">
      {t("workspace.skip")}
    </a>
  );
}

interface SideBarProps {
  me: WorkspaceMe;
  part: Part | null;
  onFind: () => void;
  ground: Ground;
  onTurn: () => void;
}

function SideBar({ me, part, onFind, ground, onTurn }: SideBarProps) {
  const { t } = useI18n();
  const { brand_name } = useChrome();
  return (
    <aside className="side" aria-label={t("workspace.title")}>
      <WorkLink className="brand" href="/workspace">
        <Mark />
        <span>{brand_name}</span>
        <small>{t("workspace.title")}</small>
      </WorkLink>
      <button type="button" className="jump" aria-keyshortcuts="Control+K Meta+K" onClick={onFind}>
        <Icon name="search" size="s" />
        <span>{t("workspace.find_or_do")}</span>
        <kbd>{isApple() ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <nav className="nav" aria-label={t("workspace.main_nav")}>
        {me.can.leads ? (
          <Entry href={leadsPath()} icon="queue" name={t("workspace.leads")} current={part === "leads"} />
        ) : null}
        {me.can.finance ? (
          <Entry href={financePath()} icon="ledger" name={t("workspace.finance")} current={part === "finance"} />
        ) : null}
        <Entry
          href={readModelsPath()}
          icon="replay"
          name={t("workspace.read_models")}
          current={part === "read_models"}
        />
        {me.can.grants ? (
          <Entry href={grantsPath()} icon="people" name={t("workspace.grants")} current={part === "grants"} />
        ) : null}
        <button type="button" className="only-phone" onClick={onFind}>
          <Icon name="search" />
          <span className="t">{t("workspace.find")}</span>
        </button>
      </nav>
      <Footer me={me} ground={ground} onTurn={onTurn} />
    </aside>
  );
}

function Footer({ me, ground, onTurn }: Pick<SideBarProps, "me" | "ground" | "onTurn">) {
  const { t } = useI18n();
  const roles = me.roles.map((role) => t(`workspace.role_${role}`)).join(", ");
  const turnLabel = t(ground === "light" ? "workspace.ground_dark" : "workspace.ground_light");
  return (
    <footer>
      <LogEnd position={me.log_position} />
      <div className="me">
        <span className="av teal" aria-hidden="true">
          {initials(me.name)}
        </span>
        <span className="t grow">
          <span className="b">{me.name}</span>
          <br />
          <span className="sub">{roles}</span>
        </span>
        <button type="button" className="btn quiet sq sm t" aria-label={turnLabel} title={turnLabel} onClick={onTurn}>
          <Icon name={ground === "light" ? "moon" : "sun"} size="s" />
        </button>
      </div>
    </footer>
  );
}

function Entry({ href, icon, name, current }: { href: string; icon: IconName; name: string; current: boolean }) {
  return (
    <WorkLink href={href} title={name} aria-current={current ? "page" : undefined}>
      <Icon name={icon} />
      <span className="t">{name}</span>
    </WorkLink>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Where a person lands who typed only `/workspace`. */
export function landOn(me: WorkspaceMe): void {
  go(me.can.leads ? leadsPath() : financePath());
}
