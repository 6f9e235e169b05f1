import { invalid } from "@frontdesk/core/domain/refusal";

/**
 * The endpoint of a subscription in canonical form. The contract's pattern has refused obvious errors; this refuses what the
 * URL parser cannot read, or reads as something else than https with a host, and the control characters beyond ASCII, which the
 * parser would encode. A private address is accepted here and blocked when an event is delivered (decision 15).
 *
 * @throws Refusal `invalid` on `endpoint_url`
 */
export function readEndpointUrl(text: string): URL {
  const url = URL.canParse(text) && !/\p{Cc}/u.test(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.hostname === "" || url.username !== "" || url.password !== "") {
    throw invalid({ endpoint_url: "not-an-endpoint" });
  }
  url.hash = "";
  return url;
}
