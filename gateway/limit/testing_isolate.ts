/** For the tests of memory that isolates share: work done in an isolate of its own. */

/** Gives `task` to the worker at `entry`, and its report back. */
export async function inIsolate<Task, Report>(entry: URL, task: Task): Promise<Report> {
  const worker = new Worker(entry, { type: "module" });
  const report = Promise.withResolvers<Report>();
  worker.onmessage = ({ data }: MessageEvent<Report>) => report.resolve(data);
  worker.onerror = (event) => report.reject(new Error(event.message));
  worker.postMessage(task);
  try {
    return await report.promise;
  } finally {
    worker.terminate();
  }
}
