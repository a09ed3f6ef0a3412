# syntax=docker/dockerfile:1
# Corridor in production mode. It wants a PostgreSQL (CORRIDOR_DATABASE_URL or CORRIDOR_DATABASE_URL_FILE) and a folder
# for its signing keys (CORRIDOR_AUTH_KEY_DIRECTORY); without them it says so and ends.

FROM node:24-slim AS build
WORKDIR /corridor
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.browser.json ./
COPY scripts/build.js scripts/bundle.js scripts/
COPY apps apps
COPY services services
COPY ports ports
COPY packages packages
# The history stays outside: docker build --build-arg SOURCE_COMMIT=$(git rev-parse HEAD)
ARG SOURCE_COMMIT
RUN npm run build

# What runs needs neither the compiler nor the embedded PostgreSQL and Node that npm brings along for a laptop.
FROM node:24-slim AS dependencies
WORKDIR /corridor
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24-slim
LABEL org.opencontainers.image.title="Corridor" \
      org.opencontainers.image.description="The open health-information exchange: HL7v2 in, consented FHIR R4 out." \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /corridor
# A named volume that is put there takes over this owner.
RUN mkdir -p -m 0700 /var/lib/corridor && chown 1000:1000 /var/lib/corridor
COPY --from=dependencies /corridor/node_modules node_modules
COPY --from=build /corridor/dist/program dist/program
COPY --from=build /corridor/dist/apps dist/apps
COPY --from=build /corridor/dist/services dist/services
COPY --from=build /corridor/dist/ports dist/ports
COPY --from=build /corridor/dist/packages dist/packages
COPY package.json LICENSE TERMINOLOGY-NOTICES.md ./
COPY bin bin
# HEALTH_URL: where a container can be asked that runs only some services, or whose listeners have certificates (https);
# it is no key of Corridor.
ENV NODE_ENV=production \
    CORRIDOR_MODE=production \
    CORRIDOR_LISTEN_HOSTS=0.0.0.0 \
    HEALTH_URL=http://127.0.0.1:9000/actuator/health/liveness
USER 1000:1000
EXPOSE 9000 8080 8082 8083 8084 8443 2575-2582
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "const url = process.env.HEALTH_URL; require(url.startsWith('https:') ? 'node:https' : 'node:http').get(url, { rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "bin/corridor.js"]
CMD ["start"]
