/**
 * The worker that runs bcrypt: a hash takes about a third of a second of CPU,
 * which the thread that answers calls must never spend. One task a message, one
 * answer a task, in order. Started and fed by `password_hasher.ts`.
 */
import { compareSync, hashSync, truncates } from "bcryptjs";

export type PasswordTask =
  | { readonly kind: "hash"; readonly id: number; readonly password: string; readonly cost: number }
  | {
    readonly kind: "compare";
    readonly id: number;
    readonly password: string;
    readonly hash: string;
  };

export interface PasswordResult {
  readonly id: number;
  readonly result: string | boolean;
}

self.onmessage = ({ data }: MessageEvent<PasswordTask>) => {
  const answer: PasswordResult = { id: data.id, result: run(data) };
  self.postMessage(answer);
};

function run(task: PasswordTask): string | boolean {
  if (task.kind === "hash") return hashSync(task.password, task.cost);
  const same = compareSync(task.password, task.hash);
  // bcrypt reads 72 bytes: a longer password would match by its beginning alone.
  return same && !truncates(task.password);
}
