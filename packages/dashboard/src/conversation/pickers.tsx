import type { LiveConversation } from "@frontdesk/core/contract/live";
import { Tag } from "lucide-react";
import { useState } from "react";
import { usePeople } from "../inbox/live-inbox.ts";
import { FloatingPicker } from "../shell/command-palette.tsx";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { type Choice, Picker } from "../ui/picker.tsx";
import { TAG_COLORS } from "../ui/tag-colors.ts";
import { assign, snooze, tag, unassign, untag } from "./conversation-actions.ts";
import type { PickerKind } from "./lazy-picker.tsx";
import { snoozeChoices } from "./snooze-choices.ts";

/** Pickers of agents, tags and snooze times, for one conversation or many, opened by keys or buttons. */
export function ConversationPicker({
  kind,
  conversations,
  onClose,
}: {
  kind: PickerKind | undefined;
  conversations: readonly LiveConversation[];
  onClose(): void;
}) {
  const titles = { assign: t("pick.assign"), tag: t("pick.tag"), snooze: t("pick.snooze") };
  return (
    <FloatingPicker open={kind !== undefined} onClose={onClose} title={kind ? titles[kind] : ""}>
      {kind === "assign" && <AssignPicker conversations={conversations} onClose={onClose} />}
      {kind === "tag" && <TagPicker conversations={conversations} />}
      {kind === "snooze" && <SnoozePicker conversations={conversations} onClose={onClose} />}
    </FloatingPicker>
  );
}

type Props = { conversations: readonly LiveConversation[]; onClose(): void };

function AssignPicker({ conversations, onClose }: Props) {
  const people = usePeople();
  const all = (id: string) => conversations.every((each) => each.assigned_agents.some((agent) => agent.id === id));
  // Agents most often pick themselves, so they come first.
  const agents = [...(people?.agents ?? [])].sort((a, b) => Number(b.id === people?.me) - Number(a.id === people?.me));
  const choices = agents.map((agent): Choice => {
    const has = all(agent.id);
    return {
      id: agent.id,
      label: agent.name ?? agent.email,
      also: agent.email,
      hint: agent.id === people?.me ? t("you") : agent.email,
      icon: (
        <Avatar
          id={agent.id}
          name={agent.name}
          photo={agent.photo_url}
          size="small"
          online={agent.online_status === "online"}
        />
      ),
      checked: has,
      onSelect() {
        onClose();
        void (has ? unassign : assign)(conversations, agent);
      },
    };
  });
  return <Picker label={t("pick.assign")} choices={choices} />;
}

/** Stays open: a conversation often gets several tags. */
function TagPicker({ conversations }: Pick<Props, "conversations">) {
  const people = usePeople();
  const tags = people?.tags ?? [];
  const choices = tags.map(({ id, name, color }): Choice => {
    const has = conversations.every((each) => each.tags.some((one) => one.id === id));
    return {
      id,
      label: name,
      icon: <span className="size-2.5 rounded-full" style={{ backgroundColor: color ?? "var(--control)" }} />,
      checked: has,
      onSelect: () => void (has ? untag : tag)(conversations, { name }),
    };
  });
  return (
    <Picker
      stays
      label={t("pick.tag")}
      choices={choices}
      empty={t("pick.typeToMakeTag")}
      beyond={(name) =>
        tags.some((one) => one.name.toLowerCase() === name.toLowerCase())
          ? undefined
          : {
              id: "new",
              label: t("pick.makeTag", { name }),
              icon: <Tag size={14} />,
              onSelect: () =>
                void tag(conversations, { name, color: TAG_COLORS[tags.length % TAG_COLORS.length] ?? null }),
            }
      }
    />
  );
}

function SnoozePicker({ conversations, onClose }: Props) {
  const [own, setOwn] = useState(false);
  if (own) return <OwnTime conversations={conversations} onClose={onClose} />;
  const choices: Choice[] = snoozeChoices().map((choice) => ({
    ...choice,
    onSelect() {
      onClose();
      void snooze(conversations, choice.input);
    },
  }));
  return (
    <Picker
      label={t("pick.snooze")}
      choices={[...choices, { id: "own", label: t("snooze.own"), onSelect: () => setOwn(true) }]}
    />
  );
}

function OwnTime({ conversations, onClose }: Props) {
  return (
    <form
      className="flex items-end gap-2 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        const until = new Date(String(new FormData(event.currentTarget).get("until")));
        onClose();
        void snooze(conversations, { until: until.toISOString() });
      }}
    >
      <label className="flex flex-1 flex-col gap-1.5 font-medium">
        {t("snooze.until")}
        <input
          type="datetime-local"
          name="until"
          required
          autoFocus
          min={localNow()}
          className="h-9 rounded-control border border-control bg-surface px-3 font-normal"
        />
      </label>
      <Button type="submit" look="primary" size="large">
        {t("snooze")}
      </Button>
    </form>
  );
}

/** The format of the input: local time without seconds. */
function localNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
