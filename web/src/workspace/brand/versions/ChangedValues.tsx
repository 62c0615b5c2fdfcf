import { useI18n } from "../../../i18n/i18n.tsx";
import type { BrandPicture, BrandValues } from "../brandCalls.ts";
import { listValues } from "../brandEdit.ts";
import { useValueText } from "../useValueText.ts";

interface ChangedValuesProps {
  names: readonly string[];
  from: BrandValues;
  to: BrandValues;
  pictures: readonly BrandPicture[];
}

/** Values that changed, each from what to what. */
export function ChangedValues({ names, from, to, pictures }: ChangedValuesProps) {
  const { t } = useI18n();
  const say = useValueText(pictures);
  return (
    <ul className="brand-changes">
      {listValues(names).map((name) => {
        const isColour = name.endsWith("_colour");
        const write = (values: BrandValues) => {
          const said = say(name, values) ?? t("brand.as_shipped");
          return isColour && said.startsWith("#") ? <Swatch colour={said} /> : said;
        };
        return (
          <li key={name}>
            <b>{t(`brand.value_${name}`)}</b> <del>{write(from)}</del> <ins>{write(to)}</ins>
          </li>
        );
      })}
    </ul>
  );
}

function Swatch({ colour }: { colour: string }) {
  return (
    <>
      <i className="brand-dot" style={{ background: colour }} />
      {colour}
    </>
  );
}
