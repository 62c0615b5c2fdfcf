/** What stands where a text of the page stood: a copy of it, its translation, or its words one by one, in their order. */
const standIns = new WeakMap<Node, ChildNode[]>();
/** The text that such a node stands for. */
const originals = new WeakMap<Node, Text>();

const { removeChild, insertBefore, appendChild } = Node.prototype;

/**
 * Lets the page change while something else changes its texts: a browser's translation, an extension that marks or explains words.
 * They take texts out and put elements in their place, or cut them into pieces; React still holds the texts, so that its next
 * `removeChild` or `insertBefore` throws and the page dies, or a new text goes to a node that is not on the page. Here it is remembered what
 * stands for which text, whatever element that is: what React does to the text is done to that, and a text that changes comes back in
 * its place.
 */
export function surviveTranslation(root: Node): void {
  const observer = new MutationObserver((records) => note(records, observer));
  observer.observe(root, { childList: true, characterData: true, characterDataOldValue: true, subtree: true });
  const upToDate = () => note(observer.takeRecords(), observer);
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode !== this) upToDate();
    takeAway(this, child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, added: T, before: Node | null): T {
    if (before && before.parentNode !== this) upToDate();
    takeStandInsAway(this, added);
    insertBefore.call(this, added, before && placeOf(this, before));
    return added;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, added: T): T {
    takeStandInsAway(this, added);
    appendChild.call(this, added);
    return added;
  };
}

/** React marks each node that it made, as soon as it is made, and those it draws into. All others somebody else has put there. */
function isReacts(node: Node): boolean {
  return Object.keys(node).some((key) => key.startsWith("__reactFiber$") || key.startsWith("__reactContainer$"));
}

const isForeign = (node: Node | null): node is ChildNode =>
  (node instanceof Element || node instanceof Text) && !isReacts(node);

/** Removes a child, or what stands for it. A text that nothing stands for any more is gone already. */
function takeAway(parent: Node, child: Node): void {
  // React takes nothing out of what others have put there.
  if (isForeign(parent)) {
    removeChild.call(parent, child);
    return;
  }
  const there = standing(parent, child);
  forget(child);
  if (child.parentNode === parent) removeChild.call(parent, child);
  else if (there.length === 0 && !isReacts(child)) removeChild.call(parent, child);
  for (const node of there) node.remove();
}

/** Where to put what belongs before a child that may be gone; the end, where nothing tells. */
function placeOf(parent: Node, before: Node): Node | null {
  if (before.parentNode === parent) return before;
  const [first] = standing(parent, before);
  return first ?? (isReacts(before) ? null : before);
}

/** The nodes of `parent` that show the child besides, or instead of, itself. */
function standing(parent: Node, child: Node): ChildNode[] {
  const known = (standIns.get(child) ?? []).filter((node) => node.parentNode === parent);
  if (known.length > 0 || child.parentNode === parent) return known;
  const wrapper = outermost(child);
  if (wrapper === child || wrapper.parentNode !== parent) return [];
  return [hasOthers(wrapper, child) ? child : wrapper].filter(
    (node) => node instanceof Element || node instanceof Text,
  );
}

/** The node itself, or the outermost of the foreign elements that were put around it. */
function outermost(node: Node): Node {
  let at = node;
  while (at.parentNode && isForeign(at.parentNode)) at = at.parentNode;
  return at;
}

function hasOthers(wrapper: Node, child: Node): boolean {
  const walker = document.createTreeWalker(wrapper);
  while (walker.nextNode()) if (walker.currentNode !== child && isReacts(walker.currentNode)) return true;
  return false;
}

// A text that moves is shown once: what stood for it goes. Who wraps a text puts it into an element of their own.
function takeStandInsAway(parent: Node, moved: Node): void {
  const there = standIns.get(moved)?.filter((node) => node.parentNode === parent) ?? [];
  if (there.length === 0) return;
  forget(moved);
  for (const node of there) node.remove();
}

