/** What a browser's translation wraps a text in. */
const wrapper = "FONT";

/** The element that stands where a text of the page stood before it was translated. */
const standIns = new WeakMap<Node, ChildNode>();

/**
 * Lets the page change while a browser translates it. Translation takes texts out and puts `<font>` elements in their place;
 * React still holds the texts, so that its next `removeChild` or `insertBefore` throws and the page dies, or a new text goes
 * to a node that nobody sees. Here it is remembered what stands for which text: what React does to the text is done to that,
 * and a text that changes comes back in its place, to be translated anew.
 */
export function surviveTranslation(root: Node): void {
  const observer = new MutationObserver((records) => note(records, observer));
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  const upToDate = () => note(observer.takeRecords(), observer);
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode !== this) upToDate();
    const there = child.parentNode === this ? null : standing(this, child);
    removeChild.call(this, there ?? child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, added: T, before: Node | null): T {
    if (before && before.parentNode !== this) upToDate();
    takeStandInAway(this, added);
    const next = before && before.parentNode !== this ? (standing(this, before) ?? before) : before;
    insertBefore.call(this, added, next);
    return added;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, added: T): T {
    takeStandInAway(this, added);
    appendChild.call(this, added);
    return added;
  };
}

/** The child of `parent` that shows the text `child`. */
function standing(parent: Node, child: Node): ChildNode | null {
  for (let at = child.parentNode; at; at = at.parentNode) {
    if (at.parentNode === parent && at instanceof Element && at.tagName === wrapper) return at;
  }
  const known = standIns.get(child);
  return known?.parentNode === parent ? known : null;
}

// A text that moves is shown once: what stood for it goes. The translation itself puts a text into its own wrapper.
function takeStandInAway(parent: Node, moved: Node): void {
  const there = standIns.get(moved);
  if (!there || there.parentNode !== parent) return;
  standIns.delete(moved);
  there.remove();
}

function note(records: readonly MutationRecord[], observer: MutationObserver): void {
  for (const record of records) {
    if (record.type === "characterData") putBack(record.target);
    else for (const gone of record.removedNodes) if (gone instanceof Text) noteGone(gone, record, observer);
  }
}

function noteGone(text: Text, record: MutationRecord, observer: MutationObserver): void {
  if (text.isConnected) return;
  const around = [...record.addedNodes, record.previousSibling, record.nextSibling];
  const there = around.find((node) => node instanceof Element && node.tagName === wrapper && node.isConnected);
  if (!(there instanceof Element)) return;
  standIns.set(text, there);
  observer.observe(text, { characterData: true });
}

/** A text that changed while something else stood for it. */
function putBack(text: Node): void {
  const there = standIns.get(text);
  if (!(text instanceof Text) || !there?.parentNode || text.isConnected) return;
  standIns.delete(text);
  there.replaceWith(text);
}
