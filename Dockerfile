# Two stages: the first builds the bundle, the second holds nothing but it, Node, git, bubblewrap and PostgreSQL.
FROM node:24.12-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional --ignore-scripts
COPY tsconfig.json app.yml LICENSE ./
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.ts dist

FROM node:24.12-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends git bubblewrap ca-certificates postgresql-15 tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --create-home --home-dir /var/lib/gavel --shell /usr/sbin/nologin gavel
WORKDIR /opt/gavel
COPY package.json ./
COPY bin ./bin
COPY --from=build /build/dist ./dist
USER gavel
ENV NODE_ENV=production NODE_COMPILE_CACHE=/var/lib/gavel/cache GAVEL_DATA_DIR=/var/lib/gavel/data HOST=0.0.0.0 PORT=3000
VOLUME /var/lib/gavel
EXPOSE 3000
# An init, so that no child of a sandbox stays behind as a zombie. The sandbox needs user namespaces: see docs/operations.md.
ENTRYPOINT ["tini", "--"]
CMD ["node", "--env-file-if-exists=/var/lib/gavel/.env", "dist/main.mjs"]
