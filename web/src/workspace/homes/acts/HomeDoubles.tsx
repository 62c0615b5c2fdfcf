import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Icon } from "../../icon.tsx";
import { dropKeptWords } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { homeKeys, homeQuery, mergeHome, type StaffHome } from "../homeCalls.ts";

type Double = StaffHome["doubles"][number];

/** Homes of the same name and address, each with the way to merge into it; and where a merged home went. */
export function HomeDoubles({ home }: { home: StaffHome }) {
  const { t } = useI18n();
  if (home.merged_into !== null) {
    return (
      <div className="note home-note">
        <Icon name="link" />
        <p className="grow">{t("homes.merged_into")}</p>
        <Other homeId={home.merged_into} />
      </div>
    );
  }
  return home.doubles.map((double) => <Found key={double.home_id} home={home} double={double} />);
}

function Other({ homeId }: { homeId: string }) {
  const { t } = useI18n();
  return (
    <Link className="link" to="/workspace/homes/$homeId" params={{ homeId }} search={{}}>
      {t("homes.open_other")}
    </Link>
  );
}

function Found({ home, double }: { home: StaffHome; double: Double }) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="note warn home-note">
      <Icon name="alert" />
      <p className="grow">{t("homes.double_found", { name: double.name, state: t(`homes.state_${double.state}`) })}</p>
      <Other homeId={double.home_id} />
      <button type="button" className="btn sm" disabled={isPast} onClick={() => setAsking(true)}>
        {t("homes.merge")}
      </button>
      {isAsking ? <Merge home={home} double={double} onClose={() => setAsking(false)} /> : null}
    </div>
  );
}

function Merge({ home, double, onClose }: { home: StaffHome; double: Double; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const about = `home ${home.home_id} merge`;
  const press = useOnePress<StaffHome, string>({
    mutationFn: (reason) => mergeHome(home.home_id, double.home_id, reason, keyOf(reason)),
    onSuccess: (changed) => {
      client.setQueryData(homeQuery(home.home_id).queryKey, changed);
      for (const queryKey of homeKeys(home.home_id)) void client.invalidateQueries({ queryKey });
      dropKeptWords(about);
      toast(t("homes.merged"));
      onClose();
    },
  });
  return (
    <ReasonDialog
      about={about}
      title={t("homes.merge_title", { name: double.name })}
      text={t("homes.merge_text")}
      label={t("homes.why")}
      act={t("homes.merge")}
      sending={press}
      onClose={onClose}
    />
  );
}
