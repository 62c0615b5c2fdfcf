import { useId } from "react";
import type { MessageChannel } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";

interface ChannelChoiceProps {
  channels: readonly MessageChannel[];
  channel: MessageChannel;
  onChange: (channel: MessageChannel) => void;
}

/** By which way a message goes; nothing to choose where there is one. */
export function ChannelChoice({ channels, channel, onChange }: ChannelChoiceProps) {
  const { t } = useI18n();
  const id = useId();
  if (channels.length < 2) return null;
  return (
    <>
      <label className="label" htmlFor={id}>
        {t("desk.channel")}
      </label>
      <select
        id={id}
        className="field"
        value={channel}
        onChange={(event) => onChange(channels.find((one) => one === event.target.value) ?? "email")}
      >
        {channels.map((one) => (
          <option key={one} value={one}>
            {t(`desk.channel_${one}`)}
          </option>
        ))}
      </select>
    </>
  );
}
