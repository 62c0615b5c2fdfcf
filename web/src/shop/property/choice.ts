import type { RoomOption, RoomType } from "../../contract/wire.ts";

/** The room and dates the visitor looks at; `otherDates` when none of those offered suits. */
export interface Choice {
  typeId: string | null;
  option: RoomOption | null;
  otherDates: boolean;
}

/** The cheapest room that is left; a page never opens on a sold-out one while another is free. */
export function firstChoice(types: readonly RoomType[]): Choice {
  const free = types.flatMap((type) =>
    type.options.filter(({ rooms_left }) => rooms_left !== 0).map((option) => ({ type, option })),
  );
  const all = types.flatMap((type) => type.options.map((option) => ({ type, option })));
  const [best] = (free.length > 0 ? free : all).sort(
    (a, b) => a.option.price.amount_minor - b.option.price.amount_minor,
  );
  return { typeId: best?.type.id ?? types[0]?.id ?? null, option: best?.option ?? null, otherDates: false };
}

/** Another room type, at the chosen dates where it has them. */
export function withType(types: readonly RoomType[], choice: Choice, typeId: string): Choice {
  const options = optionsOf(types, typeId);
  const same = options.find(
    (option) =>
      option.move_in_date === choice.option?.move_in_date && option.lease_duration === choice.option.lease_duration,
  );
  return { typeId, option: same ?? options[0] ?? null, otherDates: false };
}

/** Another move-in date: the chosen stay where it is offered for it. */
export function withDate(types: readonly RoomType[], choice: Choice, date: string): Choice {
  if (date === "other") return { ...choice, option: null, otherDates: true };
  const on = optionsOf(types, choice.typeId).filter((option) => option.move_in_date === date);
  const same = on.find((option) => option.lease_duration === choice.option?.lease_duration);
  return { ...choice, option: same ?? on[0] ?? null, otherDates: false };
}

export function optionsOf(types: readonly RoomType[], typeId: string | null): readonly RoomOption[] {
  return types.find(({ id }) => id === typeId)?.options ?? [];
}
