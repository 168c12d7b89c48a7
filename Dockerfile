# Portico on ports 80 and 443, with /etc/portico/portico.yml and data in /var/lib/portico:
#
#   docker build --tag portico .
#   docker run --publish 80:80 --publish 443:443 --stop-timeout 45 \
#     --volume /etc/portico:/etc/portico:ro --volume portico:/var/lib/portico portico

FROM node:22-bookworm-slim AS build

# Deno comes from npm like every other package: the build needs no other registry.
RUN npm install --global deno@2.9.6 && cp "$(deno eval -p 'Deno.execPath()')" /deno

WORKDIR /opt/portico
COPY . .
RUN deno task build
# Every module the server loads, so that it starts without a network.
ENV DENO_DIR=/var/cache/deno
RUN deno cache main.ts _fresh/server.js gateway/isolates/serving_entry.ts \
  gateway/admins/password_worker.ts \
  gateway/process/print_permissions.ts gateway/process/check_config.ts \
  gateway/process/hash_password.ts packaging/health_check.ts

FROM debian:bookworm-slim

RUN useradd --system --uid 10001 --no-create-home portico \
  && install --directory --owner=portico --mode=0700 /var/lib/portico \
  && install --directory /etc/portico
COPY --from=build /deno /usr/local/bin/deno
COPY --from=build /var/cache/deno /var/cache/deno
COPY --from=build /opt/portico /opt/portico

# The environment comes before the configuration file. PORTICO_HTTPS_PORT=null is no HTTPS.
ENV DENO_DIR=/var/cache/deno \
  DENO_NO_UPDATE_CHECK=1 \
  PORTICO_HTTP_PORT=80 \
  PORTICO_HTTPS_PORT=443 \
  PORTICO_KV=/var/lib/portico/portico.kv

# Container engines let any user listen on ports below 1024.
USER portico
WORKDIR /opt/portico
VOLUME /var/lib/portico
EXPOSE 80 443

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s \
  CMD ["deno", "run", "--no-config", "--no-prompt", "--allow-net=127.0.0.1", \
  "--allow-env=PORTICO_HTTP_PORT", "packaging/health_check.ts"]

# The shell script becomes the server: signals reach it directly.
ENTRYPOINT ["bin/portico"]
CMD ["start"]
