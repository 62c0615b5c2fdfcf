import { Fragment, type ReactNode } from "react";
import { Scrolling } from "./Scrolling.tsx";

/** JSON as stored, numbered by line, keys, texts and numbers told apart. */
export function Json({ value }: { value: unknown }) {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return (
    <Scrolling as="pre" className="json">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
        <Fragment key={index}>
          <span className="ln">{index + 1}</span>
          {coloured(line)}
          {"\n"}
        </Fragment>
      ))}
    </Scrolling>
  );
}

const LINE = /^(\s*)("(?:[^"\\]|\\.)*")?(: )?(.*?)(,?)$/;

function coloured(line: string): ReactNode {
  const [, indent = "", first, colon = "", rest = "", comma = ""] = LINE.exec(line) ?? [];
  const key = colon === "" ? undefined : first;
  const value = colon === "" ? (first ?? "") + rest : rest;
  return (
    <>
      {indent}
      {key === undefined ? null : <i>{key}</i>}
      {colon}
      {value.startsWith('"') ? <b>{value}</b> : /^(-?\d|true|false|null)/.test(value) ? <u>{value}</u> : value}
      {comma}
    </>
  );
}