function forget(text: Node): void {
  for (const node of standIns.get(text) ?? []) originals.delete(node);
  standIns.delete(text);
}

function remember(text: Text, there: ChildNode[], observer: MutationObserver): void {
  forget(text);
  standIns.set(text, there);
  for (const node of there) originals.set(node, text);
  // It may be out of the page, where the page's observer does not see it change.
  observer.observe(text, { characterData: true, characterDataOldValue: true });
}

function note(records: readonly MutationRecord[], observer: MutationObserver): void {
  const added = new Set(records.flatMap((record) => [...record.addedNodes]).filter(isForeign));
  for (const record of records) {
    for (const gone of record.removedNodes) {
      const original = originals.get(gone);
      if (original) noteReplaced(original, gone, record, added, observer);
      else if (gone instanceof Text && isReacts(gone)) noteGone(gone, record, added, observer);
    }
  }
  const cut = new Set<Node>();
  for (const { type, target, oldValue } of records) {
    if (type !== "characterData" || !(target instanceof Text) || !isReacts(target) || cut.has(target)) continue;
    if (noteCut(target, oldValue, observer)) cut.add(target);
    else putBack(target);
  }
}

/** Notes what stands where a text was taken out, or around it where it was put into something. */
function noteGone(text: Text, record: MutationRecord, added: ReadonlySet<Node>, observer: MutationObserver): void {
  const parent = record.target;
  // Within what stands for it already, it may be wrapped once more.
  if (isForeign(parent) || text.parentNode === parent || (text.isConnected && !parent.contains(text))) return;
  const there = findNew(record, added);
  if (there.length > 0) remember(text, there, observer);
}

/** The foreign nodes that came where a record took something out; the next record may replace them in their turn. */
function findNew(record: MutationRecord, added: ReadonlySet<Node>): ChildNode[] {
  const there = [...record.addedNodes].filter(isForeign);
  if (there.length > 0) return there;
  const isNew = (node: Node | null): node is ChildNode => isForeign(node) && added.has(node) && !originals.has(node);
  for (let at = record.previousSibling; isNew(at); at = at.previousSibling) there.unshift(at);
  for (let at = record.nextSibling; isNew(at); at = at.nextSibling) there.push(at);
  return there;
}

/** What stood for a text was replaced in its turn, such as by a second translation. */
function noteReplaced(
  text: Text,
  gone: Node,
  record: MutationRecord,
  added: ReadonlySet<Node>,
  observer: MutationObserver,
): void {
  if (text.parentNode === record.target) {
    forget(text);
    return;
  }
  const next = findNew(record, added);
  const there = standIns.get(text) ?? [];
  remember(
    text,
    there.flatMap((node) => (node === gone ? next : [node])),
    observer,
  );
}

/** A text was cut and its rest put behind it, in one piece or several: together they read as before. */
function noteCut(text: Text, before: string | null, observer: MutationObserver): boolean {
  const rest: ChildNode[] = [];
  let read = text.data;
  // Where the pieces are wrapped, the rest may be behind what the text is in.
  for (let at: Node | null = text; isForeign(at) || at === text; at = at.parentNode) {
    for (let next = at.nextSibling; isForeign(next) && read !== before; next = next.nextSibling) {
      rest.push(next);
      read += next.textContent ?? "";
    }
  }
  if (rest.length === 0 || read !== before) return false;
  const first = outermost(text);
  remember(text, first === text || !isForeign(first) ? rest : [first, ...rest], observer);
  return true;
}

/** A text changed: it shows itself again, once, in the place of whatever stood for it. */
function putBack(text: Text): void {
  const there = standIns.get(text)?.filter((node) => node.isConnected) ?? [];
  if (there.length === 0) return;
  const around = there.find((node) => node.contains(text));
  forget(text);
  const [first] = there;
  if (!text.isConnected) first?.before(text);
  for (const node of there) if (node !== around) node.remove();
}
