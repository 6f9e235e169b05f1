/** The floor of a turn: a bare proxy that streams the answer of the model server on. Environment: FLOOR_PORT, MODEL_PORT. */
import { Agent, createServer, request } from "node:http";

const agent = new Agent({ keepAlive: true });
const { FLOOR_PORT, MODEL_PORT } = process.env;

createServer((asked, answer) => {
  const passed = { port: MODEL_PORT, host: "127.0.0.1", path: "/v1/chat/completions", method: "POST", agent };
  const onward = request({ ...passed, headers: { "Content-Type": "application/json" } }, (response) => {
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    response.pipe(answer);
  });
  asked.pipe(onward);
}).listen(Number(FLOOR_PORT), "127.0.0.1", () => console.log("ready"));
