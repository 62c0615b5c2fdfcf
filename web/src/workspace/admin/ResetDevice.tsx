import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RoleGrant } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { grantsQuery } from "../queries.ts";
import { useOnePress } from "../useOnePress.ts";
import { resetSecondFactor } from "./adminCalls.ts";
import { MailCodeField, ProofRefused, useMailCode } from "./MailCode.tsx";

/** Takes the lost device of a colleague away; its owner is told by mail. */
export function ResetDevice({ grant, account }: { grant: RoleGrant; account: string }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const mail = useMailCode();
  const resetting = useOnePress({
    mutationFn: () => resetSecondFactor(grant.user_id, mail.proof),
    onSuccess: () => {
      toast(t("admin.reset_device_done", { account }));
      setAsking(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: grantsQuery.queryKey }),
  });
  return (
    <div className="row">
      <button
        type="button"
        className="btn sm"
        aria-label={t("admin.reset_device_of", { account })}
        onClick={() => {
          mail.ask();
          setAsking(true);
        }}
      >
        {t("admin.reset_device")}
      </button>
      {asking ? (
        <DecisionDialog
          title={t("admin.reset_device_title")}
          press={resetting}
          go={t("admin.reset_device")}
          look="danger"
          ready={mail.isSent && mail.isTyped}
          onClose={() => setAsking(false)}
        >
          <p>{t("admin.reset_device_text", { account })}</p>
          {mail.isSent ? <MailCodeField mail={mail} /> : <ProofRefused error={mail.error} />}
        </DecisionDialog>
      ) : null}
    </div>
  );
}
