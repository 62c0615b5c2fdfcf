import "../styles/dialog.css";
import "./flow.css";
import { type ReactNode, useEffect } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { useChrome } from "../../pageContext.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { keepToastsClear } from "../../ui/clearToasts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Toasts } from "../../ui/toast.tsx";
import { Link } from "../Link.tsx";
import { Logo } from "../shell/Logo.tsx";
import { Overlays } from "../shell/Overlays.tsx";
import { type Lease, leaseEnd } from "./lease.ts";
import { MirrorAsk } from "./MirrorAsk.tsx";
import { openLead } from "./overlays.ts";

const STEPS: readonly MessageKey[] = ["ui.flow_room", "ui.flow_details", "ui.flow_payment", "ui.flow_confirmed"];

interface FlowFrameProps {
  /** 1 room, 2 details, 3 payment; 5 when all four are done. */
  at: 1 | 2 | 3 | 5;
  /** Said above everything while no real money can move. */
  notice?: string | null;
  children: ReactNode;
}

/** The quiet frame of booking and paying: logo, where you are, help. Nothing that leads away. */
export function FlowFrame({ at, notice = null, children }: FlowFrameProps) {
  const { t } = useI18n();
  const chrome = useChrome();
  useEffect(keepToastsClear, []);
  return (
    <>
      <a className="skip" href="#main">
        {t("shell.skip")}
      </a>
      {notice ? <aside className="testbar">{notice}</aside> : null}
      <header className="flow-head site-head">
        <div className="wrap site-head-in">
          <Link className="logo" href={paths.home()} aria-label={t("shell.home_link", { brand: chrome.brand_name })}>
            <Logo />
            <span>{chrome.brand_name}</span>
          </Link>
          <StepsBar at={at} />
          <span className="t-14 muted only-narrow num">{t("ui.flow_place", { n: Math.min(at, 4) })}</span>
          <Button look="plain" className="only-wide" onClick={() => openLead(null, "get_help")}>
            <Icon name="headset" size={20} />
            {t("shell.help")}
          </Button>
        </div>
      </header>
      {children}
      <footer className="wrap">
        <MirrorAsk />
      </footer>
      <Overlays />
      <Toasts />
    </>
  );
}

function StepsBar({ at }: { at: number }) {
  const { t } = useI18n();
  return (
    <ol className="steps-bar" aria-label={t("ui.flow_progress")}>
      {STEPS.map((name, index) => {
        const n = index + 1;
        const look = n < at ? `done${at > 4 && n === 4 ? " last" : ""}` : n === at ? "now" : "";
        return (
          <li key={name} className={look} aria-current={n === at ? "step" : undefined}>
            <span className="n">{n < at ? <Icon name="check" size={16} /> : n}</span>
            {t(name)}
          </li>
        );
      })}
    </ol>
  );
}

interface RoomLineProps {
  home: string;
  /** Null while the home is on its way. */
  image: string | null;
  room: string;
  lease: Lease | null;
}

/** What is booked, beside its picture: home, room, dates. */
export function RoomLine({ home, image, room, lease }: RoomLineProps) {
  return (
    <div className="row row-top room-line">
      <span className="pic">{image ? <img src={image} alt="" /> : null}</span>
      <div>
        <p className="m">{home}</p>
        <p className="t-14 soft">{room}</p>
        {lease ? <LeaseLine lease={lease} /> : null}
      </div>
    </div>
  );
}

function LeaseLine({ lease }: { lease: Lease }) {
  const text = useLeaseText();
  return <p className="t-14 muted num">{text(lease)}</p>;
}

/** "11 Sep 2027 to 15 Jul 2028, 44 weeks" */
export function useLeaseText(): (lease: Lease) => string {
  const { t } = useI18n();
  const format = useFormat();
  return (lease) => {
    const dates = {
      from: format.date(lease.move_in_date),
      to: format.date(leaseEnd(lease)),
      n: lease.lease_duration,
    };
    return lease.lease_duration_unit === "weeks" ? t("ui.lease_weeks", dates) : t("ui.lease_months", dates);
  };
}
