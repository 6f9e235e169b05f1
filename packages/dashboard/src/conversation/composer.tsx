import { BookOpen, Lock, Paperclip, Send, Smile } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";
import { isComposing, isShortcutPress } from "../shell/shortcut-keys.ts";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { IS_APPLE, Keys } from "../ui/keys.tsx";
import { AttachmentTray } from "./attachment-tray.tsx";
import { type Suggestion, SuggestionList, type SuggestionSource, useSuggestions } from "./suggestions.tsx";
import type { Uploads } from "./uploads.ts";
import { useFileDrop } from "./use-file-drop.ts";

/** What can be done with the field besides typing. */
export interface Inserting {
  /** Inserts the sign of suggestions, and opens their list. */
  begin(sign: string): void;
}

export type Mode = "reply" | "note";

const CONTENT_MAX = 10_000;
/** The remaining length is shown from this length on. */
const NEAR_MAX = 9_000;

/**
 * The field for a reply to the visitor or a note for the team. They look different, so that no note is sent as a reply.
 */
export function Composer({
  mode,
  onMode,
  text,
  onText,
  label,
  disabled,
  maySend,
  hint,
  uploads,
  sources,
  sendWith,
  canResolve,
  fieldRef,
  inserting,
  tools,
  ghost,
  onFocus,
  onEscape,
  onShortcut,
  onSend,
  onUndo,
}: {
  mode: Mode;
  onMode(mode: Mode): void;
  text: string;
  onText(text: string): void;
  /** What a reply is called. */
  label: string;
  /** Why writing is disabled; undefined when it is enabled. */
  disabled: string | undefined;
  /** Whether it can be sent; what is written stays. `hint` says why not. */
  maySend: boolean;
  /** Shown above the field: other agents who write, or a missing connection. */
  hint?: ReactNode;
  uploads: Uploads;
  sources: readonly SuggestionSource[];
  sendWith: "enter" | "mod-enter";
  canResolve: boolean;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  inserting: RefObject<Inserting | null>;
  /** Buttons beside those of the field. */
  tools?: ReactNode;
  /** A text suggested for the field, shown in it while it is empty. */
  ghost?: string | undefined;
  /** Called when the field gets the focus or loses it. */
  onFocus?: ((isFocused: boolean) => void) | undefined;
  /** Ends what is being written into the field or suggested for it; undefined when nothing is. */
  onEscape?: (() => void) | undefined;
  /** Whether it has handled a key of its own. */
  onShortcut?: ((event: globalThis.KeyboardEvent) => boolean) | undefined;
  onSend(resolve: boolean): void;
  /** Undoes the reply that was sent last; undefined when it cannot be undone. */
  onUndo: (() => void) | undefined;
}) {
  const suggestions = useSuggestions({ sources, text, onText, field: fieldRef });
  useImperativeHandle(inserting, () => ({ begin: suggestions.begin }));
  const over = useFileDrop(uploads.add);
  const isNote = mode === "note";
  const isEmpty = text.trim() === "" && uploads.files.length === 0;
  const limitId = useId();
  const isTooLong = text.length > CONTENT_MAX;
  const isReady = !isTooLong && uploads.files.every(({ state }) => state === "done");
  const blocked = disabled !== undefined || !maySend || isEmpty || !isReady;

  // Grows with its text up to a third of the window; by script only where the browser lacks the faster CSS property.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured whenever the text changes
  useLayoutEffect(() => {
    const field = fieldRef.current;
    if (!field || CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    field.style.height = `${Math.min(field.scrollHeight, window.innerHeight / 3)}px`;
  }, [text, ghost, mode, fieldRef]);

  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const mod = event.metaKey || event.ctrlKey;
    const sends = event.key === "Enter" && !event.altKey && (mod || (!event.shiftKey && sendWith === "enter"));
    const send = () => {
      if (!blocked) onSend(mod && event.shiftKey && canResolve);
    };
    if (suggestions.onKey(event, sends ? send : undefined)) return;
    // With a text in the field, the key undoes what was typed.
    if (onUndo && text === "" && isShortcutPress(event.nativeEvent, "$mod+Z", IS_APPLE)) {
      event.preventDefault();
      return onUndo();
    }
    if (onShortcut?.(event.nativeEvent)) return event.preventDefault();
    if (event.key === "Escape") return onEscape ? onEscape() : fieldRef.current?.blur();
    if (!sends) return;
    event.preventDefault();
    send();
  };
  const paste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData;
    // Text copied from a document comes with an image of itself.
    if (files.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    uploads.add([...files]);
  };

  return (
    <div className="border-line border-t py-3">
      {/* As wide as the column of the thread. */}
      <div className="mx-auto w-full max-w-3xl px-4">
        {hint}
        <div
          className={cx(
            "@container relative rounded-menu border focus-within:border-accent",
            isNote ? "border-note-line bg-note text-note-ink" : "border-control bg-surface",
            over && "border-accent border-dashed",
          )}
        >
          <SuggestionList {...suggestions} />
          <div role="tablist" aria-label={t("composer.mode")} className="flex items-center gap-1 px-1.5 pt-1.5">
            <ModeTab on={!isNote} keys="R" onSelect={() => onMode("reply")}>
              {t("composer.reply")}
            </ModeTab>
            <ModeTab on={isNote} keys="N" onSelect={() => onMode("note")}>
              <Lock size={12} aria-hidden="true" />
              {t("composer.note")}
            </ModeTab>
            {isNote && <span className="ms-1 text-meta">{t("onlyYourTeam")}</span>}
          </div>
          <textarea
            ref={fieldRef}
            dir="auto"
            rows={2}
            value={text}
            disabled={disabled !== undefined}
            aria-label={isNote ? t("composer.noteLabel") : label}
            placeholder={ghost ?? disabled ?? (isNote ? t("composer.notePlaceholder") : t("composer.replyPlaceholder"))}
            aria-invalid={isTooLong}
            aria-describedby={text.length > NEAR_MAX ? limitId : undefined}
            aria-autocomplete="list"
            aria-controls={suggestions.open ? suggestions.listId : undefined}
            aria-activedescendant={suggestions.activeId}
            onChange={({ target }) => onText(target.value)}
            onSelect={suggestions.look}
            onFocus={() => onFocus?.(true)}
            onBlur={() => {
              onFocus?.(false);
              suggestions.close();
            }}
            onKeyDown={press}
            onPaste={paste}
            className="field-sizing-content placeholder:[unicode-bidi:plaintext] block max-h-[33vh] min-h-14 w-full resize-none bg-transparent px-3 py-2 text-message outline-none pointer-coarse:text-[1rem]"
          />
          <AttachmentTray uploads={uploads} />
          {text.length > NEAR_MAX && <Limit id={limitId} length={text.length} />}
          <div className="@container flex flex-wrap items-center gap-1 px-1.5 pb-1.5">
            <FileButton onFiles={uploads.add} />
            <IconButton label={t("composer.emoji")} keys=":" onClick={() => suggestions.begin(":")}>
              <Smile size={16} />
            </IconButton>
            <IconButton label={t("composer.article")} keys="#" onClick={() => suggestions.begin("#")}>
              <BookOpen size={16} />
            </IconButton>
            {tools}
            <span className="flex-1" />
            {canResolve && !isNote && (
              <Button
                look="quiet"
                size="compact"
                disabled={blocked}
                onClick={() => onSend(true)}
                className="max-md:hidden"
              >
                {t("composer.sendAndResolve")}
                <span className="contents @max-md:hidden">
                  <Keys keys="$mod+Shift+Enter" />
                </span>
              </Button>
            )}
            <Button
              look="primary"
              size="compact"
              disabled={blocked}
              onClick={() => onSend(false)}
              aria-label={isNote ? t("composer.addNote") : t("composer.send")}
            >
              {isNote ? (
                <Lock size={14} aria-hidden="true" />
              ) : (
                <Send size={14} className="rtl:-scale-x-100" aria-hidden="true" />
              )}
              {isNote ? t("composer.addNote") : t("composer.send")}
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}

/** How much of a message's length is left, or how much too long it is. */
function Limit({ id, length }: { id: string; length: number }) {
  const left = CONTENT_MAX - length;
  return (
    <p id={id} className={cx("numbers px-3 pb-1 text-meta", left < 0 ? "text-danger" : "text-subtle")}>
      {left < 0
        ? t("composer.charactersOver", { count: -left, max: CONTENT_MAX })
        : t("composer.charactersLeft", { count: left, max: CONTENT_MAX })}
    </p>
  );
}

function ModeTab({
  on,
  keys,
  onSelect,
  children,
}: {
  on: boolean;
  keys: string;
  onSelect(): void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      role="tab"
      aria-selected={on}
      aria-keyshortcuts={keys}
      onClick={onSelect}
      className={cx(
        "flex h-7 items-center gap-1.5 rounded-control px-2 font-medium pointer-coarse:h-11",
        on ? "bg-active text-ink" : "text-subtle hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}

function FileButton({ onFiles }: { onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton label={t("composer.attach")} onClick={() => input.current?.click()}>
        <Paperclip size={16} />
      </IconButton>
    </>
  );
}

export type { Suggestion };
