import { loadAreas } from "../../i18n/catalogue.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { pageLanguage } from "../../i18n/languages.ts";
import { Arriving } from "../../ui/arriving.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { showMirror, useMirrorShown } from "./mirrored.ts";

const Mirror = lazyPart(async () => {
  const [part] = await Promise.all([
    import("../mirror/Mirror.tsx"),
    import("../../ui/moreIcons.ts"),
    loadAreas(pageLanguage(), ["mirror"]),
  ]);
  return part.Mirror;
});

/** What the mirror shows, once it was asked for; a dialog has a place above its fields and one below them. */
export function MirrorPart({ inDialog }: { inDialog?: "above" | "below" }) {
  if (!useMirrorShown()) return null;
  return (
    <Arriving>
      <Mirror inDialog={inDialog} />
    </Arriving>
  );
}

/** The press that asks for a code; it stands alone, below everything that is filled in or pressed. */
export function MirrorAsk() {
  const { t } = useI18n();
  if (useMirrorShown()) return null;
  return (
    <p className="mirror-ask">
      <button type="button" className="link t-14" onClick={() => showMirror(true)}>
        {t("ui.show_support")}
      </button>
    </p>
  );
}
