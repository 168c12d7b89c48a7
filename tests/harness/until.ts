/** Waits for a condition; tests never sleep for a guessed time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "a condition of the test",
  deadlineMs = 30_000,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`gave up waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
