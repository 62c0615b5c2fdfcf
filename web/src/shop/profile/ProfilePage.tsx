import "./profile.css";
import "./account.css";
import type { ReactNode } from "react";
import { post } from "../../api.ts";
import type { ActivityLead, User } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Initials } from "../../ui/initials.tsx";
import { toast } from "../../ui/toast.tsx";
import { Link } from "../Link.tsx";
import { navigate } from "../navigation.ts";
import { endSession, useSession } from "../session.ts";
import { openLogin } from "../ui/overlays.ts";
import { ActivityTabs, tabOf } from "./ActivityTabs.tsx";
import { BookingCard } from "./BookingCard.tsx";
import { DataReads } from "./DataReads.tsx";
import { EraseMyData } from "./EraseMyData.tsx";
import { MessageChoice } from "./MessageChoice.tsx";
import { Mirrors } from "./Mirrors.tsx";
import { Support } from "./Support.tsx";

/** `/profile`, `/profile/leads`, `/profile/shortlist`: behind the login guard, sub-pages with a back chevron. */
export default function ProfilePage({ page }: { page: PageOf<"profile"> }) {
  const { t } = useI18n();
  const session = useSession();
  const which = page.data.page;
  if (session.state !== "user" && page.data.lead) return <Shared lead={page.data.lead} url={page.url} />;
  if (session.state === "visitor") return <Guard url={page.url} />;
  const user = session.state === "user" ? session.user : null;
  return (
    <main id="main" className="wrap prof">
      <Navigation user={user} current={which} />
      {which === "profile" ? (
        <Account user={user} />
      ) : which === "support" || which === "cashback" ? (
        <Support key={page.url} kind={which} caseId={page.data.case_id} />
      ) : (
        <div>
          <SubHeader title={t(which === "leads" ? "profile.bookings" : "profile.shortlist")} />
          <ActivityTabs key={page.url} tab={which === "shortlist" ? "shortlisted" : tabOf(page.url)} />
        </div>
      )}
    </main>
  );
}

/** The page until its code has come: printed by the server. */
export function ProfileComing() {
  return (
    <main id="main" className="wrap prof" aria-busy="true">
      <Navigation user={null} current="" />
    </main>
  );
}

function SubHeader({ title }: { title: string }) {
  const { t } = useI18n();
  return (
    <div className="row sub-head">
      <Link className="icon-btn only-narrow" href={paths.profile()} aria-label={t("profile.back_profile")}>
        <Icon name="chev-l" />
      </Link>
      <h1 className="t-28">{title}</h1>
    </div>
  );
}

const LINKS = [
  { page: "leads", icon: "cal", text: "profile.bookings", href: paths.bookings() },
  { page: "shortlist", icon: "heart", text: "profile.shortlist", href: paths.shortlist() },
  { page: "support", icon: "headset", text: "profile.support", href: paths.support() },
] as const satisfies readonly { page: string; icon: IconName; text: string; href: string }[];

function Links({ current }: { current: string | null }) {
  const { t } = useI18n();
  return LINKS.map(({ page, icon, text, href }) => (
    <Link key={page} href={href} aria-current={page === current ? "page" : undefined}>
      <Icon name={icon} size={20} />
      {t(text)}
    </Link>
  ));
}

function Navigation({ user, current }: { user: User | null; current: string }) {
  const { t } = useI18n();
  return (
    <nav className="pnav only-wide" aria-label={t("profile.nav")}>
      <Person user={user} />
      <Links current={current} />
      <hr style={{ margin: "12px 14px" }} />
      <LogOut />
    </nav>
  );
}

function Person({ user }: { user: User | null }) {
  const name = user?.name ?? user?.email ?? user?.phone ?? "";
  return (
    <div className="row person">
      <span className="avatar" aria-hidden="true">
        <Initials of={user?.name ?? user?.email ?? ""} />
      </span>
      <div className="grow">
        {/* Both lines have their place before the session is known. */}
        <p className="m clip">{name || "\u00a0"}</p>
        {user === null || (user.name && user.email) ? (
          <p className="t-14 muted clip">{user?.email ?? "\u00a0"}</p>
        ) : null}
      </div>
    </div>
  );
}

function LogOut() {
  const { t } = useI18n();
  const leave = async () => {
    try {
      await post("/api/v0/users/logout");
      endSession();
      toast(t("profile.logged_out"));
      await navigate(paths.home());
    } catch {
      toast(t("profile.log_out_failed"), "error");
    }
  };
  return (
    <button type="button" className="log-out" onClick={() => void leave()}>
      {t("profile.log_out")}
    </button>
  );
}

/** `/profile`: who you are, and on phones the way to the sub-pages. */
function Account({ user }: { user: User | null }) {
  const { t } = useI18n();
  const rows = [
    { name: t("profile.name"), value: user?.name },
    { name: t("profile.email"), value: user?.email },
    { name: t("profile.phone"), value: user?.phone },
  ];
  return (
    <div>
      <h1 className="t-28">{t("profile.title")}</h1>
      <div className="pnav only-narrow account-links">
        <Links current={null} />
      </div>
      <section className="card pad account" aria-labelledby="account-title">
        <h2 className="t-18" id="account-title">
          {t("profile.account")}
        </h2>
        <dl className="kv">
          {rows.map(({ name, value }) => (
            <Row key={name} name={name}>
              {value ?? <span className="muted">{t("profile.unknown")}</span>}
            </Row>
          ))}
        </dl>
      </section>
      {user === null ? null : <MessageChoice user={user} />}
      {user === null ? null : <DataReads />}
      {user === null ? null : <Mirrors />}
      {user === null ? null : <EraseMyData user={user} />}
      {user === null ? null : (
        <div className="only-narrow">
          <LogOut />
        </div>
      )}
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** D19: one lead by its own link, without a login: to read only. */
function Shared({ lead, url }: { lead: ActivityLead; url: string }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap prof-one stack g24">
      <h1 className="t-28">{t("profile.shared_title")}</h1>
      <Banner kind="info">{t("profile.shared_text")}</Banner>
      <BookingCard lead={lead} />
      <div>
        <Button look="primary" onClick={() => openLogin(url)}>
          {t("profile.guard_go")}
        </Button>
      </div>
    </main>
  );
}

/** D19: the server sends visitors to the login; this stands when a session ends while the page is open. */
function Guard({ url }: { url: string }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap guard">
      <h1 className="t-28">{t("profile.guard_title")}</h1>
      <p className="soft">{t("profile.guard_text")}</p>
      <Button look="primary" onClick={() => openLogin(url)}>
        {t("profile.guard_go")}
      </Button>
    </main>
  );
}
