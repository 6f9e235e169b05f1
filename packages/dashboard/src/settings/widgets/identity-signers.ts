/** How an owner's server signs an identity: word for word the code of the guide (`docs/guide/widget.md`). */
import node from "./identity/sign.mjs?raw";
import php from "./identity/sign.php?raw";
import python from "./identity/sign.py?raw";
import ruby from "./identity/sign.rb?raw";

export const signers = { node, python, php, ruby } as const;
export type Signer = keyof typeof signers;

/** The languages' own names. */
export const signerNames: Record<Signer, string> = { node: "Node.js", python: "Python", php: "PHP", ruby: "Ruby" };

/** The call in the owner's page, with the signed identity. */
export const IDENTIFY_SNIPPET = `Frontdesk("identify", { token: "…" });
Frontdesk("on", "identityExpired", async () => Frontdesk("identify", { token: await fetchIdentity() }));`;
