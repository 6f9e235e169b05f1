import fc from "fast-check";
import { expect, test } from "vitest";
import { deviceOf } from "./user-agent.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";

test.each([
  ["Chrome", "Windows", `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ["Chrome", "macOS", `${MAC} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ["Chrome", "Android", `${ANDROID} ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`],
  ["Chrome", "iOS", `${IPHONE} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`],
  ["Chrome", "ChromeOS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  [
    "Chromium",
    "Linux",
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Ubuntu Chromium/80.0.3987.87 Chrome/80.0.3987.87 Safari/537.36`,
  ],
  ["Safari", "iOS", `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ["Safari", "macOS", `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`],
  [
    "Safari",
    "iPadOS",
    "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
  ],
  ["Firefox", "Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Firefox", "Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Firefox", "Android", "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
  ["Firefox", "iOS", `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  ["Edge", "Windows", `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`],
  ["Edge", "Android", `${ANDROID} ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0`],
  ["Samsung Internet", "Android", `${ANDROID} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ["Opera", "Windows", `${WINDOWS} ${WEBKIT} Chrome/134.0.0.0 Safari/537.36 OPR/119.0.0.0`],
  ["DuckDuckGo", "macOS", `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15 Ddg/18.5`],
  ["Yandex Browser", "Windows", `${WINDOWS} ${WEBKIT} Chrome/136.0.0.0 YaBrowser/25.6.0.0 Safari/537.36`],
  [
    "UC Browser",
    "Android",
    `Mozilla/5.0 (Linux; U; Android 13; en-US; RMX3261) ${WEBKIT} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36`,
  ],
  [
    "Silk",
    "Android",
    `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${WEBKIT} Silk/120.3.1 like Chrome/120.0.6099.199 Safari/537.36`,
  ],
  [
    "Instagram",
    "iOS",
    `${IPHONE} Mobile/15E148 Instagram 389.0.0.49.87 (iPhone14,5; iOS 18_5; de_DE; de; scale=3.00; 1170x2532; 756484800)`,
  ],
  [
    "Facebook",
    "Android",
    `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${WEBKIT} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/520.0.0.44.99;]`,
  ],
  [
    "Android WebView",
    "Android",
    `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${WEBKIT} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36`,
  ],
  ["Headless Chrome", "Linux", `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/138.0.0.0 Safari/537.36`],
  // A telephone of Cubot is no robot.
  [
    "Chrome",
    "Android",
    `Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) ${WEBKIT} Chrome/95.0.4638.74 Mobile Safari/537.36`,
  ],
])("%s on %s is known by its user agent", (browser, system, agent) => {
  expect(deviceOf({ "user-agent": agent })).toEqual({ browser, system });
});

test.each([
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36`,
  "AdsBot-Google (+http://www.google.com/adsbot.html)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
])("a program that reads pages is a bot, whatever browser it names: %s", (agent) => {
  expect(deviceOf({ "user-agent": agent })).toEqual({ browser: "Bot", system: null });
});

test("client hints name the browsers that hide in the user agent, and the system behind a desktop page on a phone", () => {
  const agent = `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`;
  const hints = (name: string, platform: string) =>
    deviceOf({
      "user-agent": agent,
      "sec-ch-ua": `"Not)A;Brand";v="8", "Chromium";v="138", "${name}";v="138"`,
      "sec-ch-ua-platform": `"${platform}"`,
    });
  expect(hints("Brave", "Linux")).toEqual({ browser: "Brave", system: "Linux" });
  expect(hints("Vivaldi", "Chrome OS")).toEqual({ browser: "Vivaldi", system: "ChromeOS" });
  expect(hints("Google Chrome", "Android")).toEqual({ browser: "Chrome", system: "Android" });
  // What no list of ours holds changes nothing.
  expect(hints("Other", "Unknown")).toEqual({ browser: "Chrome", system: "Linux" });
  expect(hints("Other", "__proto__")).toEqual({ browser: "Chrome", system: "Linux" });
});

test.each([
  "",
  "-",
  "curl/8.14.1",
  "Mozilla/5.0",
  "python-requests/2.32",
  "<script>alert(1)</script>",
  "\u0000",
  "💥".repeat(99),
])("of anything else nothing is known: %j", (agent) => {
  expect(deviceOf({ "user-agent": agent })).toEqual({ browser: null, system: null });
});

test("without headers nothing is known", () => {
  expect(deviceOf({})).toEqual({ browser: null, system: null });
});

test("only the beginning is read, and of the text itself nothing is returned", () => {
  const far = `${"x".repeat(512)} Firefox/140.0 Windows NT`;
  expect(deviceOf({ "user-agent": far })).toEqual({ browser: null, system: null });
  const marks = fc.constantFrom(
    "Firefox/",
    "bot",
    " Chrome/1 Safari/1",
    "Windows NT",
    "iPhone",
    '"',
    ";",
    "(",
    "Version/",
  );
  const text = fc.array(fc.oneof(marks, fc.string()), { maxLength: 300 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, text, (agent, brands, platform) => {
      const { browser, system } = deviceOf({
        "user-agent": agent,
        "sec-ch-ua": brands,
        "sec-ch-ua-platform": platform,
      });
      for (const name of [browser, system])
        expect(name ?? "Unknown").toMatch(
          /^[A-Z][A-Za-z]*( [A-Z][A-Za-z]+)?$|^iOS$|^iPadOS$|^macOS$|^webOS$|^Google app$/,
        );
    }),
  );
});
