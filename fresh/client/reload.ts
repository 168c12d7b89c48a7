// In development, reloads the page when the server has another build of it.
// Asking now and then, unlike an open connection, never holds up a server that stops.

const INTERVAL = 500; // ms

let revision: string | null = null;

async function reloadAfterChange(): Promise<void> {
  try {
    const response = await fetch(new URL("../../alive", import.meta.url));
    if (!response.ok) return;
    const current = await response.text();
    if (revision !== null && revision !== current) location.reload();
    revision = current;
  } catch {
    // The server is starting again; it is asked again in a moment.
  }
}

setInterval(() => {
  if (document.visibilityState === "visible") reloadAfterChange();
}, INTERVAL);
