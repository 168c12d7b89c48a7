/**
 * Explains calls to whoever runs the server. What is live is compiled once for all
 * explanations, drafts for each: here no connection to a backend is ever opened.
 */
import type { Upstream } from "../compile/backend.ts";
import { compileConfiguration, type CompiledConfiguration } from "../compile/configuration.ts";
import type { Configuration } from "../config/configuration.ts";
import { type ClientFacts, plainAddress } from "../exchange/client.ts";
import { invalidField } from "../faults.ts";
import type { KeyDirectory } from "../keys/key_directory.ts";
import { type KeyHolder, keyHolder, storedHolder } from "../keys/key_holder.ts";
import { hashApiKey } from "../keys/key_hash.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import type { LiveVersion, Publishing } from "../publish/publishing.ts";
import { validate } from "../records/validate.ts";
import type { Users } from "../users/users.ts";
import { callInQuestion } from "./call_in_question.ts";
import { explain } from "./explain.ts";
import { explainInput, type Explanation } from "./explanation.ts";
import type { ExplainRules } from "./findings.ts";

export interface ExplainerParts {
  readonly config: Configuration;
  readonly publishing: Publishing;
  readonly users: Users;
  readonly keys: KeyDirectory;
  /** What API keys are hashed with. */
  readonly secret: Uint8Array;
  readonly limiter: RateLimiter;
}

export class Explainer {
  readonly #parts: ExplainerParts;
  #live: { readonly of: LiveVersion | null; readonly compiled: CompiledConfiguration } | null =
    null;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
  }

  /**
   * `input` as `explainInput`; `client` is who asks. Throws a `Fault` (422) that lists
   * every bad field.
   */
  async explain(
    input: unknown,
    client: Pick<ClientFacts, "scheme" | "host" | "address">,
  ): Promise<Explanation> {
    const asked = validate(explainInput, input);
    const question = callInQuestion(asked, client);
    const address = plainAddress(asked.address ?? client.address);
    const user = asked.user_id == null ? null : await this.#user(asked.user_id);
    return await explain(question, { address, user }, await this.#rules(asked.draft), Date.now());
  }

  async #user(id: string): Promise<KeyHolder> {
    const user = await this.#parts.users.find(id);
    if (user === null) throw invalidField("user_id", "is the id of no API user");
    return keyHolder(storedHolder(user));
  }

  async #rules(draft: boolean): Promise<ExplainRules> {
    const { config, limiter, publishing } = this.#parts;
    return {
      config,
      configuration: draft ? this.#compiled(await publishing.next()) : this.#liveConfiguration(),
      version: draft ? null : publishing.live?.version ?? 0,
      keys: { find: (key) => this.#holder(key) },
      limiter,
    };
  }

  async #holder(key: string): Promise<KeyHolder | null> {
    const { keys, secret } = this.#parts;
    const stored = await keys.holderOf(hashApiKey(secret, key));
    return stored === null ? null : keyHolder(stored);
  }

  #liveConfiguration(): CompiledConfiguration {
    const { live } = this.#parts.publishing;
    if (this.#live === null || this.#live.of !== live) {
      this.#live = { of: live, compiled: this.#compiled(live) };
    }
    return this.#live.compiled;
  }

  #compiled(version: LiveVersion | null): CompiledConfiguration {
    return compileConfiguration(this.#parts.config, version, () => nowhere);
  }
}

/** In the place of a backend's servers. */
const nowhere: Upstream = {
  send() {
    throw new Error("a call that is explained is never sent");
  },
};
