import type { LiveMessage } from "@frontdesk/core/contract/live";
import { lazy, Suspense, useEffect } from "react";
import { isPicture } from "./attachments-of.tsx";
import { openPicture, useOpenedPicture } from "./opened-picture.ts";

const Lightbox = lazy(() => import("./lightbox.tsx").then(({ Lightbox }) => ({ default: Lightbox })));

/** Where the pictures of a thread are looked at, one after another. */
export function PictureLayer({ messages }: { messages: readonly LiveMessage[] }) {
  const opened = useOpenedPicture();
  // With another conversation it is over.
  useEffect(() => () => openPicture(undefined), []);
  if (!opened) return null;
  const known = messages.flatMap(({ attachments }) => attachments.filter(isPicture));
  // One that is on its way is in no message yet.
  const pictures = known.some(({ url }) => url === opened.url) ? known : [{ url: opened.url }];
  return (
    <Suspense>
      <Lightbox
        pictures={pictures}
        opened={opened}
        onShow={(url) => openPicture({ ...opened, url })}
        onClose={() => openPicture(undefined)}
      />
    </Suspense>
  );
}
