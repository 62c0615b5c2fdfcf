import { useState } from "react";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { readCurrency } from "../../homeCurrency.ts";
import { dropKeptWords } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { readLength } from "../facts/factNames.ts";
import { type StaffHome, type StaffRoom, setLeases } from "../homeCalls.ts";
import { useChanging } from "./useChanging.ts";

type Lease = StaffRoom["leases"][number];

interface RoomLeasesProps {
  home: StaffHome;
  room: StaffRoom;
  /** The room type as staff call it. */
  name: string;
}

/** Lease options of a room type, each with the way to take it away. */
export function RoomLeases({ home, room, name }: RoomLeasesProps) {
  const { t } = useI18n();
  const { money } = useFormat();
  const nameStay = useStayName();
  const isPast = usePastMoment() !== null;
  const [opened, setOpened] = useState<string | null>(null);
  const leaving = room.leases.find((lease) => keyOfLease(lease) === opened);
  return (
    <>
      <ul className="lease-list">
        {room.leases.map((lease) => (
          <li key={keyOfLease(lease)}>
            <span className="grow">
              {nameStay(lease)} <span className="sub num">{money(lease.price_minor, readCurrency(home.currency))}</span>
            </span>
            <button type="button" className="link" disabled={isPast} onClick={() => setOpened(keyOfLease(lease))}>
              {t("homes.remove_lease")}
              <span className="vh">
                {" "}
                {name} · {nameStay(lease)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {leaving === undefined ? null : (
        <RemoveLease {...{ home, room, name }} lease={leaving} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

const keyOfLease = ({ move_in, length }: Lease) => `${move_in}/${length}`;

function useStayName(): (lease: Lease) => string {
  const { t } = useI18n();
  const { date } = useFormat();
  return ({ move_in, length }) => {
    const { n, unit } = readLength(length);
    return t(`homes.stay_${unit}`, { n, day: date(move_in) });
  };
}

function RemoveLease({ home, room, name, lease, onClose }: RoomLeasesProps & { lease: Lease; onClose: () => void }) {
  const { t } = useI18n();
  const nameStay = useStayName();
  const about = `home ${home.home_id} lease ${room.room_id} ${keyOfLease(lease)}`;
  // The leases as they stand by now: one that a colleague added meanwhile stays.
  const others = room.leases.filter((one) => keyOfLease(one) !== keyOfLease(lease));
  const leases = others.map(({ move_in, length, price_minor, rooms_available }) => ({
    move_in,
    length,
    price_minor,
    rooms_available,
  }));
  const press = useChanging<string>(
    home,
    (reason, intent) => setLeases(home.home_id, room.room_id, { position: home.position, reason, leases }, intent),
    () => {
      dropKeptWords(about);
      onClose();
    },
  );
  return (
    <ReasonDialog
      about={about}
      title={t("homes.remove_lease_title", { room: name, stay: nameStay(lease) })}
      text={t("homes.remove_lease_text")}
      label={t("homes.why")}
      act={t("homes.remove_lease")}
      sending={press}
      onClose={onClose}
    />
  );
}
