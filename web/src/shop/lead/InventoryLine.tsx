import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { useRoomName } from "../../ui/roomKind.ts";
import type { LeadInventory } from "../ui/overlays.ts";

/** The home an enquiry is about, in one line: picture, name, the room and stay chosen, price. */
export function InventoryLine({ inventory }: { inventory: LeadInventory }) {
  const { t } = useI18n();
  const format = useFormat();
  const { price, image } = inventory;
  return (
    <div className="mini">
      {image ? (
        <span className="pic">
          <img src={image.path} alt={image.caption} />
        </span>
      ) : null}
      <div className="grow">
        <p className="m" style={{ lineHeight: 1.35 }}>
          {inventory.name}
        </p>
        <p className="t-14 soft">{useChosenRoom(inventory)}</p>
      </div>
      {price ? (
        <p className="price nowrap only-wide">
          {format.money(price.amount_minor, price)} <small>{t(`lead.per_${price.duration}`)}</small>
        </p>
      ) : null}
    </div>
  );
}

/** "Ensuite Room, 44 weeks from 11 Sep 2027", or the region's name where no room is chosen yet. */
function useChosenRoom(inventory: LeadInventory): string {
  const { t } = useI18n();
  const format = useFormat();
  const roomName = useRoomName();
  const { configuration, move_in_date, lease_duration, region } = inventory;
  const stay = /^(\d+)\s*(weeks?|months?)?$/.exec(lease_duration ?? "");
  if (!configuration) return region.name;
  const room = roomName(configuration);
  if (!stay || !move_in_date) return room;
  const params = { room, n: Number(stay[1]), date: format.date(move_in_date) };
  return stay[2]?.startsWith("month") ? t("lead.stay_months", params) : t("lead.stay_weeks", params);
}
