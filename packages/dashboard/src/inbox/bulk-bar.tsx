import type { LiveConversation } from "@frontdesk/core/contract/live";
import { AlarmClock, Check, MailOpen, RotateCcw, Tag, UserPlus, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { markUnread, reopen, resolve } from "../conversation/conversation-actions.ts";
import { ConversationPicker, type PickerKind } from "../conversation/lazy-picker.tsx";
import { type Command, useCommands } from "../shell/commands.ts";
import { numberOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { useBulkProgress } from "./live-inbox.ts";

const ICON = "size-7";

/** The actions on all selected conversations. */
export function BulkBar({
  selected,
  total,
  onAll,
  onClear,
}: {
  selected: readonly LiveConversation[];
  total: number;
  onAll(): void;
  onClear(): void;
}) {
  const [picking, setPicking] = useState<PickerKind>();
  const progress = useBulkProgress();
  const all = selected.length === total;
  const allResolved = selected.every(({ is_resolved }) => is_resolved);
  const done = (act: (conversations: readonly LiveConversation[]) => unknown) => () => {
    // Failed conversations stay selected.
    onClear();
    act(selected);
  };
  useBulkCommands({
    resolve: done(allResolved ? reopen : resolve),
    unread: done(markUnread),
    pick: setPicking,
    onClear,
  });
  return (
    <div
      role="toolbar"
      aria-label={t("bulk.title")}
      className="relative flex h-13 shrink-0 items-center gap-0.5 border-line border-b ps-3 pe-2"
    >
      <h1 className="sr-only">{t("bulk.title")}</h1>
      <span className="flex w-8 justify-center">
        <Checkbox label={t("bulk.all")} checked={all} some={!all} onChange={() => (all ? onClear() : onAll())} />
      </span>
      <span className="numbers ms-2 min-w-0 flex-1 font-medium" role="status">
        {/* There is only room for the number. */}
        <span aria-hidden="true">{numberOf(selected.length)}</span>
        <span className="sr-only">{t("bulk.chosen", { count: selected.length })}</span>
      </span>
      {allResolved ? (
        <IconButton className={ICON} label={t("reopen")} onClick={done(reopen)}>
          <RotateCcw size={16} />
        </IconButton>
      ) : (
        <IconButton className={ICON} label={t("resolve")} keys="E" onClick={done(resolve)}>
          <Check size={16} />
        </IconButton>
      )}
      <IconButton className={ICON} label={t("assign")} keys="A" onClick={() => setPicking("assign")}>
        <UserPlus size={16} />
      </IconButton>
      <IconButton className={ICON} label={t("tag")} keys="T" onClick={() => setPicking("tag")}>
        <Tag size={16} />
      </IconButton>
      <IconButton className={ICON} label={t("snooze")} keys="Z" onClick={() => setPicking("snooze")}>
        <AlarmClock size={16} />
      </IconButton>
      <IconButton className={ICON} label={t("markUnread")} keys="U" onClick={done(markUnread)}>
        <MailOpen size={16} />
      </IconButton>
      <IconButton className={ICON} label={t("bulk.clear")} keys="Escape" onClick={onClear}>
        <X size={16} />
      </IconButton>
      <ConversationPicker kind={picking} conversations={selected} onClose={() => setPicking(undefined)} />
      {progress !== undefined && (
        <progress
          aria-label={t("bulk.progress")}
          value={progress}
          className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none bg-transparent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
        />
      )}
    </div>
  );
}

/** While some are selected, the keys of one conversation act on all selected ones. */
function useBulkCommands(acts: {
  resolve(): void;
  unread(): void;
  pick(kind: PickerKind): void;
  onClear(): void;
}): void {
  // The commands are created once; their conversations are looked up when they run.
  const latest = useRef(acts);
  latest.current = acts;
  const commands = useMemo((): Command[] => {
    const all = { group: t("bulk.title"), over: true } as const;
    const icon = { size: 14 };
    return [
      {
        ...all,
        id: "resolve-selected",
        label: t("bulk.resolve"),
        keys: "E",
        icon: <Check {...icon} />,
        run: () => latest.current.resolve(),
      },
      {
        ...all,
        id: "assign-selected",
        label: t("assign"),
        keys: "A",
        icon: <UserPlus {...icon} />,
        run: () => latest.current.pick("assign"),
      },
      {
        ...all,
        id: "tag-selected",
        label: t("tag"),
        keys: "T",
        icon: <Tag {...icon} />,
        run: () => latest.current.pick("tag"),
      },
      {
        ...all,
        id: "snooze-selected",
        label: t("snooze"),
        keys: "Z",
        icon: <AlarmClock {...icon} />,
        run: () => latest.current.pick("snooze"),
      },
      {
        ...all,
        id: "unread-selected",
        label: t("markUnread"),
        keys: "U",
        icon: <MailOpen {...icon} />,
        run: () => latest.current.unread(),
      },
      {
        ...all,
        id: "clear-selected",
        label: t("bulk.clear"),
        keys: "Escape",
        icon: <X {...icon} />,
        run: () => latest.current.onClear(),
      },
    ];
  }, []);
  useCommands(commands);
}
