/** A real nginx, with a configuration of the test's own in a folder of its own. */
import { join } from "node:path";
import type { Need } from "./machine_needs.ts";
import { until } from "./until.ts";

/** Debian keeps it where only root looks. */
const PROGRAMS = ["nginx", "/usr/sbin/nginx"];

/** For `testWith`. */
export const nginxNeed: Need = {
  what: "nginx (apt-get install nginx-light, or brew install nginx)",
  isThere: PROGRAMS.some(isProgram),
};

/** A certificate and its private key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export class Nginx implements AsyncDisposable {
  readonly port = freePort();
  readonly #folder: string;
  #process: Deno.ChildProcess;

  private constructor(folder: string, server: string, tls: KeyPair | null) {
    this.#folder = folder;
    Deno.mkdirSync(join(folder, "files"));
    Deno.writeTextFileSync(this.#path("nginx.conf"), this.#configuration(server, tls !== null));
    if (tls !== null) {
      Deno.writeTextFileSync(this.#path("cert.pem"), tls.cert);
      Deno.writeTextFileSync(this.#path("key.pem"), tls.key);
    }
    this.#process = this.#spawn();
  }

  /**
   * Starts nginx with the lines of a `server` block, without its `listen`; over TLS
   * with a certificate. Files are served from the folder that `write` and `read` go to.
   *
   * @throws when there is no nginx, or it does not like the configuration.
   */
  static async start(server: string, tls: KeyPair | null = null): Promise<Nginx> {
    const nginx = new Nginx(Deno.makeTempDirSync({ prefix: "portico-nginx-" }), server, tls);
    await nginx.#untilListening();
    return nginx;
  }

  get server(): { host: string; port: number } {
    return { host: "127.0.0.1", port: this.port };
  }

  write(name: string, content: Uint8Array | string): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(this.#path(`files/${name}`), bytes);
  }

  read(name: string): Uint8Array {
    return Deno.readFileSync(this.#path(`files/${name}`));
  }

  /** A line for every call: method, path, status and number of the connection. */
  calls(): string[] {
    return Deno.readTextFileSync(this.#path("access.log")).split("\n").slice(0, -1);
  }

  /** Ends nginx at once, and with it all connections. */
  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.status;
  }

  /** After `stop`. */
  async startAgain(): Promise<void> {
    this.#process = this.#spawn();
    await this.#untilListening();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    Deno.removeSync(this.#folder, { recursive: true });
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #spawn(): Deno.ChildProcess {
    const args = [
      "-p",
      this.#folder,
      "-c",
      this.#path("nginx.conf"),
      "-e",
      this.#path("error.log"),
    ];
    for (const program of PROGRAMS) {
      try {
        return new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" })
          .spawn();
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    throw new Error(`This test needs ${nginxNeed.what}`);
  }

  async #untilListening(): Promise<void> {
    let hasEnded = false;
    this.#process.status.then(() => hasEnded = true);
    await until(async () => {
      if (hasEnded) throw new Error(Deno.readTextFileSync(this.#path("error.log")));
      return await takesConnections(this.port);
    }, "nginx to listen");
  }

  #configuration(server: string, hasTls: boolean): string {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((what) =>
      `${what}_temp_path ${this.#path(what)};`
    );
    return `
      ${Deno.uid() === 0 ? "user root;" : ""}
      daemon off;
      worker_processes 1;
      pid ${this.#path("nginx.pid")};
      events {}
      http {
        ${temporary.join("\n")}
        types { application/json json; text/plain txt; }
        log_format calls "$request_method $uri $status $connection";
        access_log ${this.#path("access.log")} calls;
        root ${this.#path("files")};
        server {
          listen 127.0.0.1:${this.port}${hasTls ? " ssl" : ""};
          ${hasTls ? "ssl_certificate cert.pem; ssl_certificate_key key.pem;" : ""}
          ${server}
        }
      }
    `;
  }
}

/** A port that was free a moment ago: nginx cannot choose one itself. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function takesConnections(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

/** Whether it can be started; the program itself says no more than its version. */
function isProgram(name: string): boolean {
  try {
    new Deno.Command(name, { args: ["-v"], stdout: "null", stderr: "null" }).outputSync();
    return true;
  } catch {
    return false;
  }
}
