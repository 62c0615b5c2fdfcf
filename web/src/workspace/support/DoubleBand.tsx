import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { useMe } from "../session.ts";
import { deskQuery } from "./actCalls.ts";

interface DoubleBandProps {
  leadId: string;
  /** What the lead that goes on instead is called. */
  kept: string;
}

/** A double says so, and leads to the lead that goes on instead. */
export function DoubleBand({ leadId, kept }: DoubleBandProps) {
  const { t } = useI18n();
  const { can } = useMe();
  const { data } = useQuery({ ...deskQuery(leadId), enabled: can.leads });
  return (
    <div className="referral" role="status">
      <p>
        {t("acts.is_double")}
        {spaceAfter(t("acts.is_double"))}
        <span className="num">{kept}</span>
      </p>
      {data?.double_of ? (
        <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: data.double_of.lead_id }}>
          {t("acts.open_kept")}
        </Link>
      ) : null}
    </div>
  );
}
