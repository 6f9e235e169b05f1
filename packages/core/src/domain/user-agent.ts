/** The families of browsers and systems that a visitor's request can name; anything else is unknown. */

export interface Device {
  browser: string | null;
  system: string | null;
}

/** The headers that browsers send with every request, without being asked for more. */
export interface DeviceHeaders {
  "user-agent"?: string | undefined;
  /** Only browsers built on Chromium have these two (client hints of low entropy). */
  "sec-ch-ua"?: string | undefined;
  "sec-ch-ua-platform"?: string | undefined;
}

/** Families that a request names, in fixed words of ours: of the headers themselves nothing is kept. */
export function deviceOf(headers: DeviceHeaders): Device {
  const agent = beginning(headers["user-agent"]);
  if (ROBOT.test(agent)) return { browser: "Bot", system: null };
  const brands = beginning(headers["sec-ch-ua"]);
  const platform = beginning(headers["sec-ch-ua-platform"]);
  const system = platforms[platform] ?? first(SYSTEMS, (mark) => agent.includes(mark));
  const named = first(BROWSERS, (mark) => agent.includes(mark) || brands.includes(`"${mark}"`));
  return { browser: named ?? (isSafari(agent) ? "Safari" : null), system };
}

/** Real ones have up to some 350 characters. */
const MOST_CHARACTERS = 512;

const beginning = (header = ""): string => header.slice(0, MOST_CHARACTERS);

/** `Googlebot/2.1`, `AdsBot-Google`; Cubot makes phones. */
const ROBOT = /(?<!cu)bot\b|crawler|spider|facebookexternalhit|lighthouse/i;

type Marks = readonly (readonly [family: string, ...marks: string[]])[];

/**
 * By what stands in the user agent, or as a brand in the client hints. Browsers name those that they are built on as well, so
 * the first one here counts.
 */
const BROWSERS: Marks = [
  ["Facebook", "FBAN/", "FBAV/"],
  ["Instagram", "Instagram "],
  ["TikTok", "musical_ly", "BytedanceWebview"],
  ["LinkedIn", "LinkedInApp"],
  ["WeChat", "MicroMessenger/"],
  ["LINE", " Line/"],
  ["Google app", "GSA/"],
  ["Edge", "Edg/", "EdgA/", "EdgiOS/", "Microsoft Edge"],
  ["Samsung Internet", "SamsungBrowser/", "Samsung Internet"],
  ["Opera", "OPR/", "OPT/", "OPX/", "Opera Mini/", "Opera", "Opera GX"],
  ["Brave", "Brave/", "Brave"],
  ["Vivaldi", "Vivaldi/", "Vivaldi"],
  ["DuckDuckGo", "DuckDuckGo/", "Ddg/", "DuckDuckGo"],
  ["Yandex Browser", "YaBrowser/", "YaBrowser", "Yandex"],
  ["UC Browser", "UCBrowser/", "UCWEB/"],
  ["QQ Browser", "MQQBrowser/", "QQBrowser/"],
  ["Mi Browser", "MiuiBrowser/"],
  ["Huawei Browser", "HuaweiBrowser/"],
  ["Vivo Browser", "VivoBrowser/"],
  ["Oppo Browser", "HeyTapBrowser/"],
  ["Whale", "Whale/", "Whale"],
  ["Silk", "Silk/"],
  ["Firefox", "Firefox/", "FxiOS/", "Focus/"],
  ["Headless Chrome", "HeadlessChrome/", "HeadlessChrome"],
  ["Android WebView", "; wv)", "Android WebView"],
  ["Chromium", "Chromium/"],
  ["Chrome", "Google Chrome", "CriOS/", "Chrome/"],
];

/** Others name it as well, so it is asked for last. */
const isSafari = (agent: string): boolean =>
  agent.includes("Version/") && agent.includes("Safari/") && /Macintosh|iPhone|iPad|iPod/.test(agent);

/** The client hint, with its quotation marks. It tells Android where the page asked for is the desktop's. */
const platforms: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  '"Windows"': "Windows",
  '"macOS"': "macOS",
  '"iOS"': "iOS",
  '"Android"': "Android",
  '"Chrome OS"': "ChromeOS",
  '"Chromium OS"': "ChromeOS",
  '"Linux"': "Linux",
});

/** By what stands in the user agent; the first one counts. */
const SYSTEMS: Marks = [
  ["Windows", "Windows NT", "Windows Phone"],
  ["iPadOS", "iPad;"],
  ["iOS", "iPhone", "iPod"],
  ["macOS", "Macintosh"],
  ["HarmonyOS", "HarmonyOS", "OpenHarmony"],
  ["Android", "Android"],
  ["ChromeOS", "CrOS "],
  ["KaiOS", "KAIOS/"],
  ["Tizen", "Tizen"],
  ["webOS", "Web0S"],
  ["PlayStation", "PlayStation"],
  ["FreeBSD", "FreeBSD"],
  ["Linux", "Linux", "X11"],
];

function first(families: Marks, isThere: (mark: string) => boolean): string | null {
  return families.find(([, ...marks]) => marks.some(isThere))?.[0] ?? null;
}
