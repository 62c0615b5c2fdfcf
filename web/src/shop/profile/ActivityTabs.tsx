import { type ReactNode, useState } from "react";
import type { Activity, ActivityLead } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { rewrite } from "../navigation.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { PropertyCard } from "../ui/card/PropertyCard.tsx";
import { useRecentlyViewed } from "../ui/card/recentlyViewed.ts";
import { Outline } from "../ui/skeleton.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { BookingCard } from "./BookingCard.tsx";
import { type ActivityState, useActivity } from "./useActivity.ts";

/** D20: booked first, then enquired, shortlisted and recently viewed. */
export const TABS = ["booked", "enquired", "shortlisted", "recently_viewed"] as const;
export type TabName = (typeof TABS)[number];

/** The tab an address names; booked when it names none. */
export function tabOf(url: string): TabName {
  const asked = new URLSearchParams(url.split("?")[1] ?? "").get("tab");
  return TABS.find((tab) => tab === asked) ?? "booked";
}

/** The four lists of a student, with their counts. */
export function ActivityTabs({ tab }: { tab: TabName }) {
  const { t } = useI18n();
  const format = useFormat();
  const [current, setCurrent] = useState<TabName>(tab);
  const activity = useActivity(current);
  const recent = useRecentlyViewed();
  const counts: Partial<Record<TabName, number>> = { ...activity.counts, recently_viewed: recent.length };
  const choose = (next: TabName) => {
    setCurrent(next);
    rewrite(paths.bookings(next));
  };
  const panel = (name: TabName): ReactNode => (name === current ? <Panel tab={name} activity={activity} /> : null);
  return (
    <div className="activity">
      <Tabs
        label={t("profile.tabs")}
        current={current}
        onChange={(key) => choose(TABS.find((name) => name === key) ?? "booked")}
        tabs={TABS.map((name) => ({
          key: name,
          label: (
            <>
              {t(`profile.tab_${name}`)}
              {/* As wide before it is known: the tabs beside it stay where they are. */}
              <span className="num count" style={counts[name] === undefined ? { visibility: "hidden" } : undefined}>
                {format.number(counts[name] ?? 0)}
              </span>
            </>
          ),
          panel: panel(name),
        }))}
      />
    </div>
  );
}

function Panel({ tab, activity }: { tab: TabName; activity: ActivityState }) {
  const { t } = useI18n();
  if (tab === "recently_viewed") return <Recent />;
  if (activity.status === "failed") {
    return (
      <div className="stack g16">
        <Banner kind="error">{t("profile.failed")}</Banner>
        <div>
          <Button onClick={activity.again}>{t("profile.try_again")}</Button>
        </div>
      </div>
    );
  }
  if (activity.status === "loading") return <Loading />;
  return tab === "shortlisted" ? <Shortlisted homes={activity.shortlisted} /> : <Leads tab={tab} activity={activity} />;
}

function Leads({ tab, activity }: { tab: "booked" | "enquired"; activity: ActivityState }) {
  const { t } = useI18n();
  if (activity.leads.length === 0) return <Empty tab={tab} />;
  return (
    <>
      {activity.leads.map((lead) => (
        <BookingCard key={lead.lead_uuid} lead={lead} onChanged={activity.again} />
      ))}
      {activity.more ? (
        <div className="more-row">
          <Button busy={activity.appending} onClick={activity.more}>
            {t("profile.more")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Shortlisted({ homes }: { homes: Activity["shortlisted"] }) {
  if (homes.length === 0) return <Empty tab="shortlisted" />;
  return (
    <div className="homes">
      {homes.map((home) => (
        <PropertyCard key={home.id} home={home} level={2} />
      ))}
    </div>
  );
}

function Recent() {
  const homes = useRecentlyViewed();
  if (homes.length === 0) return <Empty tab="recently_viewed" />;
  return (
    <div className="homes">
      {homes.map((home) => (
        <PropertyCard key={home.id} home={home} level={2} />
      ))}
    </div>
  );
}

function Empty({ tab }: { tab: TabName }) {
  const { t } = useI18n();
  return (
    <div className="empty-tab">
      <h2 className="t-22">{t(`profile.empty_${tab}_title`)}</h2>
      <p className="soft">{t(`profile.empty_${tab}`)}</p>
      <ButtonLink look="primary" href={paths.home()}>
        {t("profile.find")}
      </ButtonLink>
    </div>
  );
}

const sample: ActivityLead = {
  lead_uuid: "",
  reference: "AMB-7Q4K-2N",
  state: "created",
  created_at: "2027-03-11T12:00:00Z",
  move_in_date: "2027-09-11",
  property: { canonical_name: "", name: "Bloomsbury Row House", address: "", image: "" },
  room: null,
  payment: null,
  price_lock: null,
  next_action: null,
  links: [],
  steps: (["enquired", "form", "payment", "booked", "move_in"] as const).map((key) => ({
    key,
    state: "later",
    at: null,
  })),
};

function Loading() {
  const { t } = useI18n();
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t("profile.loading")}
      </p>
      <Outline>
        <BookingCard lead={sample} onChanged={() => undefined} />
      </Outline>
    </div>
  );
}
