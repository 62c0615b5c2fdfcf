import { useI18n } from "../../i18n/i18n.tsx";
import { useModal } from "../ui/dialog.tsx";
import { PlaceSearch } from "../ui/search/PlaceSearch.tsx";

/** The search over the page: below the header on a wide window, the whole screen on a phone. */
export default function SearchOverlay({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const { element, closing, close } = useModal({ onClose });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, the browser handles it
    <dialog
      ref={element}
      className={`modal modal-search${closing ? " closing" : ""}`}
      aria-label={t("shell.search_label")}
      onClick={(event) => (event.target === element.current ? close() : undefined)}
    >
      <PlaceSearch autoFocus onGone={close} />
    </dialog>
  );
}
