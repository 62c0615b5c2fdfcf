import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useI18n } from "../i18n/i18n.tsx";
import { toast } from "../ui/toast.tsx";
import { Icon } from "../workspace/icon.tsx";
import { assign } from "../workspace/queries.ts";
import { useMe } from "../workspace/session.ts";

interface OwnerButtonProps {
  leadId: string;
  /** Who owns the lead now, by name. */
  owner: string | null;
  /** The past is for looking: nothing can be changed there. */
  past: boolean;
}

/** Takes a lead, or gives it back; an event in its history either way. */
export function OwnerButton({ leadId, owner, past }: OwnerButtonProps) {
  const { t } = useI18n();
  const me = useMe();
  const client = useQueryClient();
  const mine = owner === me.name;
  const assigning = useMutation({
    mutationFn: () => assign(leadId, mine ? null : "me"),
    onSuccess: () => {
      toast(t(mine ? "support.given_back" : "support.taken"));
      void client.invalidateQueries({ queryKey: ["leads"] });
    },
    onError: (failure) => toast(failure.message, "error"),
  });
  return (
    <button
      type="button"
      className="btn c-wide"
      disabled={past || assigning.isPending}
      title={past ? t("support.read_only") : undefined}
      onClick={() => assigning.mutate()}
    >
      <Icon name="people" size="s" />
      {t(mine ? "support.give_back" : "support.take")}
    </button>
  );
}
