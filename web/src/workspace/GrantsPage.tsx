import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useId, useState } from "react";
import type { RoleGrant } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { toast } from "../ui/toast.tsx";
import { fullMoment } from "./clock.ts";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { grantsQuery, revokeGrant } from "./queries.ts";
import { Bone, Stopped } from "./TableStates.tsx";
import { useOnePress } from "./useOnePress.ts";
import { withTexts } from "./withTexts.ts";

const ResetDevice = lazyPart(
  async () => (await withTexts(import("./admin/ResetDevice.tsx"), "admin", "second_step")).ResetDevice,
);

/** Which account has which role, since when and given by whom; administrators take roles back here. */
export function GrantsPage() {
  const { t } = useI18n();
  const asked = useQuery(grantsQuery);
  useEffect(() => {
    document.title = `${t("workspace.grants")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("workspace.grants")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("workspace.grants_text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? asked.error === null ? <Bone width={240} /> : null : <Grants all={asked.data} />}
      </div>
    </main>
  );
}

const accountOf = (grant: RoleGrant) => grant.address || grant.name || grant.user_id;

function Grants({ all }: { all: RoleGrant[] }) {
  const { t } = useI18n();
  if (all.length === 0) return <p className="sub">{t("workspace.grants_none")}</p>;
  return (
    <ul className="rm-list">
      {all.map((grant) => (
        <li key={`${grant.user_id}.${grant.role}`}>
          <Grant grant={grant} />
        </li>
      ))}
    </ul>
  );
}

function Grant({ grant }: { grant: RoleGrant }) {
  const { t, lang } = useI18n();
  const heading = useId();
  const [asking, setAsking] = useState(false);
  const role = t(`workspace.role_${grant.role}`);
  const account = accountOf(grant);
  return (
    <article className={grant.counts ? "rm-one" : "rm-one ill"} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>
          {account} · {role}
        </h2>
        <p className="sub num grow">
          {t("workspace.grants_since")} {fullMoment(grant.since, lang)} · {t("workspace.grants_by")}{" "}
          {grant.by ?? t("workspace.grants_by_command")}
        </p>
        {grant.own ? (
          <span className="sub">{t("workspace.grants_own")}</span>
        ) : (
          <button
            type="button"
            className="btn sm"
            aria-label={t("workspace.grants_revoke_of", { role, account })}
            onClick={() => setAsking(true)}
          >
            {t("workspace.grants_revoke")}
          </button>
        )}
      </header>
      {grant.second_factor && !grant.own ? (
        <Suspense>
          <ResetDevice grant={grant} account={account} />
        </Suspense>
      ) : null}
      {grant.counts ? null : <p className="muted">{t("workspace.grants_idle")}</p>}
      {asking ? <RevokeDialog grant={grant} role={role} onClose={() => setAsking(false)} /> : null}
    </article>
  );
}

function RevokeDialog({ grant, role, onClose }: { grant: RoleGrant; role: string; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const account = accountOf(grant);
  const revoking = useOnePress({
    mutationFn: () => revokeGrant(grant),
    onSuccess: () => {
      toast(t("workspace.grants_revoked", { account, role }));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: grantsQuery.queryKey }),
  });
  return (
    <DecisionDialog
      title={t("workspace.grants_revoke_title")}
      press={revoking}
      go={t(revoking.isPending ? "workspace.grants_revoking" : "workspace.grants_revoke")}
      onClose={onClose}
    >
      <p>{t("workspace.grants_revoke_explained", { account, role })}</p>
    </DecisionDialog>
  );
}
