import { useQueryClient } from "@tanstack/react-query";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { homeKeys, homeQuery, type StaffHome } from "../homeCalls.ts";

/** A change of rooms or leases: puts the home that it answered in place of the shown one. */
export function useChanging<Asked>(
  home: StaffHome,
  change: (asked: Asked, intent: string) => Promise<StaffHome>,
  onClose: () => void,
) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  return useOnePress<StaffHome, Asked>({
    mutationFn: (asked) => change(asked, keyOf(asked)),
    onSuccess: (changed) => {
      client.setQueryData(homeQuery(home.home_id).queryKey, changed);
      for (const queryKey of homeKeys(home.home_id)) void client.invalidateQueries({ queryKey });
      toast(t("homes.saved"));
      onClose();
    },
    // Changed by somebody else meanwhile: the next press names where the home stands by then.
    onError: () => void client.invalidateQueries({ queryKey: homeQuery(home.home_id).queryKey }),
  });
}
