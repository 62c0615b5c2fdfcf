import { type ReactNode, Suspense } from "react";
import { ApiError } from "../api.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { loginThen } from "../paths.ts";
import { lazyPart } from "../ui/lazyPart.tsx";
import { rememberedGround } from "./ground.ts";
import { Icon, type IconName, Mark } from "./icon.tsx";
import { withTexts } from "./withTexts.ts";

const SecondStepGate = lazyPart(
  async () => (await withTexts(import("./admin/SecondStepGate.tsx"), "second_step")).SecondStepGate,
);

/** What a visitor without a session, or without a role, sees in place of the workspace. */
export function AccessPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useI18n();
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) {
    return (
      <GateNotice icon="lock" title={t("workspace.login_title")} text={t("workspace.login_text")}>
        <a className="btn pri" href={loginThen(location.pathname + location.search)}>
          {t("workspace.login")}
        </a>
      </GateNotice>
    );
  }
  if (error instanceof ApiError && error.code === "second_factor_needed") {
    return (
      <Suspense>
        <SecondStepGate onPassed={onRetry} />
      </Suspense>
    );
  }
  if (status === 403) {
    return (
      <GateNotice icon="shield" title={t("workspace.forbidden_title")} text={t("workspace.forbidden_text")}>
        <a className="btn" href="/">
          {t("workspace.to_home")}
        </a>
      </GateNotice>
    );
  }
  return (
    <GateNotice icon="alert" title={t("workspace.unreachable_title")} text={t("workspace.unreachable_text")}>
      <button type="button" className="btn pri" onClick={onRetry}>
        <Icon name="refresh" size="s" />
        {t("workspace.try_again")}
      </button>
    </GateNotice>
  );
}

interface NoticeProps {
  icon: IconName;
  title: string;
  text: string;
  children: ReactNode;
}

/** Stands in place of the workspace. */
export function GateNotice(props: NoticeProps) {
  return (
    <div className="ws" data-theme={rememberedGround()}>
      <main className="gate">
        <Mark />
        <NoticeCard {...props} className="gate-card" />
      </main>
    </div>
  );
}

/** An address of the workspace that leads nowhere, or to something this person may not open. */
export function PlaceNotice(props: NoticeProps) {
  return (
    <main className="main" id="work">
      <NoticeCard {...props} className="gate-card inside" />
    </main>
  );
}

function NoticeCard({ icon, title, text, className, children }: NoticeProps & { className: string }) {
  return (
    <div className={className}>
      <span className="evi">
        <Icon name={icon} />
      </span>
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <div className="row">{children}</div>
    </div>
  );
}
