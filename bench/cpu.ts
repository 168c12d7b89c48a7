/** CPU time of processes with all their threads and children, and of cores; memory; from `/proc`. */

/** Microseconds of a clock tick: `USER_HZ` is 100 on every Linux that Deno runs on. */
const TICK = 10_000;

/** Fields of `/proc/PID/stat` that are needed here (proc(5)). */
export interface ProcessStat {
  readonly parent: number;
  /** User and system time, of all threads and of children that have ended, in microseconds. */
  readonly cpuMicros: number;
}

/** Reads a line of `/proc/PID/stat`. A program's name may hold blanks and parentheses. */
export function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ").map(Number);
  // From the third field of proc(5) on: state ppid … utime (14) stime cutime cstime (17).
  const [, parent = 0] = fields;
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return { parent, cpuMicros: (utime + stime + cutime + cstime) * TICK };
}

/** CPU time that a process and its children have used, in microseconds. */
export function cpuMicros(pid: number): number {
  return treeOf(pid).reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
}

/** CPU time that everything together has used on cores such as "1" or "0,1", in microseconds. */
export function coresMicros(cores: string): number {
  const lines = readProc("stat").split("\n");
  return cores.split(",").reduce((sum, core) => {
    const line = lines.find((line) => line.startsWith(`cpu${core} `)) ?? "";
    // proc(5): user nice system idle iowait irq softirq steal
    const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(" ").slice(1).map(
      Number,
    );
    return sum + (user + nice + system + steal) * TICK;
  }, 0);
}

/** Resident memory of a process and its children, in bytes. */
export function residentBytes(pid: number): number {
  return treeOf(pid).reduce((sum, { pid }) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`))?.[1];
    return sum + Number(kilobytes ?? 0) * 1024;
  }, 0);
}

/** Waits until a process has nothing more to do, such as flushing its log; at most 5 s. */
export async function untilQuiet(pid: number): Promise<void> {
  const end = performance.now() + 5000;
  let before = cpuMicros(pid);
  for (let quiet = 0; quiet < 3 && performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = cpuMicros(pid);
    quiet = now - before <= TICK ? quiet + 1 : 0;
    before = now;
  }
}

function treeOf(root: number): readonly (ProcessStat & { pid: number })[] {
  const all = [...Deno.readDirSync("/proc")]
    .filter(({ name }) => /^\d+$/.test(name))
    .map(({ name }) => ({ pid: Number(name), line: readProc(`${name}/stat`) }))
    .filter(({ line }) => line !== "")
    .map(({ pid, line }) => ({ pid, ...parseStat(line) }));
  const below = (pid: number): typeof all => [
    ...all.filter((process) => process.pid === pid),
    ...all.filter((process) => process.parent === pid).flatMap((process) => below(process.pid)),
  ];
  return below(root);
}

/** Empty when the process has ended. */
function readProc(path: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${path}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || /ESRCH|os error 3\)/.test(String(error))) {
      return "";
    }
    throw error;
  }
}
