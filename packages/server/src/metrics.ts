import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What the process counts, as Prometheus reads it. */
export interface Metrics {
  contentType: string;
  render(): Promise<string>;
  httpAnswer(answer: { method: string; route: string; status: number; seconds: number }): void;
  jobEnded(kind: string, outcome: string): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "frontdesk_" });
  const httpSeconds = new Histogram({
    name: "frontdesk_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last of its answer, by route pattern.",
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
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    httpAnswer: ({ method, route, status, seconds }) =>
      httpSeconds.observe({ method, route, status: String(status) }, seconds),
    jobEnded: (kind, outcome) => jobs.inc({ kind, outcome }),
  };
}
