import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { useNavigate } from "@tanstack/react-router";
import { useTypedName } from "../../privacy/typed-name.tsx";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { channelName, channelsChanged } from "./channels-query.ts";

/** Asks for the name, since it cannot be undone. Its texts are those of `channels` and `erasing`. */
export function ChannelRemoval({ channel, onClose }: { channel: Channel; onClose(): void }) {
  const name = channelName(channel);
  const typedName = useTypedName(name);
  const navigate = useNavigate();
  const form = useForm(async ({ typed = "" }) => {
    if (!typedName.isTyped(typed)) return;
    await rest.deleteChannel({ params: { id: channel.id } });
    onClose();
    await navigate({ to: "/settings/$part", params: { part: "channels" }, replace: true });
    await channelsChanged();
    showToast(t("channels.deleted", { name }));
  });
  return (
    <Dialog open onClose={onClose} title={t("channels.deleteTitle", { name })} text={t("channels.deleteText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        {typedName.field}
        <FormProblem text={form.problem} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="danger" disabled={form.busy}>
            {t("channels.delete")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
