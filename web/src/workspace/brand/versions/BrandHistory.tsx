import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { fullMoment } from "../../clock.ts";
import { DecisionDialog } from "../../DecisionDialog.tsx";
import { Icon } from "../../icon.tsx";
import { dropKeptWords, useKeptWords } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { Bone, Empty, Stopped } from "../../TableStates.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { type Brand, type BrandReturn, type BrandVersion, brandQuery, takeBack, versionsQuery } from "../brandCalls.ts";
import { ChangedValues } from "./ChangedValues.tsx";

/** Versions that readers saw, the newest first; each earlier one comes back by a press. */
export function BrandHistory({ brand }: { brand: Brand }) {
  const { t } = useI18n();
  const asked = useQuery(versionsQuery);
  const versions = asked.data;
  return (
    <div className="scroll brand-history" data-list-scroll>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {versions === undefined && asked.error === null ? <Bone width={320} /> : null}
      {versions?.length === 0 ? <Empty title={t("brand.no_versions")}>{t("brand.no_versions_text")}</Empty> : null}
      {versions === undefined || versions.length === 0 ? null : (
        <>
          <ol>
            {versions.map((version, at) => (
              <Version key={version.version} brand={brand} version={version} before={versions[at + 1]} />
            ))}
          </ol>
          <p className="sub">{t("brand.take_back_hint")}</p>
        </>
      )}
    </div>
  );
}

interface VersionProps {
  brand: Brand;
  version: BrandVersion;
  before: BrandVersion | undefined;
}

function Version({ brand, version, before }: VersionProps) {
  const { t, lang } = useI18n();
  const [isAsking, setAsking] = useState(false);
  const isPast = usePastMoment() !== null;
  const { version: n, changed, values, of, by, at, reason } = version;
  const said = [
    fullMoment(at, lang),
    by ?? t("brand.by_command"),
    ...(reason ? [t("brand.reason_said", { reason })] : []),
  ];
  return (
    <li>
      <Icon name={of ? "undo" : "check"} size="s" />
      <div className="grow">
        <p>
          <b>{of ? t("brand.version_of", { n, of }) : t("brand.version", { n })}</b>
        </p>
        <ChangedValues names={changed} from={before?.values ?? {}} to={values} pictures={brand.pictures} />
        <p className="sub">{said.join(" · ")}</p>
      </div>
      {brand.published?.version === n ? (
        <span className="chip ok">{t("brand.in_use")}</span>
      ) : (
        <button type="button" className="btn sm" disabled={isPast} onClick={() => setAsking(true)}>
          <Icon name="undo" size="xs" />
          {t("brand.take_back")}
          <span className="vh"> {t("brand.version", { n })}</span>
        </button>
      )}
      {isAsking ? <TakeBack brand={brand} version={n} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}

/** Shows an earlier version again, with the reason for colleagues. */
function TakeBack({ brand, version, onClose }: { brand: Brand; version: number; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const why = useId();
  const about = `brand version ${version}`;
  const [reason, setReason] = useKeptWords(about);
  const keyOf = useIntent();
  const { isPending, error, send } = useOnePress<Brand, BrandReturn>({
    mutationFn: (asked) => takeBack(asked, keyOf(asked)),
    onSuccess: (now) => {
      client.setQueryData(brandQuery.queryKey, now);
      void client.invalidateQueries({ queryKey: brandQuery.queryKey });
      dropKeptWords(about);
      toast(t("brand.taken_back", { n: version }));
      onClose();
    },
    onError: () => void client.invalidateQueries({ queryKey: brandQuery.queryKey }),
  });
  const asked = { revision: brand.revision, version, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) };
  return (
    <DecisionDialog
      title={t("brand.take_back_title", { n: version })}
      press={{ isPending, error, send: () => send(asked) }}
      go={t("brand.take_back")}
      onClose={onClose}
    >
      <p>{t("brand.take_back_text")}</p>
      <label className="label" htmlFor={why}>
        {t("brand.why")}
      </label>
      <input
        id={why}
        className="field"
        data-first
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DecisionDialog>
  );
}
