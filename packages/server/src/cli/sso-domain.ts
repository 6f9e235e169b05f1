import { giveSsoDomain } from "../sso/sso-domains.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk sso domain`: gives a domain to a team without a DNS record. A repeat changes nothing. */
export const ssoDomain = defineCommand({
  name: "sso domain",
  summary: "Makes a domain a team's for single sign-on, without a DNS record.",
  options: {
    domain: { value: "DOMAIN", help: "The domain, such as example.com.", required: true, positional: true },
    team: teamOption,
  },
  async run({ domain: given, team }, { settings, print }) {
    const { domain } = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, team), giveSsoDomain, { domain: given }),
    );
    print({ json: { domain }, text: `${domain} belongs to this team now.` });
  },
});
