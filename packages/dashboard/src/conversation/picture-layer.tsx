import type { LiveMessage } from "@frontdesk/core/contract/live";
import { Suspense, useEffect } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { isPicture } from "./attachments-of.tsx";
import { openPicture, useOpenedPicture } from "./opened-picture.ts";

const Lightbox = lazyPart(() => import("./lightbox.tsx"), "Lightbox");

/** Shows the images of a thread, one after another. */
export function PictureLayer({ messages }: { messages: readonly LiveMessage[] }) {
  const opened = useOpenedPicture();
  // Closed when another conversation is opened.
  useEffect(() => () => openPicture(undefined), []);
  if (!opened) return null;
  const known = messages.flatMap(({ attachments, from }) => attachments.filter((each) => isPicture(each, from)));
  // An image that is being sent is in no message yet.
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
