/** How an owner's server signs an identity: what the guide shows (`docs/guide/widget.md`), word for word. */
import node from "./identity/sign.mjs?raw";
import php from "./identity/sign.php?raw";
import python from "./identity/sign.py?raw";
import ruby from "./identity/sign.rb?raw";

export const signers = { node, python, php, ruby } as const;
export type Signer = keyof typeof signers;

/** As these languages call themselves. */
export const signerNames: Record<Signer, string> = { node: "Node.js", python: "Python", php: "PHP", ruby: "Ruby" };

/** What an owner's page says, with what the server has signed. */
export const IDENTIFY_SNIPPET = `Frontdesk("identify", { token: "…" });
Frontdesk("on", "identityExpired", async () => Frontdesk("identify", { token: await fetchIdentity() }));`;
