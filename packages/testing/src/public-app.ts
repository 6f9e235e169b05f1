/** An app at a name of the internet, behind a reverse proxy whose manners a test chooses. */
import { request as httpRequest } from "node:http";
import { sharedAuthority } from "./certificates.ts";
import { type Answer, namesOf, RECEIVER_NAMES, type Receiver, startReceiver } from "./https-receiver.ts";
import { startTestApp, type TestApp } from "./test-kit.ts";

export interface PublicApp {
  kit: TestApp;
  publicUrl: string;
  /** `proxy.answers(…)` sets its manners; at first it passes everything on. */
  proxy: Receiver;
  /** What its host name resolves to. */
  addresses: string[];
  /** Passes a request on to the app. */
  pass: Answer;
}

/** @param options.trusted whether the certificate of the proxy is good */
export async function startPublicApp({ trusted = true } = {}): Promise<PublicApp> {
  const authority = sharedAuthority();
  const proxy = await startReceiver({ authority, certificate: authority.certify(RECEIVER_NAMES) });
  const addresses = ["127.0.0.1"];
  const { lookup } = namesOf({ "receiver.test": addresses });
  const publicUrl = proxy.url("").origin;
  const kit = await startTestApp(
    { PUBLIC_URL: publicUrl },
    { lookup, imageNetworks: ["127.0.0.0/8"], ...(trusted && { extraCa: authority.ca }) },
  );
  const origin = await kit.app.start();
  const pass: Answer = ({ request: { method, path, headers, body }, response }) => {
    const sent = httpRequest(origin + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    response.once("close", () => sent.destroy());
    sent.end(body);
  };
  proxy.answers(pass);
  return { kit, publicUrl, proxy, addresses, pass };
}
