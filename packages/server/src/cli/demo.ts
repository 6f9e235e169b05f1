import { defineCommand } from "./command.ts";
export const demo = defineCommand({ name: "demo", summary: "x", options: {}, async run() {} });
