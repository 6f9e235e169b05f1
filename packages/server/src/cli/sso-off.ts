import { turnOffSso } from "../sso/sso-domains.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk sso off`: everyone can sign in with their password again, for a team whose provider is away. */
export const ssoOff = defineCommand({
  name: "sso off",
  summary: "Stops requiring single sign-on, so that passwords work again.",
  options: { team: teamOption },
  async run({ team }, { settings, print }) {
    const domains = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, team), turnOffSso, {}),
    );
    const text =
      domains.length === 0
        ? "Single sign-on was not required. Nothing was changed."
        : `Single sign-on is no longer required for ${domains.join(", ")}. Passwords work again.`;
    print({ json: { domains }, text });
  },
});
