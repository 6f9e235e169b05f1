import { useRef, useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { meQuery, useMe } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { uploadFile } from "../../service/upload-file.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";

/** The photo that visitors see beside the agent's replies. */
export function PhotoField() {
  const { agent } = useMe();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const set = async (profile_photo_url: string | null) =>
    queries.setQueryData(meQuery.queryKey, await askSession("updateMe", { body: { profile_photo_url } }));
  const act = (work: () => Promise<unknown>) => {
    setBusy(true);
    work()
      .catch((error) => showProblem(problemText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex gap-2">
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file) act(async () => set((await uploadFile(file, () => {}, new AbortController().signal)).url));
        }}
      />
      <Button disabled={busy} onClick={() => input.current?.click()}>
        {t("profile.photo")}
      </Button>
      {agent.profile_photo_url && (
        <Button look="quiet" disabled={busy} onClick={() => act(() => set(null))}>
          {t("profile.noPhoto")}
        </Button>
      )}
    </div>
  );
}
