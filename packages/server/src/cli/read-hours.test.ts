import { expect, test } from "vitest";
import { readHours } from "./read-hours.ts";

const span = (from: string, to: string) => ({ from, to });
const day = [span("09:00", "17:00")];
const set = { timezone: "Europe/Berlin", week: { mon: day }, closed: ["2026-12-25"] };

test("a week is days with their times, as people write them", () => {
  const read = (hours: string) => readHours({ hours, timezone: "Europe/Berlin" }, null)?.week;
  expect(read("mon-wed 09:00-17:00")).toEqual({ mon: day, tue: day, wed: day });
  expect(read("MON 9-12:30 13:30-17, sat 10-14")).toEqual({
    mon: [span("09:00", "12:30"), span("13:30", "17:00")],
    sat: [span("10:00", "14:00")],
  });
  expect(Object.keys(read("fri-mon 10:00-24:00") ?? {})).toEqual(["fri", "sat", "sun", "mon"]);
  expect(read("mon-tue 9-17, tue 18-20")).toEqual({ mon: day, tue: [...day, span("18:00", "20:00")] });
});

test("what is not given stays as it was; without anything there is no change", () => {
  expect(readHours({}, set)).toBeUndefined();
  expect(readHours({ timezone: "Asia/Tokyo" }, set)).toEqual({ ...set, timezone: "Asia/Tokyo" });
  expect(readHours({ hours: "mon 9-17" }, set)).toEqual(set);
  expect(readHours({ closed: "2026-12-24, 2026-12-31" }, set)?.closed).toEqual(["2026-12-24", "2026-12-31"]);
  expect(readHours({ closed: "none" }, set)?.closed).toEqual([]);
  expect(readHours({ hours: "always" }, set)).toBeNull();
});

test("hours can be given as the command shows them", () => {
  expect(readHours({ hours: JSON.stringify(set) }, null)).toEqual(set);
});

test("what cannot be read is reported at its option", () => {
  const cases = [
    [{ hours: "mon 9-17" }, "--timezone"],
    [{ timezone: "Europe/Berlin" }, "--hours"],
    [{ hours: "monday 9-17", timezone: "UTC" }, '"monday" must be one of mon'],
    [{ hours: "mon-tue-wed 9-17", timezone: "UTC" }, "mon-fri"],
    [{ hours: "mon", timezone: "UTC" }, '"mon" must look like'],
    [{ hours: "mon 9am-5pm", timezone: "UTC" }, '"9am-5pm" must look like 09:00-17:00'],
    [{ hours: '{"timezone": 1}' }, "must look like {"],
    [{ hours: '{"timezone": "UTC", "week": {"mon": ["09:00-17:00"]}}' }, "must look like {"],
    [{ hours: "{" }, "must look like {"],
    [{ hours: "always", timezone: "UTC" }, "need weekly hours"],
  ] as const;
  for (const [typed, told] of cases) expect(() => readHours(typed, null), JSON.stringify(typed)).toThrow(told);
});
