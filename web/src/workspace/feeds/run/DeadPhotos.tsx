import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { DeadPhoto } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { plainDay } from "../../clock.ts";
import { FailureNote } from "../../FailureNote.tsx";
import { deadPhotosQuery } from "../feedCalls.ts";

/** Photos of a run's feed whose addresses give none, for those who may ask its writer to mend them; nothing while there is none. */
export function DeadPhotos({ runId, feed }: { runId: string; feed: string }) {
  const { data, error } = useQuery(deadPhotosQuery(runId));
  if (data === undefined) return <FailureNote error={error} />;
  return <DeadPhotoTable feed={feed} photos={data.photos} isCut={data.is_cut} />;
}

interface DeadPhotoTableProps {
  feed: string;
  photos: readonly DeadPhoto[];
  /** There are more than these. */
  isCut: boolean;
}

/** Each photo with its home, its host, and what that answered last. */
export function DeadPhotoTable({ feed, photos, isCut }: DeadPhotoTableProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const heading = useId();
  if (photos.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <div className="fd-head">
        <h2 id={heading}>{t("imports.dead_photos")}</h2>
      </div>
      <p className="sub">{t("imports.dead_photos_text", { feed })}</p>
      <div className="fd-box">
        <table className="tbl fd-cards dead-t">
          <caption className="vh">{t("imports.dead_photos")}</caption>
          <thead>
            <tr>
              <th>{t("imports.dead_home")}</th>
              <th>{t("imports.dead_address")}</th>
              <th>{t("imports.dead_answer")}</th>
            </tr>
          </thead>
          <tbody>
            {photos.map((photo, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two addresses may differ in the part that is not told
              <Row key={at} photo={photo} />
            ))}
          </tbody>
        </table>
      </div>
      {isCut ? <p className="sub">{t("imports.dead_cut", { shown: number(photos.length) })}</p> : null}
    </section>
  );
}

function Row({ photo }: { photo: DeadPhoto }) {
  const { t, tData, lang } = useI18n();
  const { home_id: homeId, name, address, refusal, answered, tried_at, next_try_at } = photo;
  const said = [
    answered === null ? null : t("imports.dead_status", { status: answered }),
    tried_at === null ? null : t("imports.dead_tried", { day: plainDay(tried_at, lang) }),
    next_try_at === null ? t("imports.dead_given_up") : t("imports.dead_next", { day: plainDay(next_try_at, lang) }),
  ];
  return (
    <tr>
      <td className="c-home">
        <Link className="link" to="/workspace/homes/$homeId" params={{ homeId }} search={{ part: "photos" }}>
          {name}
        </Link>
      </td>
      <td className="c-address">
        {readHost(address)}
        <div className="sub mono">{address}</div>
      </td>
      <td className="c-answer">
        {tData(`imports.dead_why_${refusal}`)}
        <div className="sub">{said.filter((part) => part !== null).join(" · ")}</div>
      </td>
    </tr>
  );
}

/** The host of an address; an address that is none has none. */
function readHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}
