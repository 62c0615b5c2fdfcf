import { loadAreas } from "../../i18n/catalogue.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Arriving } from "../../ui/arriving.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { showMirror, useMirrorShown } from "./mirrored.ts";

const Mirror = lazyPart(async () => {
  const lang = document.documentElement.lang === "zh" ? "zh" : "en";
  const [part] = await Promise.all([
    import("../mirror/Mirror.tsx"),
    import("../../ui/moreIcons.ts"),
    loadAreas(lang, ["mirror"]),
  ]);
  return part.Mirror;
});

/** What the mirror shows, once it was asked for. */
export function MirrorPart({ inDialog = false }: { inDialog?: boolean }) {
  if (!useMirrorShown()) return null;
  return (
    <Arriving>
      <Mirror inDialog={inDialog} />
    </Arriving>
  );
}

/** The press that asks for a code. */
export function MirrorAsk() {
  const { t } = useI18n();
  if (useMirrorShown()) return null;
  return (
    <button type="button" className="link t-14" onClick={() => showMirror(true)}>
      {t("ui.show_support")}
    </button>
  );
}
