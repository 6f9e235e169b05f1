import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { updateWidget } from "../../widgets/update-widget.ts";

const { app, team, clock } = await startTestApp();

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await app.http.inject({ method: "GET", url, headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
}

function configOf(page: string) {
  return JSON.parse(/id="config">(.*?)<\/script>/.exec(page)?.[1] ?? "null");
}

describe("the loader", () => {
  test("is kept by browsers for minutes, and asked for again by its tag", async () => {
    const loader = `/widget.js?widget=${(await team()).widgetId}`;
    const plain = await get(loader);
    expect(plain.status).toBe(200);
    expect(plain.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(plain.headers["cache-control"]).toBe("public, max-age=300");
    expect(plain.headers["cross-origin-resource-policy"]).toBe("cross-origin");
    const again = await get(loader, { "if-none-match": String(plain.headers.etag) });
    expect(again.status).toBe(304);
    expect(again.text).toBe("");
  });

  test("comes compressed to who takes it so, under a tag of its own", async () => {
    const loader = `/widget.js?widget=${(await team()).widgetId}`;
    const [plain, small] = [await get(loader), await get(loader, { "accept-encoding": "br, gzip" })];
    expect(small.headers["content-encoding"]).toBe("gzip");
    expect(Number(small.headers["content-length"])).toBeLessThan(plain.text.length);
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    expect(small.headers.vary).toBe("Accept-Encoding");
  });

  test("has the color and the side of its widget; for an unknown widget there is none", async () => {
    const acme = await team();
    const loader = `/widget.js?widget=${acme.widgetId}`;
    const before = await get(loader);
    expect(before.text).toContain(":host{--color:#4f46e5;--ink:#ffffff;inset-inline:auto 20px!important}");
    await app.perform(acme.actor, updateWidget, {
      widgetId: acme.widgetId,
      change: { settings: { color: "#facc15", position: "start" } },
    });
    const after = await get(loader, { "if-none-match": String(before.headers.etag) });
    expect(after.text).toContain(":host{--color:#facc15;--ink:#17181c;inset-inline:20px auto!important}");
    for (const unknown of ["no-id", acme.teamId]) {
      const { status, text } = await get(`/widget.js?widget=${unknown}`);
      expect({ status, draws: text.includes("attachShadow") }, unknown).toEqual({ status: 200, draws: false });
    }
  });

  test("is imported by a tag that names its widget in its attribute alone", async () => {
    const { status, text, headers } = await get("/widget.js");
    expect(status).toBe(200);
    expect(text).toMatch(/import\(.*widget\.js\?widget=/);
    expect(headers["access-control-allow-origin"]).toBe("*");
  });
});

describe("a page that loads it", () => {
  const seenOf = async ({ get: ask, widgetId }: TestTeam) => {
    const { first_seen_at, last_seen_at, seen_on } = (await ask(`/widgets/${widgetId}`)).body.data.attributes;
    return { first: first_seen_at, last: last_seen_at, on: seen_on };
  };
  const shop = { referer: "https://www.acme.test/", "sec-fetch-site": "cross-site" };

  test("is noted with its site, by the loader and by the frame, and the loader waits for nothing", async () => {
    for (const path of ["widget.js?widget=", "frame/"]) {
      const acme = await team();
      expect(await seenOf(acme)).toEqual({ first: null, last: null, on: null });
      expect((await get(`/${path}${acme.widgetId}`, shop)).status).toBe(200);
      const now = new Date(clock.now()).toISOString();
      await expect
        .poll(() => seenOf(acme), { message: path })
        .toEqual({ first: now, last: now, on: "https://www.acme.test" });
    }
  });

  test("is noted without its name when its browser keeps that to itself", async () => {
    const acme = await team();
    await get(`/widget.js?widget=${acme.widgetId}`, { "sec-fetch-site": "cross-site" });
    await expect.poll(async () => (await seenOf(acme)).first).not.toBeNull();
    expect((await seenOf(acme)).on).toBeNull();
  });

  test("is none when it is the demo page, a page of the dashboard, or no page at all", async () => {
    const acme = await team();
    const ours = (page: string) => ({ referer: `https://chat.test/${page}`, "sec-fetch-site": "same-origin" });
    for (const headers of [
      ours(`demo/${acme.widgetId}`),
      ours("app/settings/widgets"),
      { "sec-fetch-site": "same-origin" },
      {},
    ]) {
      await get(`/widget.js?widget=${acme.widgetId}`, headers);
      await get(`/frame/${acme.widgetId}`, headers);
    }
    // One that counts, so that there was time for the others.
    const sams = await team();
    await get(`/widget.js?widget=${sams.widgetId}`, shop);
    await expect.poll(async () => (await seenOf(sams)).first).not.toBeNull();
    expect(await seenOf(acme)).toEqual({ first: null, last: null, on: null });
  });

  test("loads it also under an id that is none", async () => {
    for (const id of ["nonsense", "00000000-0000-4000-8000-000000000000"]) {
      expect((await get(`/widget.js?widget=${id}`, shop)).status).toBe(200);
    }
  });
});

describe("the frame", () => {
  test("runs its one script and no other, under a nonce that is new each time", async () => {
    const { widgetId } = await team();
    const [one, other] = [await get(`/frame/${widgetId}`), await get(`/frame/${widgetId}`)];
    const nonceOf = (policy: unknown) => /script-src 'nonce-([\w+/=]+)'/.exec(String(policy))?.[1];
    const nonce = nonceOf(one.headers["content-security-policy"]);
    expect(nonce).toHaveLength(24);
    expect(nonce).not.toBe(nonceOf(other.headers["content-security-policy"]));
    expect(one.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; .*base-uri 'none'; form-action 'none'/,
    );
    expect(one.headers["cache-control"]).toBe("no-store");
    expect(one.text.match(/<script(?! type="application\/json")[^>]*>/g)).toEqual([
      expect.stringContaining(`nonce="${nonce}"`),
    ]);
  });

  test("its scripts last for ever under the names of their contents; another name is gone", async () => {
    const { widgetId } = await team();
    const { text } = await get(`/frame/${widgetId}`);
    const script = /src="\.\.(\/widget-assets\/[^"]+)"/.exec(text)?.[1];
    const onDemand = new URL(configOf(text).onDemandScript, `https://chat.test${script}`).pathname;
    expect(onDemand).not.toBe(script);
    for (const each of [String(script), onDemand]) {
      const found = await get(each);
      expect(found.status).toBe(200);
      expect(found.headers["content-type"]).toBe("text/javascript; charset=utf-8");
      expect(found.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
    expect((await get("/widget-assets/app-000000000000.js")).status).toBe(404);
    expect((await get("/widget-assets/..%2Fmanifest.json")).status).toBe(404);
  });

  test("may be shown on every page until its owner names some, and then on those and on ours", async () => {
    const acme = await team();
    const ancestors = async () =>
      /frame-ancestors (.*)$/.exec(
        String((await get(`/frame/${acme.widgetId}`)).headers["content-security-policy"]),
      )?.[1];
    expect(await ancestors()).toBe("*");
    const change = { sites: ["https://www.acme.test", "https://*.acme.shop"] };
    await app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings: change } });
    expect(await ancestors()).toBe("'self' https://www.acme.test https://*.acme.shop");
  });

  test("speaks the language of the page, else of the browser, else English", async () => {
    const { widgetId } = await team();
    const languageOf = async (query: string, accepted?: string) => {
      const { text } = await get(`/frame/${widgetId}${query}`, accepted ? { "accept-language": accepted } : {});
      return [/<html lang="([^"]+)" dir="([^"]+)"/.exec(text)?.slice(1).join(" "), configOf(text).texts[0]];
    };
    expect(await languageOf("?lang=de-AT", "fr")).toEqual(["de ltr", "Hallo 👋"]);
    expect(await languageOf("", "nl;q=0.9, ar;q=0.8")).toEqual(["ar rtl", "مرحبًا 👋"]);
    expect(await languageOf("?lang=tlh")).toEqual(["en ltr", "Hi there 👋"]);
    expect(await languageOf("?lang=de&lang=fr")).toEqual(["en ltr", "Hi there 👋"]);
  });

  test("has the owner's settings, and a text in them never becomes markup", async () => {
    const acme = await team();
    const greetings = { en: { title: "</script><b>Hi</b>", text: "<!--" } };
    const change = { color: "#facc15", theme: "dark", ask_email: "required", greetings } as const;
    await app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings: change } });
    const { text } = await get(`/frame/${acme.widgetId}`);
    expect(text).not.toContain("<b>");
    expect(text).toContain('data-theme="dark"');
    // Dark ink on a light color, chosen by contrast.
    expect(text).toContain("--accent:#facc15;--on-accent:#17181c");
    expect(configOf(text)).toMatchObject({
      greeting: greetings.en,
      ask: { name: "no", email: "required", rating: true },
      hours: null,
    });
    expect((await get(`/frame/${acme.widgetId}?theme=light`)).text).toContain('data-theme="light"');
    expect((await get(`/frame/${acme.widgetId}?theme=x`)).text).toContain('data-theme="dark"');
  });

  test("knows whether its team is there now, and when that changes, without asking again", async () => {
    const acme = await team();
    const office = [{ from: "09:00", to: "17:00" }];
    const hours = { timezone: "Europe/Berlin", week: { mon: office, fri: office }, closed: ["2026-11-27"] };
    const settings = { hours, ask_rating: false };
    await app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings } });
    const shown = async () => configOf((await get(`/frame/${acme.widgetId}`)).text);
    const told = ({ hours: { open, changes } }: { hours: { open: boolean; changes: number[] } }) => [
      open,
      ...changes.slice(0, 3).map((at) => new Date(at).toISOString()),
    ];
    // It is ten o'clock on a Friday in Berlin.
    const config = await shown();
    expect(config.ask.rating).toBe(false);
    expect(config.hours.changes).toHaveLength(20);
    expect(told(config)).toEqual([
      true,
      "2026-11-20T16:00:00.000Z",
      "2026-11-23T08:00:00.000Z",
      "2026-11-23T16:00:00.000Z",
    ]);
    clock.advance(7 * 3_600_000);
    expect(told(await shown()).slice(0, 2)).toEqual([false, "2026-11-23T08:00:00.000Z"]);
  });

  test("writes dates and numbers as the visitor's own region does, where it speaks the language of the chat", async () => {
    const acme = await team();
    const localeOf = async (query: string, accepted?: string) => {
      const { text } = await get(`/frame/${acme.widgetId}${query}`, accepted ? { "accept-language": accepted } : {});
      const { language, locale } = configOf(text);
      return [language, locale];
    };
    expect(await localeOf("", "en-GB,en;q=0.9")).toEqual(["en", "en-GB"]);
    expect(await localeOf("?lang=en-US", "fr-FR, en-AU;q=0.8")).toEqual(["en", "en-AU"]);
    expect(await localeOf("?lang=en-GB", "de-DE")).toEqual(["en", "en-GB"]);
    expect(await localeOf("?lang=pt-BR", "pt-PT")).toEqual(["pt-BR", "pt-PT"]);
    expect(await localeOf("", "zh-TW")).toEqual(["zh-CN", "zh-CN"]);
    expect(await localeOf("?lang=de", "*;q=0.5, </script>")).toEqual(["de", "de"]);
    expect(await localeOf("")).toEqual(["en", "en"]);
  });

  test("shows of its team what visitors may know, and nothing else", async () => {
    const acme = await team();
    const config = configOf((await get(`/frame/${acme.widgetId}`)).text);
    const known =
      "widget team language locale greeting ask hours onDemandScript articles mail fileMax online texts ai aiScript";
    expect(Object.keys(config).toSorted()).toEqual(known.split(" ").toSorted());
    expect(JSON.stringify(config)).not.toContain(acme.ada.email);
    expect(JSON.stringify(config)).not.toContain(acme.teamId);
  });

  test("the script for articles is named once the widget suggests them and one is published", async () => {
    const acme = await team();
    const articles = async () => configOf((await get(`/frame/${acme.widgetId}?lang=de`)).text).articles;
    await acme.post("/articles", { question: "Soon", answer: "Soon.", is_published: false });
    await acme.patch(`/widgets/${acme.widgetId}`, { settings: { suggest_articles: true } });
    expect(await articles()).toBeNull();
    await acme.post("/articles", { question: "Shipping", answer: "Three days." });
    expect(await articles()).toMatchObject({ texts: { search: "Antworten suchen" } });
    const { script } = await articles();
    expect((await get(`/widget-assets/${script.slice(2)}`)).status).toBe(200);
    await acme.patch(`/widgets/${acme.widgetId}`, { settings: { suggest_articles: false } });
    expect(await articles()).toBeNull();
  });
});

