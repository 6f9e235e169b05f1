/**
 * Renders the frame: `draw(body, <App/>)` changes only what differs, so that focus, selection and scroll positions stay.
 * Components are plain functions; their state is in `frame-state.ts`.
 *
 * Our own, because every visitor loads every byte: Preact with its hooks weighs 5.8 kB (gzip) of the 15 kB that the whole
 * script may have, this 0.9 kB. Left out: state in components, contexts, hydration.
 */

type Handler = ((event: never) => void) | undefined;
type Value = string | number | boolean | null | undefined | Handler;
export type Child = View | string | number | boolean | null | undefined | readonly Child[];
type Attributes = Record<string, Value>;

export interface View {
  tag: string;
  key: string | number | undefined;
  attributes: Attributes;
  children: readonly Child[];
}

/** The DOM nodes of a view's child. */
interface Drawn {
  node: Element | Text;
  made: View | string;
  children: Map<string, Drawn>;
}

export declare namespace JSX {
  type Element = Child;
  interface ElementChildrenAttribute {
    children: Child;
  }
  interface IntrinsicAttributes {
    key?: string | number;
  }
  interface IntrinsicElements {
    // biome-ignore lint/suspicious/noExplicitAny: events differ from element to element
    [tag: string]: { children?: Child; key?: string | number; [name: string]: any };
  }
}

/** Called by compiled JSX. */
export function jsx(
  // biome-ignore lint/suspicious/noExplicitAny: a component's own props are checked where it is used
  tag: string | ((props: any) => Child),
  props: Attributes & { children?: Child },
  key?: string | number,
): Child {
  if (typeof tag === "function") return tag(props);
  const { children, ...attributes } = props;
  return { tag, key, attributes, children: isList(children) ? children : [children] };
}

export { jsx as jsxs };

export const Fragment = ({ children }: { children: Child }): Child => children;

const roots = new WeakMap<Element, Map<string, Drawn>>();

/** Renders the content of `parent`. */
export function draw(parent: Element, content: Child): void {
  roots.set(parent, drawChildren(parent, roots.get(parent) ?? new Map(), placed([content])));
}

/** Children by position: the same position in two renderings is the same element, whatever was added or removed beside it. */
function placed(children: readonly Child[], prefix = "", into = new Map<string, View | string>()) {
  children.forEach((child, index) => {
    if (child === null || child === undefined || child === false || child === true || child === "") return;
    if (isList(child)) placed(child, `${prefix}${index}/`, into);
    else if (typeof child === "object")
      into.set(child.key === undefined ? prefix + index : `${prefix}=${child.key}`, child);
    else into.set(prefix + index, String(child));
  });
  return into;
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child);

function drawChildren(parent: Element, before: Map<string, Drawn>, wanted: Map<string, View | string>) {
  // First, so that the remaining elements are in order and need not be moved: moving loses the focus.
  for (const [place, { node, made }] of before) {
    if (sameKind(made, wanted.get(place))) continue;
    node.remove();
    before.delete(place);
  }
  const after = new Map<string, Drawn>();
  let next = parent.firstChild;
  for (const [place, made] of wanted) {
    const drawn = drawOne(before.get(place), made, parent);
    if (drawn.node === next) next = next.nextSibling;
    else parent.insertBefore(drawn.node, next);
    after.set(place, drawn);
  }
  return after;
}

function sameKind(one: View | string, other: View | string | undefined): boolean {
  // A text has no tag.
  return typeof one === typeof other && (one as View).tag === (other as View).tag;
}

function drawOne(before: Drawn | undefined, made: View | string, parent: Element): Drawn {
  if (typeof made === "string") {
    const node = (before?.node as Text | undefined) ?? document.createTextNode(made);
    if (node.data !== made) node.data = made;
    return { node, made, children: new Map() };
  }
  const namespace = made.tag === "svg" ? "http://www.w3.org/2000/svg" : parent.namespaceURI;
  const node = (before?.node as Element | undefined) ?? document.createElementNS(namespace, made.tag);
  const old = (before?.made as View | undefined)?.attributes ?? {};
  for (const name of Object.keys({ ...old, ...made.attributes })) set(node, name, old[name], made.attributes[name]);
  return { node, made, children: drawChildren(node, before?.children ?? new Map(), placed(made.children)) };
}

function set(node: Element, name: string, old: Value, value: Value): void {
  if (name === "value") {
    // Compared with the element, not with the last rendering: the visitor has typed since.
    const box = node as HTMLInputElement;
    if (box.value !== value) box.value = value as string;
  } else if (old === value) {
    return;
  } else if (name.startsWith("on")) {
    (node as unknown as Record<string, Value>)[name.toLowerCase()] = value ?? null;
  } else if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, String(value));
  }
}
