/** What the tests of this folder and of the API share: admins on a store in memory. */
import { createLog } from "../process/logger.ts";
import { Store } from "../store/store.ts";
import { AccountRecords } from "./account_records.ts";
import { Accounts } from "./accounts.ts";
import { AttemptThrottle } from "./attempt_throttle.ts";
import { PasswordHasher } from "./password_hasher.ts";
import { Sessions } from "./sessions.ts";
import { Tokens } from "./tokens.ts";

interface Superuser {
  readonly username: string;
  readonly password_hash: string | null;
}

export interface AdminsForTest {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly store: Store;
  /** Stands still until a test moves it. Milliseconds since the epoch. */
  readonly time: { now: number };
  /** Lines of the server's log. */
  readonly lines: string[];
  /** The accounts as another process opens them on the same store, or this one after a restart. */
  restarted(superusers?: readonly Superuser[]): Promise<Accounts>;
}

/** Runs `test` with fresh admins; bcrypt at its least cost. */
export async function withAdmins(
  test: (admins: AdminsForTest) => Promise<void>,
  superusers: readonly Superuser[] = [],
): Promise<void> {
  const store = await Store.open(":memory:");
  const hasher = new PasswordHasher({ cost: 4 });
  const time = { now: Date.UTC(2030, 0, 1) };
  const clock = () => time.now;
  const lines: string[] = [];
  const log = createLog({ level: "debug", terminal: true, write: (line) => lines.push(line) });
  const records = new AccountRecords(store);
  const tokens = new Tokens(store, records, clock);
  const sessions = new Sessions(store, records, clock);
  const restarted = (again = superusers) =>
    Accounts.open({
      config: adminConfiguration(again),
      records,
      hasher,
      throttle: new AttemptThrottle(clock),
      log,
      clock,
    });
  try {
    const accounts = await restarted();
    await test({ accounts, sessions, tokens, store, time, lines, restarted });
  } finally {
    hasher.close();
    store.close();
  }
}

export function adminConfiguration(superusers: readonly Superuser[]) {
  return { password_length_min: 14, initial_superusers: [...superusers] };
}
