import { useQueryClient } from "@tanstack/react-query";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { useFailureToast } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { assign } from "../queries.ts";
import { useMe } from "../session.ts";
import { useOnePress } from "../useOnePress.ts";

interface OwnerButtonProps {
  leadId: string;
  /** Who owns the lead now, by name. */
  owner: string | null;
  /** The past is for looking: nothing can be changed there. */
  past: boolean;
}

/** Takes a lead, or gives it back when it is one's own; an event in its history either way. */
export function useTaking() {
  const { t } = useI18n();
  const me = useMe();
  const client = useQueryClient();
  const tellFailure = useFailureToast();
  return useOnePress({
    mutationFn: ({ leadId, owner }: { leadId: string; owner: string | null }) =>
      assign(leadId, owner === me.name ? null : "me"),
    onSuccess: (_, { owner }) => {
      toast(t(owner === me.name ? "support.given_back" : "support.taken"));
      void client.invalidateQueries({ queryKey: ["leads"] });
    },
    onError: tellFailure,
  });
}

/** The button for it. */
export function OwnerButton({ leadId, owner, past }: OwnerButtonProps) {
  const { t } = useI18n();
  const me = useMe();
  const taking = useTaking();
  return (
    <button
      type="button"
      className="btn c-wide"
      disabled={past || taking.isPending}
      title={past ? t("support.read_only") : undefined}
      onClick={() => taking.send({ leadId, owner })}
    >
      <Icon name="people" size="s" />
      {t(owner === me.name ? "support.give_back" : "support.take")}
    </button>
  );
}
