# syntax=docker/dockerfile:1

FROM node:24-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY patches ./patches
# A registry may lack a package that the lock file names for another platform.
RUN npm ci --no-audit --no-fund || { echo "npm ci failed; npm install follows"; npm install --no-audit --no-fund; }
COPY . .
# After the build only the optional engines are needed, which are no development dependencies.
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-trixie-slim
ENV NODE_ENV=production \
    EDGEWISE_HOST=0.0.0.0 \
    EDGEWISE_PORT=3940 \
    EDGEWISE_STATE_DIR=/var/lib/edgewise
WORKDIR /opt/edgewise
COPY --from=build /build/LICENSE /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/edgewise
USER node
VOLUME ["/var/lib/edgewise"]
EXPOSE 3940
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.EDGEWISE_PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/edgewise/dist/server.js"]
CMD ["http"]
