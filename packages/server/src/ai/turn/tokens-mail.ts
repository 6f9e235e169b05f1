import type { Mail } from "../../mail/mail.ts";
import type { AgentRow } from "../../storage/tables.ts";

/** The e-mail to an admin when most of the tokens of a day or month are spent. */
export function tokensMail(
  admin: Pick<AgentRow, "name" | "email">,
  { aiName, teamName, url, span }: { aiName: string; teamName: string; url: string; span: "day" | "month" },
): Mail {
  const [this_, until] = span === "day" ? ["today", "until midnight UTC"] : ["this month", "until the month is over"];
  return {
    to: admin.email,
    subject: `${aiName} has used most of its tokens for ${this_}`,
    text: `Hello${admin.name ? ` ${admin.name}` : ""},

${aiName}, the AI assistant of ${teamName}, has used most of its tokens for ${this_}. Once the rest is too little for a question, it hands its conversations over to your team ${until}.

See what it uses, and change the limit:

${url}

You get this email as an admin of ${teamName}.
`,
  };
}
