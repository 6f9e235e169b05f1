import type { FastifyInstance } from "fastify";

/** Every route of an app, from the tree that the router prints; parameters as `:name`. */
export function servedRoutes(http: FastifyInstance): { method: string; url: string }[] {
  const path: string[] = [];
  return http
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods = ""] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
      if (part === "") return [];
      path.splice(indent.length / 4, Number.POSITIVE_INFINITY, part);
      const url = path.join("");
      return methods === "" ? [] : methods.split(", ").map((method) => ({ method, url }));
    });
}
