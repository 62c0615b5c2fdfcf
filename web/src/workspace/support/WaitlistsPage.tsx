import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { newKey } from "../../api.ts";
import type { AwaitedRoom, WorkspacePlace } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useLeadText } from "../../ui/leadText.tsx";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { dropKeptWords } from "../keptDraft.ts";
import { ReasonDialog } from "../ReasonDialog.tsx";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { awaitedQuery, moveUp, placesQuery } from "./waitlistCalls.ts";

const route = getRouteApi("/workspace/waitlists");

/** Rooms that are waited for, and the places of the chosen one: their order, offers, and what became of the others. */
export function WaitlistsPage() {
  const { t } = useI18n();
  const { room } = route.useSearch();
  const asked = useQuery(awaitedQuery);
  const { data, error } = asked;
  useEffect(() => {
    document.title = `${t("waitlists.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <header className="head">
        <h1>{t("waitlists.title")}</h1>
      </header>
      <div className="scroll rm prov" data-list-scroll>
        <p className="muted">{t("waitlists.text")}</p>
        {error === null ? null : (
          <Stopped error={error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {data === undefined && error === null ? <Bone width={240} /> : null}
        {data?.length === 0 ? <Empty title={t("waitlists.none")}>{t("waitlists.none_text")}</Empty> : null}
        {data === undefined || data.length === 0 ? null : <RoomsAndPlaces rooms={data} asked={room} />}
      </div>
    </main>
  );
}

const nameOf = ({ property, room, city }: AwaitedRoom) =>
  [property, room, city].filter((part) => part !== "").join(" · ");

/** The rooms, and beside them the places of the one that is asked for; on a phone one at a time. */
function RoomsAndPlaces({ rooms, asked }: { rooms: AwaitedRoom[]; asked: string | null }) {
  const { t } = useI18n();
  const chosen = rooms.find((one) => one.room_id === asked);
  const left = useRef<string | null>(null);
  // Back among the rooms, the keyboard stands on the one that was looked at.
  useEffect(() => {
    if (chosen !== undefined) left.current = chosen.room_id;
    else if (left.current !== null) document.getElementById(`room-${left.current}`)?.focus();
  }, [chosen]);
  return (
    <div className={chosen === undefined ? "wait-desk" : "wait-desk has-room"}>
      <Rooms rooms={rooms} chosen={chosen?.room_id} />
      {chosen === undefined ? (
        <p className="muted wait-ask">{t(asked === null ? "waitlists.choose" : "waitlists.gone")}</p>
      ) : (
        <Places key={chosen.room_id} room={chosen} />
      )}
    </div>
  );
}

function Rooms({ rooms, chosen }: { rooms: AwaitedRoom[]; chosen: string | undefined }) {
  const { t } = useI18n();
  return (
    <section className="wait-rooms" aria-labelledby="rooms">
      <h2 id="rooms">{t("waitlists.rooms")}</h2>
      <ul className="rm-list">
        {rooms.map((room) => (
          <li key={room.room_id}>
            <article className={room.room_id === chosen ? "rm-one on" : "rm-one"}>
              <header>
                <h3 className="grow">
                  <Link
                    id={`room-${room.room_id}`}
                    className="quiet-link"
                    to="/workspace/waitlists"
                    search={{ room: room.room_id }}
                    resetScroll={false}
                    aria-current={room.room_id === chosen ? "true" : undefined}
                  >
                    {nameOf(room)}
                  </Link>
                </h3>
                <p className="sub num">
                  {t("waitlists.counts", { waiting: room.waiting, offered: room.offered, ended: room.ended })}
                </p>
              </header>
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Those who wait in the order of their turn, then those that are over. */
function inTurn(places: WorkspacePlace[]): WorkspacePlace[] {
  const place = ({ number }: WorkspacePlace) => number ?? Number.POSITIVE_INFINITY;
  return places.toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
}

function Places({ room }: { room: AwaitedRoom }) {
  const { t } = useI18n();
  const asked = useQuery(placesQuery(room.room_id));
  const { data, error } = asked;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="wait-places" aria-labelledby="places">
      <p className="wait-back">
        <Link className="btn sm" to="/workspace/waitlists" search={{ room: null }} resetScroll={false}>
          <Icon name="left" size="s" />
          {t("waitlists.all_rooms")}
        </Link>
      </p>
      <h2 id="places" ref={heading} tabIndex={-1}>
        {t("waitlists.places")}: {nameOf(room)}
      </h2>
      {error === null ? null : (
        <Stopped error={error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {data === undefined ? error === null && <Bone width={240} /> : null}
      <ul className="rm-list">
        {inTurn(data ?? []).map((place) => (
          <li key={place.payment_id}>
            <PlaceItem place={place} roomId={room.room_id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PlaceItem({ place, roomId }: { place: WorkspacePlace; roomId: string }) {
  const { t, lang } = useI18n();
  const stay = useStayText();
  const [isAsking, setIsAsking] = useState(false);
  const isMovable = place.state === "waiting" && !place.is_override && place.number !== 1;
  return (
    <article className="rm-one">
      <header>
        <h3 className="num">
          {place.number === null ? t("waitlists.over") : t("waitlists.number", { n: place.number })}
        </h3>
        <p className="sub num grow">
          {place.reference} · {stay(place.stay)} · {t("waitlists.joined", { at: fullMoment(place.joined_at, lang) })}
        </p>
        {place.is_override ? <span className="chip warn">{t("waitlists.override")}</span> : null}
        <span className={place.state === "offered" ? "chip ok" : "chip"}>{t(`waitlists.state_${place.state}`)}</span>
        {isMovable ? (
          <button type="button" className="btn sm" onClick={() => setIsAsking(true)}>
            {t("waitlists.move")}
          </button>
        ) : null}
      </header>
      <p className="muted num">
        {place.offered_until === null ? null : (
          <>{t("waitlists.until", { at: fullMoment(place.offered_until, lang) })} · </>
        )}
        <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: place.lead_id }}>
          {t("waitlists.lead")}
        </Link>
      </p>
      {isAsking ? <MoveDialog place={place} roomId={roomId} onClose={() => setIsAsking(false)} /> : null}
    </article>
  );
}

/** `2027-09-11/44 weeks`, as places carry their stay, in the reader's words. */
function useStayText(): (stay: string) => string {
  const { t } = useI18n();
  const lead = useLeadText();
  return (stay) => {
    const [moveIn, duration] = stay.split("/");
    if (moveIn === undefined || duration === undefined) return stay;
    return lead.value("data/move_in_date", moveIn) + t("workspace.comma") + lead.value("data/lease_duration", duration);
  };
}

interface MoveDialogProps {
  place: WorkspacePlace;
  roomId: string;
  onClose: () => void;
}

function MoveDialog({ place, roomId, onClose }: MoveDialogProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent] = useState(newKey);
  const about = `move-up/${place.payment_id}`;
  const sending = useOnePress({
    mutationFn: (reason: string) => moveUp(place.payment_id, reason, intent),
    onSuccess: (places) => {
      client.setQueryData(placesQuery(roomId).queryKey, places);
      dropKeptWords(about);
      toast(t("waitlists.moved"));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: awaitedQuery.queryKey }),
  });
  return (
    <ReasonDialog
      about={about}
      title={t("waitlists.move_title", { reference: place.reference })}
      text={t("waitlists.move_text")}
      label={t("waitlists.move_reason")}
      act={t("waitlists.move_now")}
      sending={sending}
      onClose={onClose}
    />
  );
}
