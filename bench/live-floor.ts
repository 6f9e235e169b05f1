/**
 * The floor of the live benchmark: a bare `ws` server. What is posted to it goes to every socket, in a frame as long as ours;
 * nothing is checked or stored.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
let frame = "{content}";

const server = createServer(async (request, response) => {
  if (request.url === "/memory") return void response.end(String(process.memoryUsage.rss()));
  const body = await text(request);
  if (request.url === "/frame") frame = body;
  else {
    const sent = frame.replaceAll("{content}", (JSON.parse(body) as { content: string }).content);
    for (const socket of sockets.clients) socket.send(sent);
  }
  response.writeHead(201, { "content-length": 2 }).end("{}");
});
server.on("upgrade", (request, socket, head) => sockets.handleUpgrade(request, socket, head, () => {}));
server.listen(Number(process.env.FLOOR_PORT), "127.0.0.1", () => console.log("ready"));
