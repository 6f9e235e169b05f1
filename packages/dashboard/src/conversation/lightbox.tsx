import { Dialog } from "@base-ui/react/dialog";
import { ChevronLeft, ChevronRight, Download, Maximize, X, ZoomIn, ZoomOut } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { numberOf } from "../texts/dates.ts";
import { direction, t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import type { ShownAttachment } from "./attachments-of.tsx";
import { focusAfter, type OpenedPicture } from "./opened-picture.ts";
import { PAN_STEP, type PictureView, panned, WHOLE, ZOOM_STEP, zoomed } from "./picture-zoom.ts";

const MIDDLE = { x: 0, y: 0 };
/** Zoom factor of one wheel step. */
const WHEEL_SPEED = 0.002;

/** An image viewer with zoom by buttons, keys, wheel or two fingers. Arrow keys show the thread's next image. */
export function Lightbox({
  pictures,
  opened,
  onShow,
  onClose,
}: {
  /** The images of the thread, oldest first. */
  pictures: readonly ShownAttachment[];
  opened: OpenedPicture;
  onShow(url: string): void;
  onClose(): void;
}) {
  const popup = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<PictureView>(WHOLE);
  const at = pictures.findIndex(({ url }) => url === opened.url);
  const picture = pictures[at] ?? { url: opened.url };
  const label = picture.name ?? t("picture");
  const size = () => stage.current?.getBoundingClientRect() ?? new DOMRect();
  const zoom = (factor: number, around = MIDDLE) => setView((before) => zoomed(before, factor, around, size()));
  const pan = (x: number, y: number) => setView((before) => panned(before, { x, y }, size()));
  const show = (next: number) => {
    const url = pictures[next]?.url;
    if (url !== undefined) onShow(url);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image starts fully visible
  useLayoutEffect(() => setView(WHOLE), [opened.url]);
  const pointerHandlers = usePointerHandlers({ view, zoom, pan, stage, onBeside: onClose });
  const press = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const isZoomed = view.scale > 1;
    const forward = direction === "ltr" ? 1 : -1;
    const acts: Record<string, () => void> = {
      "+": () => zoom(ZOOM_STEP),
      "=": () => zoom(ZOOM_STEP),
      "-": () => zoom(1 / ZOOM_STEP),
      "0": () => setView(WHOLE),
      ArrowRight: () => (isZoomed ? pan(-PAN_STEP, 0) : show(at + forward)),
      ArrowLeft: () => (isZoomed ? pan(PAN_STEP, 0) : show(at - forward)),
      ArrowDown: () => pan(0, -PAN_STEP),
      ArrowUp: () => pan(0, PAN_STEP),
      PageDown: () => show(at + 1),
      PageUp: () => show(at - 1),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="rises fixed inset-0 z-50 bg-scrim" />
        <Dialog.Popup
          onKeyDown={press}
          // No button gets the initial focus: the keys do what the buttons do.
          ref={popup}
          initialFocus={popup}
          finalFocus={() => focusAfter(opened) ?? true}
          className="rises fixed inset-0 z-50 flex flex-col bg-scrim outline-none"
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <div
            {...pointerHandlers}
            className={cx(
              "flex min-h-0 flex-1 touch-none select-none items-center justify-center overflow-hidden p-4",
              view.scale > 1 ? "cursor-grab active:cursor-grabbing" : "cursor-zoom-in",
            )}
          >
            <img
              src={picture.url}
              alt={label}
              draggable={false}
              className="max-h-full min-h-0 max-w-full rounded-menu bg-surface object-contain"
              style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
            />
          </div>
          <div className="mx-auto mb-4 flex max-w-[calc(100vw-1rem)] items-center gap-1 rounded-menu border border-line bg-raised p-1 shadow-menu">
            {pictures.length > 1 && (
              <>
                <IconButton
                  label={t("picture.previous")}
                  disabled={at <= 0}
                  focusableWhenDisabled
                  onClick={() => show(at - 1)}
                >
                  <ChevronLeft size={16} className="rtl:-scale-x-100" />
                </IconButton>
                <span className="numbers px-1 text-meta text-muted max-md:sr-only" role="status">
                  {t("picture.place", { at: at + 1, all: pictures.length })}
                </span>
                <IconButton
                  label={t("picture.next")}
                  disabled={at >= pictures.length - 1}
                  focusableWhenDisabled
                  onClick={() => show(at + 1)}
                >
                  <ChevronRight size={16} className="rtl:-scale-x-100" />
                </IconButton>
                <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
              </>
            )}
            <IconButton
              label={t("picture.smaller")}
              keys="-"
              disabled={view.scale <= 1}
              focusableWhenDisabled
              onClick={() => zoom(1 / ZOOM_STEP)}
            >
              <ZoomOut size={16} />
            </IconButton>
            <span className="numbers w-12 text-center text-meta text-muted max-md:sr-only" role="status">
              {t("picture.zoom", { percent: numberOf(Math.round(view.scale * 100)) })}
            </span>
            <IconButton label={t("picture.larger")} keys="Plus" onClick={() => zoom(ZOOM_STEP)}>
              <ZoomIn size={16} />
            </IconButton>
            <IconButton label={t("picture.whole")} keys="0" onClick={() => setView(WHOLE)} className="max-md:hidden">
              <Maximize size={16} />
            </IconButton>
            <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
            <a
              href={picture.url}
              download={picture.name ?? ""}
              aria-label={t("download")}
              title={t("download")}
              className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
            >
              <Download size={16} aria-hidden="true" />
            </a>
            <Dialog.Close
              render={
                <IconButton label={t("close")} keys="Escape">
                  <X size={16} />
                </IconButton>
              }
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Handlers for mouse, wheel and touch. */
function usePointerHandlers({
  view,
  zoom,
  pan,
  stage,
  onBeside,
}: {
  view: PictureView;
  zoom(factor: number, around?: { x: number; y: number }): void;
  pan(x: number, y: number): void;
  stage: RefObject<HTMLDivElement | null>;
  /** A click beside the image. */
  onBeside(): void;
}) {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const moved = useRef(false);
  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top, width, height } = stage.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const turn = useRef((_: WheelEvent) => {});
  turn.current = (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * WHEEL_SPEED), fromMiddle(event));
  };
  const ref = useCallback(
    (place: HTMLDivElement) => {
      stage.current = place;
      // React's own listener could not prevent the page from being zoomed.
      const onWheel = (event: WheelEvent) => turn.current(event);
      place.addEventListener("wheel", onWheel, { passive: false });
      return () => place.removeEventListener("wheel", onWheel);
    },
    [stage],
  );
  const leave = ({ pointerId }: PointerEvent) => {
    pointers.current.delete(pointerId);
  };
  return {
    ref,
    onPointerDown(event: PointerEvent) {
      if (pointers.current.size === 0) moved.current = false;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove(event: PointerEvent) {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const [other] = [...pointers.current].flatMap(([id, place]) => (id === event.pointerId ? [] : [place]));
      pointers.current.set(event.pointerId, now);
      if (distance(before, now) > 0 && !moved.current) {
        moved.current = true;
        // Not earlier: a click must be recognized as on the image or beside it.
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      if (!other) pan(now.x - before.x, now.y - before.y);
      else if (distance(other, before) > 0) {
        const middle = { clientX: (other.x + now.x) / 2, clientY: (other.y + now.y) / 2 };
        zoom(distance(other, now) / distance(other, before), fromMiddle(middle));
      }
    },
    onPointerUp: leave,
    onPointerCancel: leave,
    /** A click without a drag zooms in, the next one out. */
    onClick(event: MouseEvent) {
      if (moved.current) return;
      if (event.target === stage.current) return onBeside();
      zoom(view.scale > 1 ? 1 / view.scale : 2, fromMiddle(event));
    },
  };
}

const distance = (one: { x: number; y: number }, other: { x: number; y: number }) =>
  Math.hypot(one.x - other.x, one.y - other.y);
