import { useEffect, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Recording } from "./galleryItems.ts";
import { findPlayer } from "./players.ts";

/** A video or a tour. Nothing is loaded from its platform before it is pressed: a frame sets cookies and knows who looks. */
export function RecordingStage({ recording, name }: { recording: Recording; name: string }) {
  const { t } = useI18n();
  const [isOn, setOn] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (isOn) frame.current?.focus();
  }, [isOn]);
  const player = findPlayer(recording.url);
  if (!player) return null;
  const { platform } = player;
  if (isOn && player.frame)
    return (
      <div className="recording">
        <iframe
          ref={frame}
          src={player.frame}
          title={name}
          sandbox="allow-scripts allow-same-origin allow-presentation"
          allow="autoplay; fullscreen; picture-in-picture; xr-spatial-tracking; gyroscope; accelerometer"
          referrerPolicy="strict-origin-when-cross-origin"
        />
        <Elsewhere url={recording.url} platform={platform} />
      </div>
    );
  return (
    <div className="recording">
      <div className="recording-ground">
        <Icon name="video" size={32} />
        <p className="t-18 m">{name}</p>
        {player.frame ? (
          <>
            <Button look="primary" onClick={() => setOn(true)}>
              {t(recording.kind === "tour" ? "property.start_tour" : "property.play_video", { platform })}
            </Button>
            <p className="t-14 soft">{t("property.loads_when_pressed", { platform })}</p>
          </>
        ) : null}
      </div>
      <Elsewhere url={recording.url} platform={platform} />
    </div>
  );
}

function Elsewhere({ url, platform }: { url: string; platform: string }) {
  const { t } = useI18n();
  return (
    <a className="link-ink t-14 tap" href={url} target="_blank" rel="noopener noreferrer">
      {t("property.open_elsewhere", { platform })}
    </a>
  );
}
