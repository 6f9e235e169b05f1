import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { MoreHorizontal, Pause, Pencil, Play, PlugZap, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem, showToast } from "../../ui/toast.ts";
import { ChangeMailbox } from "./change-mailbox.tsx";
import { channelChanged, channelName } from "./channels-query.ts";

const ChannelRemoval = lazyPart(() => import("./channel-removal.tsx"), "ChannelRemoval", "erasing");

/** The actions of an account. What stops it asks first. */
export function ChannelActions({
  channel,
  isChecking,
  onCheck,
}: {
  channel: Channel;
  isChecking: boolean;
  onCheck(): void;
}) {
  const { id, attributes } = channel;
  const [open, setOpen] = useState<"change" | "pause" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={isChecking} onClick={onCheck}>
        <PlugZap size={14} aria-hidden="true" />
        {t("channels.check")}
      </Button>
      <Button onClick={() => setOpen("change")}>
        <Pencil size={14} aria-hidden="true" />
        {t("channels.change")}
      </Button>
      <Menu
        trigger={
          <IconButton label={t("more")}>
            <MoreHorizontal size={16} />
          </IconButton>
        }
      >
        {attributes.state === "paused" ? (
          <MenuItem icon={<Play size={14} />} onSelect={() => resumeChannel(id)}>
            {t("channels.resume")}
          </MenuItem>
        ) : (
          <MenuItem icon={<Pause size={14} />} onSelect={() => setOpen("pause")}>
            {t("channels.pause")}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setOpen("delete")}>
          {t("channels.delete")}
        </MenuItem>
      </Menu>
      {open === "change" && <ChangeMailbox channel={channel} onSaved={onCheck} onClose={close} />}
      {open === "pause" && (
        <ConfirmDialog
          title={t("channels.pauseTitle", { name: channelName(channel) })}
          text={t("channels.pauseText")}
          action={t("channels.pause")}
          look="primary"
          onClose={close}
          onConfirm={async () => {
            const { data } = await rest.updateChannel({ params: { id }, body: { state: "paused" } });
            await channelChanged(data);
          }}
        />
      )}
      {open === "delete" && (
        <Suspense>
          <ChannelRemoval channel={channel} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

export async function resumeChannel(id: string): Promise<void> {
  try {
    const { data } = await rest.updateChannel({ params: { id }, body: { state: "active" } });
    await channelChanged(data);
    showToast(t("channels.resumed"));
  } catch (error) {
    showProblem(problemText(error));
  }
}
