import { expect, test } from "vitest";
import { type SnoozeChoice, snoozeChoices } from "./snooze-choices.ts";

const untilOf = ({ input }: SnoozeChoice) => ("until" in input ? new Date(input.until) : undefined);
/** November 2026, at three in the afternoon; the 22nd is a Sunday. */
const inNovember = (day: number, hour = 15) => new Date(2026, 10, day, hour);
const offered = (day: number) => snoozeChoices(inNovember(day)).map(({ id }) => id);

test("a snooze ends in an hour, tomorrow, in three days, next week, or with the visitor's reply", () => {
  const choices = snoozeChoices(inNovember(24));
  expect(choices.map(({ id }) => id)).toEqual(["hour", "tomorrow", "days", "next-week", "reply"]);
  expect(choices.map(untilOf)).toEqual([
    inNovember(24, 16),
    inNovember(25, 9),
    inNovember(27, 9),
    inNovember(30, 9),
    undefined,
  ]);
});

test.each([22, 23, 24, 25, 26, 27, 28])("on 2026-11-%s no time is offered twice", (day) => {
  const times = snoozeChoices(inNovember(day)).flatMap((choice) => untilOf(choice)?.getTime() ?? []);
  expect(new Set(times).size).toBe(times.length);
});

test("on a Sunday next week is tomorrow, and on a Friday three days end next week", () => {
  expect(offered(22)).toEqual(["hour", "tomorrow", "days", "reply"]);
  expect(offered(27)).toEqual(["hour", "tomorrow", "next-week", "reply"]);
});
