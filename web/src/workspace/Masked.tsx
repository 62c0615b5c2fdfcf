import { Fragment } from "react";

/** A personal value as the server masked it: dots in softer ink, never counted to the original length. */
export function Masked({ value }: { value: string }) {
  const parts = value.split(/(•+)/);
  return (
    <span className="mask">
      {parts.map((part, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one value have no other name and never move
        return part.startsWith("•") ? <i key={index}>{part}</i> : <Fragment key={index}>{part}</Fragment>;
      })}
    </span>
  );
}
