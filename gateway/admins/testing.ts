/** What the tests of this folder and of the API share: admins on a store in memory. */
import { defaultConfiguration } from "../config/configuration.ts";
import { createLog } from "../process/logger.ts";
import { Store } from "../store/store.ts";
import { type Admins, openAdmins } from "./admins.ts";
import { PasswordHasher } from "./password_hasher.ts";

export interface AdminsForTest extends Admins {
  /** Stands still until a test moves it. Milliseconds since the epoch. */
  readonly time: { now: number };
  readonly store: Store;
  /** Lines of the server's log. */
  readonly lines: string[];
  /** Opens them again on the same store, as after a restart. */
  restarted(superusers?: readonly Superuser[]): Promise<Admins>;
}

export interface Superuser {
  readonly username: string;
  readonly password_hash: string | null;
}

/** Runs `test` with fresh admins; bcrypt at its least cost. */
export async function withAdmins(
  test: (admins: AdminsForTest) => Promise<void>,
  superusers: readonly Superuser[] = [],
): Promise<void> {
  const store = await Store.open(":memory:");
  const hasher = new PasswordHasher({ cost: 4 });
  const time = { now: Date.UTC(2030, 0, 1) };
  const lines: string[] = [];
  const log = createLog({ level: "debug", terminal: true, write: (line) => lines.push(line) });
  const open = (initial_superusers: readonly Superuser[]) =>
    openAdmins({
      config: {
        ...defaultConfiguration,
        web: { admin: { password_length_min: 14, initial_superusers: [...initial_superusers] } },
      },
      store,
      log,
      hasher,
      clock: () => time.now,
    });
  try {
    const restarted = (again: readonly Superuser[] = superusers) => open(again);
    await test({ ...await open(superusers), store, time, lines, restarted });
  } finally {
    hasher.close();
    store.close();
  }
}
