import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useMatch, useMatchRoute, useRouterState } from "@tanstack/react-router";
import {
  type ComponentType,
  type Dispatch,
  Fragment,
  type ReactNode,
  type SetStateAction,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import type { WorkspaceMe } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { useChrome } from "../pageContext.ts";
import { initials } from "../ui/initials.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { type Ground, rememberedGround, rememberGround } from "./ground.ts";
import { Icon, Mark } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import { LogEnd } from "./LogEnd.tsx";
import { fetchDialogs } from "./Overlay.tsx";
import { listPlaces, type NamedPage } from "./pages.ts";
import { forgetWith, momentIn, showMoment, usePastMoment } from "./pastMoment.ts";
import type { waitingQuery } from "./queries.ts";
import { FrameContext, GroundContext } from "./session.ts";
import { useGoToMoment } from "./useGoToMoment.ts";
import { withTexts } from "./withTexts.ts";

const KeyHelp = lazyPart(
  async () => (await withTexts(import("./KeyHelp.tsx"), "acts", "homes", "imports", "what_if")).KeyHelp,
);
const PastBar = lazyPart(async () => (await withTexts(import("./PastBar.tsx"), "past")).PastBar);

/** What lies over every page, when asked for. */
type Over = "palette" | "keys" | null;

interface ShellProps {
  me: WorkspaceMe;
  children: ReactNode;
}

/** Side bar, ground and the page beside it. On the replay the bar folds to icons to give the panes their room. */
export function Shell({ me, children }: ShellProps) {
  const [ground, setGround] = useState<Ground>(rememberedGround);
  const turn = () => {
    const next = ground === "light" ? "dark" : "light";
    rememberGround(next);
    setGround(next);
  };
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [over, setOver] = useState<Over>(null);
  const isReplay = useMatch({ from: "/workspace/leads/$leadId", shouldThrow: false }) !== undefined;
  const past = usePast(me.log_position);
  useKeys({ "?": () => setOver("keys"), h: past.open });
  usePaletteKey(setOver);
  const Palette = usePalette(over === "palette");
  useEffect(fetchDialogs, []);
  const close = () => setOver(null);
  return (
    <GroundContext value={{ ground, turn }}>
      <FrameContext value={frame}>
        <div className="ws" data-theme={ground} ref={setFrame}>
          <SkipLink />
          {past.wasOpened ? (
            <Suspense>
              <PastBar head={me.log_position} />
            </Suspense>
          ) : null}
          <div className={isReplay ? "app w-rail" : "app"}>
            <SideBar me={me} onFind={() => setOver("palette")} ground={ground} onTurn={turn} onPast={past.open} />
            {/* Another moment is another page: nothing of the one before stays on screen while it is read. */}
            <Fragment key={past.shown}>{children}</Fragment>
          </div>
          {over === "palette" && Palette !== null ? <Palette onClose={close} /> : null}
          {over === "keys" ? (
            <Suspense>
              <KeyHelp onClose={close} />
            </Suspense>
          ) : null}
        </div>
      </FrameContext>
    </GroundContext>
  );
}

/** The bar of an earlier state stays for the life of the page once it was opened; every page is read anew when the moment changes. */
function usePast(head: number): { shown: string; wasOpened: boolean; open: () => void } {
  const [wasOpened, setWasOpened] = useState(false);
  const moment = usePastMoment();
  const client = useQueryClient();
  useEffect(
    () => forgetWith(() => void client.resetQueries({ predicate: ({ queryKey: [of] }) => of !== "me" })),
    [client],
  );
  useEffect(() => () => showMoment(null), []);
  // The way back and a link lead to other moments too.
  const address = useRouterState({ select: ({ location: { searchStr } }) => searchStr });
  useEffect(() => showMoment(momentIn(address)), [address]);
  const goTo = useGoToMoment();
  return {
    shown: String(moment),
    wasOpened: wasOpened || moment !== null,
    open: () => {
      setWasOpened(true);
      goTo(head);
    },
  };
}

/**
 * The command list, null until its code has come. It is fetched after the first page: the first load goes without it, and it is there
 * when the first letter is typed.
 */
function usePalette(isWanted: boolean): ComponentType<{ onClose: () => void }> | null {
  const [code, setCode] = useState<typeof import("./Palette.tsx") | null>(null);
  const isMissing = code === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: code that could not be fetched is asked for again when it is wanted
  useEffect(() => {
    if (isMissing) import("./Palette.tsx").then(setCode, () => undefined);
  }, [isMissing, isWanted]);
  return code?.Palette ?? null;
}

/** Ctrl K, or Command K: works while somebody types and while a dialog is open, too. */
function usePaletteKey(setOver: Dispatch<SetStateAction<Over>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setOver((open) => (open === "palette" ? null : "palette"));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [setOver]);
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
  onFind: () => void;
  ground: Ground;
  onTurn: () => void;
  onPast: () => void;
}

