import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { faultsOf, useFailureText } from "../../failure.ts";
import { useOnePress } from "../../useOnePress.ts";
import { type BrandPicture, brandQuery, uploadPicture } from "../brandCalls.ts";
import type { BrandDesk } from "../useBrandDesk.ts";

const ACCEPTED = "image/svg+xml,image/png,image/jpeg,image/webp";

interface PictureFieldProps {
  desk: BrandDesk;
  name: "logo" | "logo_dark" | "favicon" | "app_icon" | "social_picture";
  /** The ground that it is meant for. */
  ground?: "light" | "dark";
  hint?: string;
}

/** A picture of the brand: sent when it is chosen, shown on its ground, and what was refused of the file. */
export function PictureField({ desk, name, ground = "light", hint }: PictureFieldProps) {
  const { t } = useI18n();
  const input = useId();
  const failureText = useFailureText();
  const { press, sent } = useSendingPicture((content) => desk.change({ [name]: content }));
  const picture = desk.brand.pictures.find(({ content }) => content === desk.shown[name]);
  const label = t(`brand.value_${name}`);
  const refused =
    press.error === null ? undefined : ([...faultsOf(press.error).values()][0] ?? failureText(press.error));
  const fault = refused ?? desk.faults.get(name);
  const described = [
    ...(hint === undefined ? [] : [`${input}-hint`]),
    ...(fault === undefined ? [] : [`${input}-err`]),
  ];
  return (
    <div className="brand-picture">
      <div className={`on-${ground}`}>
        {picture === undefined ? (
          <span>{desk.shown[name] ? t("brand.a_picture") : t("brand.no_picture")}</span>
        ) : (
          <img src={picture.url} alt={t("brand.picture_alt", { value: label })} />
        )}
      </div>
      <div className="row">
        <b className="grow">{label}</b>
        <input
          id={input}
          className="vh"
          type="file"
          accept={ACCEPTED}
          disabled={desk.isPast || press.isPending}
          aria-describedby={described.join(" ") || undefined}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            if (file !== undefined) press.send(file);
          }}
        />
        <label htmlFor={input} className="btn sm">
          {t(picture === undefined ? "brand.choose_file" : "brand.replace")}
          <span className="vh"> {label}</span>
        </label>
        {desk.shown[name] ? (
          <button
            type="button"
            className="btn sm quiet"
            disabled={desk.isPast}
            onClick={() => desk.change({ [name]: null })}
          >
            {t("brand.remove")}
            <span className="vh"> {label}</span>
          </button>
        ) : null}
      </div>
      {press.isPending ? <progress aria-label={t("brand.sending", { value: label })} max={1} value={sent} /> : null}
      {hint === undefined ? null : (
        <p className="sub" id={`${input}-hint`}>
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p className="err" role="alert" id={`${input}-err`}>
          {press.error === null ? fault : t("brand.file_refused", { file: press.variables?.name ?? "", why: fault })}
        </p>
      )}
    </div>
  );
}

/** Sends a file, and puts the picture that came of it among those that are known. */
function useSendingPicture(onDone: (content: string) => void) {
  const client = useQueryClient();
  const [sent, setSent] = useState(0);
  const press = useOnePress<BrandPicture, File>({
    mutationFn: (file) => {
      setSent(0);
      return uploadPicture(file, setSent);
    },
    onSuccess: async (picture) => {
      client.setQueryData(
        brandQuery.queryKey,
        (brand) =>
          brand && {
            ...brand,
            pictures: [...brand.pictures.filter(({ content }) => content !== picture.content), picture],
          },
      );
      // An upload is an event of the brand: the next change names the revision after it.
      await client.invalidateQueries({ queryKey: brandQuery.queryKey, exact: true });
      onDone(picture.content);
    },
  });
  return { press, sent };
}
