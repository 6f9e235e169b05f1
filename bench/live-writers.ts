/** Messages at a fixed rate, as `steady-load.ts` sends requests, each with its own id and its due time. */
import { randomUUID } from "node:crypto";
import { openSocket, type PlainSocket, requestText } from "./plain-socket.ts";
import { wallClock } from "./wall-clock.ts";
import { takeCommands } from "./worker-process.ts";

export interface WritersSpec {
  port: number;
  path: string;
  /** Used in turn. */
  tokens: string[];
  connections: number;
  /** Messages a second; 0: as fast as they are answered. */
  rate: number;
  count: number;
}

export type WritersCommands = {
  /** Resolves to the number of refused ones, when all are answered. */
  write(spec: WritersSpec): Promise<{ refused: number }>;
};

const START_MS = 50;
const TICK_MS = 1;

takeCommands<WritersCommands>({
  async write(spec) {
    const free = await Promise.all(Array.from({ length: spec.connections }, () => openSocket(spec.port)));
    const all = [...free];
    const refused = await new Promise<number>((resolve) => keepWriting(spec, free, resolve));
    for (const socket of all) socket.end();
    return { refused };
  },
});

function keepWriting({ path, tokens, rate, count }: WritersSpec, free: PlainSocket[], done: (refused: number) => void) {
  const from = wallClock() + START_MS;
  let started = 0;
  let answered = 0;
  let refused = 0;
  const timer = setInterval(writeWhatIsDue, TICK_MS);

  function writeWhatIsDue(): void {
    const now = wallClock();
    while (started < count) {
      const due = rate > 0 ? from + (started * 1_000) / rate : now;
      const socket = due <= now ? free.shift() : undefined;
      if (!socket) break;
      write(socket, due, tokens[started % tokens.length] as string);
      started += 1;
    }
  }

  function write(socket: PlainSocket, due: number, token: string): void {
    const request = {
      method: "POST",
      path,
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ client_id: randomUUID(), content: `due:${due}` }),
    };
    socket.send(requestText(request, ""), ({ status }) => {
      if (status !== 201) refused += 1;
      answered += 1;
      free.push(socket);
      if (answered < count) return writeWhatIsDue();
      clearInterval(timer);
      done(refused);
    });
  }
}
