/**
 * A test's own certificate authority, and the certificates it signs. Made by openssl, valid for a day, deleted with the test.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM, as Node's TLS takes it. */
export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** Its own certificate, PEM: for `extraCa`, or in a file for NODE_EXTRA_CA_CERTS. */
  ca: string;
  /**
   * Each certificate is made once: openssl holds up this process for as long as 20 requests take.
   *
   * @param names host names and addresses of the certificate
   * @param days validity; negative for an expired one
   */
  certify(names: readonly string[], days?: number): Certificate;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/**
 * An authority that only explicitly configured clients trust.
 *
 * @param days validity
 */
export function newAuthority(days = 1): Authority {
  const own = inFolder((path) => {
    const constraints = ["-addext", "basicConstraints=critical,CA:TRUE"];
    const good = ["-days", String(days)];
    openssl(["req", "-x509", ...NEW_KEY, ...good, "-subj", "/CN=Authority", ...constraints, ...path.keyAndCert]);
    return path.read();
  });
  const made = new Map<string, Certificate>();
  return {
    ca: own.cert,
    certify(names, days = 1) {
      const alternatives = names.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
      const asked = `${alternatives} ${days}`;
      const certificate = made.get(asked) ?? signed(own, alternatives, days);
      made.set(asked, certificate);
      return certificate;
    },
  };
}

/**
 * The authority of this process, for tests that only need one that their app trusts. What must be trusted by no app has its own
 * (`newAuthority`).
 */
export function sharedAuthority(): Authority {
  shared ??= newAuthority();
  return shared;
}

let shared: Authority | undefined;

function signed(authority: Certificate, alternatives: string, days: number): Certificate {
  return inFolder((path) => {
    writeFileSync(path.of("ca.pem"), authority.cert);
    writeFileSync(path.of("ca.key"), authority.key);
    writeFileSync(path.of("names"), `subjectAltName=${alternatives}\n`);
    openssl(["req", ...NEW_KEY, "-subj", "/CN=Receiver", "-keyout", path.of("key"), "-out", path.of("request")]);
    openssl([
      ...["x509", "-req", "-in", path.of("request"), "-CA", path.of("ca.pem"), "-CAkey", path.of("ca.key")],
      ...["-set_serial", String(Date.now()), "-extfile", path.of("names"), "-days", String(days)],
      ...["-out", path.of("cert")],
    ]);
    return path.read();
  });
}

function inFolder(
  make: (path: { of(name: string): string; keyAndCert: string[]; read(): Certificate }) => Certificate,
): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-certificate-"));
  const of = (name: string) => join(folder, name);
  try {
    return make({
      of,
      keyAndCert: ["-keyout", of("key"), "-out", of("cert")],
      read: () => ({ key: readFileSync(of("key"), "utf8"), cert: readFileSync(of("cert"), "utf8") }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openssl(args: string[]): void {
  execFileSync("openssl", args, { stdio: "ignore" });
}