function SideBar({ me, onFind, ground, onTurn, onPast }: SideBarProps) {
  const { t } = useI18n();
  const { brand_name } = useChrome();
  return (
    <aside className="side" aria-label={t("workspace.title")}>
      <Link className="brand" to="/workspace" activeOptions={{ exact: true }}>
        <Mark />
        <span>{brand_name}</span>
        <small>{t("workspace.title")}</small>
      </Link>
      <button
        type="button"
        className="jump"
        title={t("workspace.find_or_do")}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onFind}
      >
        <Icon name="search" size="s" />
        <span>{t("workspace.find")}</span>
        <kbd>{isApple() ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <nav className="nav" aria-label={t("workspace.main_nav")}>
        {listPlaces(me.can).map(({ isOnlyInList, ...place }) =>
          isOnlyInList ? null : <Entry key={place.to} {...place} />,
        )}
        <button type="button" className="only-phone" onClick={onFind}>
          <Icon name="search" />
          <span className="t">{t("workspace.find")}</span>
        </button>
      </nav>
      <Footer me={me} ground={ground} onTurn={onTurn} onPast={onPast} />
    </aside>
  );
}

function Footer({ me, ground, onTurn, onPast }: Omit<SideBarProps, "onFind">) {
  const { t } = useI18n();
  const roles = me.roles.map((role) => t(`workspace.role_${role}`)).join(t("workspace.list_mark"));
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
        <button
          type="button"
          className="btn quiet sq sm t"
          aria-label={t("workspace.past_open")}
          title={t("workspace.past_open")}
          aria-keyshortcuts="h"
          onClick={onPast}
        >
          <Icon name="clock" size="s" />
        </button>
        <button type="button" className="btn quiet sq sm t" aria-label={turnLabel} title={turnLabel} onClick={onTurn}>
          <Icon name={ground === "light" ? "moon" : "sun"} size="s" />
        </button>
      </div>
    </footer>
  );
}

/** A part of the workspace: the current one on all of its pages, whatever they show. On a phone the bar scrolls to it. */
function Entry({ to, icon, name, inList = name, waiting, isWide = false }: NamedPage) {
  const { t } = useI18n();
  const entry = useRef<HTMLAnchorElement>(null);
  const isCurrent = useMatchRoute()({ to, fuzzy: true }) !== false;
  useEffect(() => {
    if (isCurrent) entry.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [isCurrent]);
  return (
    <Link
      ref={entry}
      className={isWide ? "wide-only" : undefined}
      to={to}
      title={t(inList)}
      activeOptions={{ includeSearch: false }}
    >
      <Icon name={icon} />
      <span className="t">{t(name)}</span>
      {waiting === undefined ? null : <Waiting query={waiting} />}
    </Link>
  );
}

/** How much waits in a part of the workspace; none says nothing. */
function Waiting({ query }: { query: typeof waitingQuery }) {
  const { number } = useFormat();
  const { data } = useQuery(query);
  const count = data?.count ?? 0;
  return count === 0 ? null : <span className="n">{number(count)}</span>;
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
