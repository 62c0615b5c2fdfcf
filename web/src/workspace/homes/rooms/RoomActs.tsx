import { type ReactNode, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { DecisionDialog } from "../../DecisionDialog.tsx";
import { faultsOf } from "../../failure.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { Icon } from "../../icon.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { addRoom, type NewRoom, type StaffHome, type StaffRoom, setLeases, withdrawRoom } from "../homeCalls.ts";
import { faultsBelow, NO_ROOM, readRoom } from "./newRoom.ts";
import { RoomFields } from "./RoomFields.tsx";
import { RoomLeases } from "./RoomLeases.tsx";
import { useChanging } from "./useChanging.ts";

type Opened = { kind: "add" } | { kind: "lease" | "withdraw"; roomId: string } | null;

/** Adds and withdraws room types and leases. A home of a feed says instead that its feed does so. */
export function RoomActs({ home }: { home: StaffHome }) {
  const { t, lang } = useI18n();
  const isPast = usePastMoment() !== null;
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  if (home.feed !== null) return <p className="sub">{t("homes.rooms_of_feed", { feed: home.feed })}</p>;
  // As the home stands by now: what was read when the dialog opened may have changed under it.
  const room = home.rooms.find(({ room_id }) => opened !== null && "roomId" in opened && room_id === opened.roomId);
  const nameOf = ({ name }: StaffRoom) => name[lang] ?? Object.values(name)[0] ?? t("homes.room");
  return (
    <section>
      <h2 className="sec-h">{t("homes.room_types")}</h2>
      <ul className="step-list room-list">
        {home.rooms.map((one) => (
          <li key={one.room_id}>
            <b className="grow">{nameOf(one)}</b>
            <button
              type="button"
              className="btn sm"
              disabled={isPast}
              onClick={() => setOpened({ kind: "lease", roomId: one.room_id })}
            >
              {t("homes.add_lease")}
              <span className="vh"> {nameOf(one)}</span>
            </button>
            <button
              type="button"
              className="btn sm"
              disabled={isPast}
              onClick={() => setOpened({ kind: "withdraw", roomId: one.room_id })}
            >
              {t("homes.withdraw_room")}
              <span className="vh"> {nameOf(one)}</span>
            </button>
            <RoomLeases home={home} room={one} name={nameOf(one)} />
          </li>
        ))}
      </ul>
      <button type="button" className="btn" disabled={isPast} onClick={() => setOpened({ kind: "add" })}>
        <Icon name="plus" size="s" />
        {t("homes.add_room")}
      </button>
      {opened?.kind === "add" ? <AddRoom home={home} onClose={close} /> : null}
      {room === undefined ? null : opened?.kind === "lease" ? (
        <AddLease home={home} room={room} onClose={close} />
      ) : (
        <Withdraw home={home} room={room} name={nameOf(room)} onClose={close} />
      )}
    </section>
  );
}

interface DialogProps {
  home: StaffHome;
  onClose: () => void;
}

interface RoomDialogProps extends DialogProps {
  title: string;
  /** The room type whose lease is typed; null for a new one. */
  room: StaffRoom | null;
  children?: ReactNode;
}

/** A room type with its lease, or a lease of a room type, and the reason. */
function RoomDialog({ home, room, title, onClose }: RoomDialogProps) {
  const { t, lang } = useI18n();
  const counted = readCurrency(home.currency);
  const name = room === null ? "" : (Object.values(room.name)[0] ?? "");
  const [typed, setTyped] = useState({
    ...NO_ROOM,
    name,
    count: room === null ? "" : String(room.rooms),
    unit: home.period === "monthly" ? ("months" as const) : ("weeks" as const),
  });
  const [reason, setReason] = useState("");
  const [wasTried, setWasTried] = useState(false);
  const read = readRoom(typed, lang, counted);
  const ready = (room === null ? typed.name.trim() !== "" : typed.moveIn !== "") && reason.trim().length >= 3;
  const press = useChanging<{ made: NewRoom; reason: string }>(
    home,
    ({ made, reason: why }, intent) => {
      const asked = { position: home.position, reason: why };
      if (room === null) return addRoom(home.home_id, { ...asked, room: made }, intent);
      const before = room.leases.map(({ move_in, length, price_minor, rooms_available }) => ({
        move_in,
        length,
        price_minor,
        rooms_available,
      }));
      return setLeases(home.home_id, room.room_id, { ...asked, leases: [...before, ...(made.leases ?? [])] }, intent);
    },
    onClose,
  );
  const send = () => {
    setWasTried(true);
    if ("room" in read) press.send({ made: read.room, reason: reason.trim() });
  };
  return (
    <DecisionDialog
      title={title}
      press={{ ...press, send }}
      go={title}
      ready={ready}
      missing={t("homes.room_missing")}
      onClose={onClose}
    >
      <RoomFields
        isLeaseAlone={room !== null}
        typed={typed}
        read={wasTried ? read : null}
        faults={faultsBelow(faultsOf(press.error), room === null ? "room/" : "leases/")}
        counted={counted}
        period={home.period}
        onType={setTyped}
      />
      <LabelledField label={t("homes.why")} fault={faultsOf(press.error).get("reason")}>
        {(its) => (
          <textarea
            {...its}
            className="area"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </LabelledField>
    </DecisionDialog>
  );
}

function AddRoom({ home, onClose }: DialogProps) {
  const { t } = useI18n();
  return <RoomDialog home={home} room={null} title={t("homes.add_room")} onClose={onClose} />;
}

function AddLease({ home, room, onClose }: DialogProps & { room: StaffRoom }) {
  const { t } = useI18n();
  return <RoomDialog home={home} room={room} title={t("homes.add_lease")} onClose={onClose} />;
}

function Withdraw({ home, room, name, onClose }: DialogProps & { room: StaffRoom; name: string }) {
  const { t } = useI18n();
  const press = useChanging<string>(
    home,
    (reason, intent) => withdrawRoom(home.home_id, room.room_id, home.position, reason, intent),
    onClose,
  );
  return (
    <ReasonDialog
      about={`home ${home.home_id} withdraw ${room.room_id}`}
      title={t("homes.withdraw_title", { name })}
      text={t("homes.withdraw_text")}
      label={t("homes.why")}
      act={t("homes.withdraw_room")}
      sending={press}
      onClose={onClose}
    />
  );
}
