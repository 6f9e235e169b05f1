import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What the process counts, as Prometheus reads it. */
export interface Metrics {
  contentType: string;
  render(): Promise<string>;
  httpAnswer(answer: { method: string; route: string; status: number; seconds: number }): void;
  jobEnded(kind: string, outcome: string): void;
  timerEnded(kind: string, outcome: string): void;
  aiTurnEnded(turn: { outcome: string; reason: string }, seconds: number): void;
  /** `outcome`: delivered, stopped, or the name of the error. */
  webhookAttempt(outcome: string): void;
  /** Called with the bytes of each received file. */
  fileStored(bytes: number): void;
  /** Called with the number of events sent to live streams. */
  liveEvents(count: number): void;
}

/** What waits to be delivered. */
export interface DeliveryBacklog {
  waiting: number;
  /** How long the longest due one has been due, in seconds; 0 when none is. */
  oldestSeconds: number;
}

/** @param sources read each time the metrics are read; without `redisAnswers` where no Redis is used */
export function createMetrics({
  backlog,
  redisAnswers,
  liveStreams,
  aiAway,
}: {
  backlog: () => Promise<DeliveryBacklog>;
  redisAnswers: (() => Promise<boolean>) | undefined;
  /** How many live streams are open, by transport. */
  liveStreams: () => Record<string, number>;
  /** How many teams have an AI whose model is away. */
  aiAway: () => Promise<number>;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "frontdesk_" });
  const httpSeconds = new Histogram({
    name: "frontdesk_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its response, by route pattern.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const jobs = new Counter({
    name: "frontdesk_jobs_total",
    help: "Attempts at background jobs, by kind and outcome.",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  const timers = new Counter({
    name: "frontdesk_timers_total",
    help: "Due timers, by kind and outcome.",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  const aiTurnEnded = measureAi(registry, aiAway);
  const webhookAttempts = new Counter({
    name: "frontdesk_webhook_attempts_total",
    help: "Webhook delivery attempts, by outcome: delivered, stopped, or the error.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const oldest = new Gauge({
    name: "frontdesk_webhook_oldest_seconds",
    help: "How long the oldest waiting webhook delivery has been due.",
    registers: [registry],
  });
  new Gauge({
    name: "frontdesk_webhook_queue_depth",
    help: "Waiting webhook deliveries, including those to be retried later.",
    registers: [registry],
    async collect() {
      // Without the storage these two are unknown, and the others are all the more important.
      const { waiting, oldestSeconds } = await backlog().catch(() => ({ waiting: NaN, oldestSeconds: NaN }));
      this.set(waiting);
      oldest.set(oldestSeconds);
    },
  });
  const files = new Counter({
    name: "frontdesk_files_total",
    help: "Uploaded files that were stored.",
    registers: [registry],
  });
  const fileBytes = new Counter({
    name: "frontdesk_file_bytes_total",
    help: "Bytes of uploaded files that were stored.",
    registers: [registry],
  });
  const liveEvents = new Counter({
    name: "frontdesk_live_events_total",
    help: "Events sent to live streams, counted once per stream.",
    registers: [registry],
  });
  new Gauge({
    name: "frontdesk_live_streams",
    help: "Open live streams, by transport.",
    labelNames: ["transport"],
    registers: [registry],
    collect() {
      for (const [transport, open] of Object.entries(liveStreams())) this.set({ transport }, open);
    },
  });
  if (redisAnswers) {
    new Gauge({
      name: "frontdesk_redis_up",
      help: "1 while Redis responds; 0 while this process counts rate limits on its own.",
      registers: [registry],
      async collect() {
        this.set((await redisAnswers()) ? 1 : 0);
      },
    });
  }
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    httpAnswer: ({ method, route, status, seconds }) =>
      httpSeconds.observe({ method, route, status: String(status) }, seconds),
    webhookAttempt: (outcome) => webhookAttempts.inc({ outcome }),
    fileStored: (bytes) => {
      files.inc();
      fileBytes.inc(bytes);
    },
    liveEvents: (count) => liveEvents.inc(count),
    jobEnded: (kind, outcome) => jobs.inc({ kind, outcome }),
    timerEnded: (kind, outcome) => timers.inc({ kind, outcome }),
    aiTurnEnded,
  };
}

/** @returns what counts a turn that has ended */
function measureAi(registry: Registry, aiAway: () => Promise<number>): Metrics["aiTurnEnded"] {
  const turns = new Counter({
    name: "frontdesk_ai_turns_total",
    help: "Turns of the built-in AI, by outcome and reason; reasons that begin with model- are failures of its server.",
    labelNames: ["outcome", "reason"],
    registers: [registry],
  });
  const turnSeconds = new Histogram({
    name: "frontdesk_ai_turn_duration_seconds",
    help: "Time from the claim of a turn of the built-in AI to its end, by outcome.",
    labelNames: ["outcome"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45],
    registers: [registry],
  });
  new Gauge({
    name: "frontdesk_ai_away",
    help: "Teams whose built-in AI is away because its model has failed.",
    registers: [registry],
    async collect() {
      this.set(await aiAway().catch(() => NaN));
    },
  });
  return ({ outcome, reason }, seconds) => {
    turns.inc({ outcome, reason });
    turnSeconds.observe({ outcome }, seconds);
  };
}
