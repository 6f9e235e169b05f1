import { expect, test } from "vitest";
import {
  domainOfEmail,
  GOOGLE_ISSUER,
  issuerProblem,
  readDomain,
  type SsoPreset,
  saysSecondFactor,
  vouchesForEmail,
} from "./sso.ts";

const TENANT = "https://login.microsoftonline.com/8f2b6a0e-1d7c-4b52-9a4e-0c3f5d6e7a81/v2.0";

test("an issuer is a plain https address; Google's is one, and Microsoft's names one tenant", () => {
  const problem = (preset: SsoPreset, issuer: string) => issuerProblem(preset, issuer);
  expect(problem("google", GOOGLE_ISSUER)).toBeUndefined();
  expect(problem("google", `${GOOGLE_ISSUER}/`)).toBe("sso-issuer");
  expect(problem("microsoft", TENANT)).toBeUndefined();
  for (const tenant of ["common", "organizations", "consumers", "acme.onmicrosoft.com"]) {
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
    expect([problem("microsoft", issuer), problem("custom", issuer)]).toEqual(["sso-tenant", "sso-tenant"]);
  }
  expect(problem("microsoft", "https://login.example.com/v2.0")).toBe("sso-tenant");
  expect(problem("keycloak", "https://sso.acme.test/realms/acme")).toBeUndefined();
  expect(problem("authentik", "https://sso.acme.test/application/o/frontdesk/")).toBeUndefined();
  for (const wrong of [
    ...["http://sso.acme.test", "sso.acme.test", "", "javascript:alert(1)", "https://a:b@sso.acme.test"],
    ...["https://sso.acme.test?a=b", "https://sso.acme.test#a", "https://sso.acme.test/ a", "https://"],
    `https://sso.acme.test/${"a".repeat(600)}`,
  ]) {
    expect(problem("custom", wrong), wrong).toBe("sso-issuer");
  }
});

test("a domain is compared in one form, and what is none is refused", () => {
  expect(readDomain(" ACME.Test ")).toBe("acme.test");
  expect(readDomain("bücher.example")).toBe("xn--bcher-kva.example");
  expect(readDomain("acme.test.")).toBe("acme.test");
  expect(domainOfEmail("Ada@ACME.test")).toBe("acme.test");
  expect(domainOfEmail("ada@evil.test@acme.test")).toBe("acme.test");
  for (const none of [
    "",
    "acme",
    "127.0.0.1",
    "[::1]",
    "acme.test/a",
    "a@acme.test",
    "acme.test:80",
    "-a.test",
    "a..b",
    "a b.c",
  ])
    expect(readDomain(none), none).toBeUndefined();
});

test("an e-mail counts only if its provider vouches for it, and a text is no yes", () => {
  const counts = (
    preset: SsoPreset,
    all: Record<string, unknown>,
    trustsEmail = false,
    email: string | undefined = "ada@acme.test",
  ) => vouchesForEmail({ preset, trustsEmail }, { subject: "1", email, name: undefined, groups: [], all });
  for (const preset of ["okta", "keycloak", "authentik", "custom"] as const) {
    expect(counts(preset, { email_verified: true })).toBe(true);
    for (const verified of [false, undefined, null, "true", 1, {}])
      expect(counts(preset, { email_verified: verified }), String(verified)).toBe(false);
    expect(counts(preset, {}, true)).toBe(true);
    // What the provider denies, the owner cannot vouch for; Authentik denies all by default.
    expect(counts(preset, { email_verified: false }, true)).toBe(preset === "authentik");
  }
  expect(counts("google", { email_verified: true, hd: "acme.test" })).toBe(true);
  expect(counts("google", { email_verified: true })).toBe(false);
  expect(counts("google", { email_verified: true, hd: "evil.test" })).toBe(false);
  expect(counts("google", { email_verified: true }, true)).toBe(false);
  expect(counts("microsoft", { email_verified: true })).toBe(false);
  expect(counts("microsoft", { xms_edov: true })).toBe(true);
  expect(counts("microsoft", { xms_edov: "true" })).toBe(false);
  expect(counts("microsoft", {}, true)).toBe(true);
  expect(
    vouchesForEmail(
      { preset: "custom", trustsEmail: true },
      { subject: "1", email: undefined, name: undefined, groups: [], all: {} },
    ),
  ).toBe(false);
});

test("a second factor counts when the provider names it; silence, a password and a text message do not", () => {
  const said = (amr: string | null, acr?: unknown) => saysSecondFactor({ amr, acr });
  for (const none of [null, "", "pwd", "pwd sms", "tel", "mfa-not", "MFA"]) expect(said(none)).toBe(false);
  for (const way of ["mfa", "pwd otp", "hwk", "swk", "pwd fpt"]) expect(said(way)).toBe(true);
  for (const acr of ["1", "", 2, ["phr"], { phr: true }, undefined]) expect(said("pwd", acr)).toBe(false);
  for (const acr of ["phr", "https://refeds.org/profile/mfa"]) expect(said(null, acr)).toBe(true);
});
