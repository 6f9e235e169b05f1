/**
 * Where toasts are: in a place of their own, so that they cover nothing that can be clicked. The element that holds them is
 * moved between the places, and not drawn anew: a toast keeps its time.
 */
const places: { level: number; element: HTMLElement }[] = [];
let host: HTMLElement | undefined;

/** Above the thread of an open conversation, in an open dialog, otherwise below the page. */
const LEVELS = { page: 0, thread: 1, dialog: 2 };

/** The element that holds the toasts. */
export function toastHost(): HTMLElement {
  if (!host) {
    host = document.createElement("div");
    move();
  }
  return host;
}

/** A place for toasts. The highest one is used, and of the same level the latest. */
export function ToastPlace({ of }: { of: keyof typeof LEVELS }) {
  return <div ref={refs[of]} className="shrink-0" />;
}

const refs = { page: placeAt(LEVELS.page), thread: placeAt(LEVELS.thread), dialog: placeAt(LEVELS.dialog) };

function placeAt(level: number) {
  return (element: HTMLElement | null) => {
    if (!element) return undefined;
    const place = { level, element };
    places.push(place);
    move();
    return () => {
      places.splice(places.indexOf(place), 1);
      move();
    };
  };
}

function move(): void {
  const place = places.toSorted((one, next) => one.level - next.level).at(-1);
  if (!host) return;
  // Screens without a place, such as the one to sign in, have room at their lower end.
  host.className = place ? "" : "fixed inset-x-0 bottom-0 z-50";
  (place?.element ?? document.body).append(host);
}
