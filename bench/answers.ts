/** What the upstream answers with, by path. */

/** 158 bytes. */
const small = JSON.stringify({
  id: 1234567,
  name: "A small answer, as most are.",
  tags: ["one", "two", "three"],
  price: { amount: 12.5, currency: "EUR" },
  updated_at: "2026-01-01T00:00:00Z",
});

export const answers: Readonly<Record<string, string>> = {
  "/small": small,
  "/1k": paddedTo(1024),
  "/100k": paddedTo(100 * 1024),
};

function paddedTo(bytes: number): string {
  const around = JSON.stringify({ text: "" }).length;
  return JSON.stringify({ text: "x".repeat(bytes - around) });
}
