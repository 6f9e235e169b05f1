import { openBin } from "@frontdesk/testing/frontdesk-bin";
import { expect, test } from "vitest";

const shop = await openBin();

test("demo opens a shop and prints what one needs; a repeat says that it is there", async () => {
  expect(await shop.json(["demo"])).toEqual({
    code: 0,
    answer: {
      team_id: expect.any(String),
      agent_id: expect.any(String),
      widget_id: expect.any(String),
      api_key: expect.stringMatching(/^fd_key_/),
      owner_email: "ada@demo-shop.test",
      password: expect.stringMatching(/^.{16}$/),
      agents: 4,
      contacts: expect.any(Number),
      conversations: expect.any(Number),
      messages: expect.any(Number),
      articles: expect.any(Number),
    },
  });
  const again = await shop.call(["demo"]);
  expect(again).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^The demo team already exists/),
  });
});