test.each(["/frame", "/demo"])("%s of a malformed id, or of no widget, is a friendly page", async (path) => {
  for (const id of ["nonsense", "01890000-0000-7000-8000-000000000000"]) {
    const answer = await get(`${path}/${id}`);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("Widget not found");
  }
});

test("the demo page shows the tag to copy, and may do no more than a page with the widget has to", async () => {
  const { widgetId } = await team();
  const { status, text, headers } = await get(`/demo/${widgetId}`);
  expect(status).toBe(200);
  expect(text).toContain(
    `&#60;script async src=&#34;https://chat.test/widget.js?widget=${widgetId}&#34; data-widget=&#34;${widgetId}&#34;&#62;&#60;/script&#62;`,
  );
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; script-src 'self'; frame-src 'self'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});

test("of the languages that a browser names, ten are looked at", async () => {
  const acme = await team();
  const frame = (languages: string[]) => get(`/frame/${acme.widgetId}`, { "accept-language": languages.join(",") });
  const unknown = (count: number) => Array.from({ length: count }, (_, index) => `x${index};q=0.9`);
  expect(configOf((await frame([...unknown(9), "de"])).text).language).toBe("de");
  expect(configOf((await frame([...unknown(10), "de"])).text).language).toBe("en");
  expect(configOf((await frame([...unknown(2_000), "de"])).text).language).toBe("en");
});

test("an address loads 1,800 pages and scripts of the widget a minute; above it hears when it may again, on a page", async () => {
  const from = (remoteAddress: string) =>
    app.http.inject({ method: "GET", url: "/widget-assets/none.js", remoteAddress });
  const statuses: number[] = [];
  for (let count = 0; count < 1_800; count += 1) statuses.push((await from("203.0.113.1")).statusCode);
  expect(new Set(statuses)).toEqual(new Set([404]));
  const refused = await from("203.0.113.1");
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "retry-after": expect.stringMatching(/^[1-9]\d*$/),
  });
  expect(refused.payload).toContain("Too many requests");
  expect((await from("203.0.113.2")).statusCode).toBe(404);
});
