import type { IdentifyDetails, VisitorAnswer } from "@frontdesk/client/visitor";
import type { Identity } from "../messages.ts";

/** The page's details as the service accepts them: as strings. Undefined when there are none. */
export function identifyDetailsOf({ token, name, email, phone, data }: Identity): IdentifyDetails | undefined {
  const texts = data && Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value?.toString()]));
  const said = JSON.stringify({ identity: token, name, email, phone, data: texts });
  return said === "{}" ? undefined : JSON.parse(said);
}

/** Reports rejected details to the author of the page, in the browser's console. */
export function reportToPageAuthor(answer: VisitorAnswer<"introduce">): void {
  if (!answer.ok) console.warn("Frontdesk:", answer.body.message, JSON.stringify(answer.body.errors));
  else if (answer.body.ignored.length > 0) {
    console.warn(`Frontdesk: not in page_fields: ${answer.body.ignored}`);
  }
}
