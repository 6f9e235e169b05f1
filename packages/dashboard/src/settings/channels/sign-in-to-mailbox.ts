import { askSession } from "../../service/ask-session.ts";

/** Leaves for the provider, which sends the browser back to `SignInPart`. */
export async function signInToMailbox(channelId: string): Promise<void> {
  const { url } = await askSession("beginMailboxSignIn", { params: { id: channelId } });
  location.assign(url);
  // The page stays as it is until the next one is there.
  await new Promise(() => {});
}
