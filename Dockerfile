# Frontdesk as a container image, run by compose.yaml. See docs/guide/production.md.
#
# The first stage has npm and is thrown away. What stays is Debian, the project's own Node, and the sources, which Node
# runs as they are.

# Any Node from 20 on works here, because it only runs npm.
FROM node:24.21.0-bookworm-slim AS install
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /app
USER node
WORKDIR /app
# Before the sources, so that changing only those reinstalls nothing.
COPY --chown=node:node package.json package-lock.json .npmrc ./
COPY --chown=node:node packages/client/package.json packages/client/
COPY --chown=node:node packages/core/package.json packages/core/
COPY --chown=node:node packages/dashboard/package.json packages/dashboard/
COPY --chown=node:node packages/server/package.json packages/server/
COPY --chown=node:node packages/testing/package.json packages/testing/
COPY --chown=node:node packages/widget/package.json packages/widget/
# npm links the frontdesk command only if it exists.
COPY --chown=node:node packages/server/bin packages/server/bin/
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund \
  && test -x node_modules/.bin/node && test -x node_modules/.bin/frontdesk
COPY --chown=node:node . .
RUN node --input-type=module --eval 'await (await import("/app/scripts/build-what-is-stale.mjs")).buildWhatIsStale()'

# Named by the release and not by a date: a rebuild takes Debian's security updates.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin frontdesk \
  && install -d -o frontdesk -g frontdesk -m 0700 /data
# Owned by root, so that the service cannot change its own program.
COPY --from=install --chown=root:root /app /app
WORKDIR /app
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH
# By number, so that Kubernetes can see that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["frontdesk", "serve"]
