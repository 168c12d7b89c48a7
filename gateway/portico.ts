/**
 * Portico as one object: the parts that pages, REST API and request path share,
 * put together from a configuration and a store. Nothing here decides anything.
 */
import { AccountRecords } from "./admins/account_records.ts";
import { Accounts } from "./admins/accounts.ts";
import { AttemptThrottle } from "./admins/attempt_throttle.ts";
import { PasswordHasher } from "./admins/password_hasher.ts";
import { Sessions } from "./admins/sessions.ts";
import { Tokens } from "./admins/tokens.ts";
import { Backends } from "./backends/backends.ts";
import { CacheAdministration } from "./cache/administration.ts";
import type { Configuration } from "./config/configuration.ts";
import { Explainer } from "./explain/explainer.ts";
import { KeyDirectory } from "./keys/key_directory.ts";
import { newLimitMemory, seedOf } from "./limit/limit_memory.ts";
import { QuotaJournal } from "./limit/quota_journal.ts";
import { RateLimiter } from "./limit/rate_limiter.ts";
import { CallLog } from "./logs/call_log.ts";
import type { Logger } from "./process/logger.ts";
import { Publishing } from "./publish/publishing.ts";
import { serverSecret } from "./store/server_secret.ts";
import type { Store } from "./store/store.ts";
import { HealthReports } from "./upstream/health_reports.ts";
import { SignupLimit } from "./users/signup_limit.ts";
import { Users } from "./users/users.ts";
import { Websites } from "./websites/websites.ts";

export interface Portico {
  readonly config: Configuration;
  readonly store: Store;
  readonly backends: Backends;
  readonly websites: Websites;
  readonly users: Users;
  readonly publishing: Publishing;
  readonly callLog: CallLog;
  readonly serverHealth: HealthReports;
  readonly keys: KeyDirectory;
  /** What API keys are hashed with. */
  readonly secret: Uint8Array;
  /** On the memory that all isolates count calls in. */
  readonly limiter: RateLimiter;
  readonly cache: CacheAdministration;
  readonly explainer: Explainer;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly log: Logger;
  /** A Portico under another configuration, on the same store and with the same connections. */
  configured(config: Configuration): Promise<Portico>;
  /** Writes what waits and ends all background work; the store is closed last. */
  close(): Promise<void>;
}

/** Puts the parts together. The live version is loaded when this resolves. */
export async function openPortico(
  config: Configuration,
  store: Store,
  log: Logger,
): Promise<Portico> {
  const secret = await serverSecret(store, config.secret_key);
  const keys = new KeyDirectory(store, log);
  const records = new AccountRecords(store);
  const tokens = new Tokens(store, records);
  const hasher = new PasswordHasher();
  const accounts = await Accounts.open({
    config: config.web.admin,
    records,
    hasher,
    throttle: new AttemptThrottle(),
    log,
    clock: Date.now,
  });
  const callLog = new CallLog(store, { onProblem: (message, facts) => log.error(message, facts) });
  const backends = new Backends(store);
  const websites = new Websites(store);
  const publishing = await Publishing.open(store, { backends, websites }, log);
  const limiter = new RateLimiter(newLimitMemory(seedOf(secret)));
  const quotas = await QuotaJournal.open(store, limiter.quotas, {
    onProblem: (message, facts) => log.error(message, facts),
  });
  const lasting = {
    store,
    log,
    keys,
    secret,
    limiter,
    cache: new CacheAdministration(config.cache.memory_max_bytes),
    tokens,
    callLog,
    serverHealth: new HealthReports(),
    publishing,
    backends,
    websites,
    sessions: new Sessions(store, records),
    async close() {
      await callLog.close();
      await quotas.close();
      await publishing.close();
      await keys.close();
      hasher.close();
      store.close();
    },
  };
  const assembled = (config: Configuration, accounts: Accounts): Portico => {
    callLog.retain(config.analytics.retention_days); // goes on in the background
    const users = new Users({
      store,
      secret,
      keys,
      signupLimit: new SignupLimit(config.signup.limit_per_address_per_hour),
    });
    return {
      ...lasting,
      config,
      accounts,
      users,
      explainer: new Explainer({ config, publishing, users, keys, secret, limiter }),
      configured: async (next) => assembled(next, await accounts.configured(next.web.admin)),
    };
  };
  return assembled(config, accounts);
}
