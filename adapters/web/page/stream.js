// Asking the server, and following a run through everything that can happen to a connection.

const ENDS = new Set(["turn_finished", "turn_paused", "turn_failed"]);
const LONGEST_WAIT = 10_000;
const MOST_TRIES = 20;

// What the server, or the lack of one, said in a sentence for the reader.
export class Said extends Error {
  constructor(sentence, { status = 0, retryAfter = 0 } = {}) {
    super(sentence);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export async function getState() {
  return (await answered(() => fetch("/api/state"))).json();
}

export function postTurn(body) {
  return () => post("/api/turns", body);
}

export function postDecision(body) {
  return () => post("/api/decisions", body);
}

export async function postStop(run) {
  await answered(() => post(`/api/runs/${encodeURIComponent(run)}/stop`, {}));
}

export function getEvents(run, after = 0) {
  return () =>
    fetch(`/api/runs/${encodeURIComponent(run)}/events`, {
      headers: after ? { "Last-Event-ID": String(after) } : {},
    });
}

// Follows one run to its end. `first` sends the request; when the stream breaks, the run is
// attached to again behind the last event that came. `onRun` hears the run's id, once.
export async function follow(first, { run = null, onRun, onEvent, onTrouble }) {
  let seen = 0;
  let request = first;
  for (let tries = 0, ended = false; ; ) {
    try {
      const response = await answered(request);
      const named = response.headers.get("X-Run-Id");
      if (named && named !== run) {
        run = named;
        onRun?.(run);
      }
      for await (const { id, data } of eventsOf(response)) {
        tries = 0;
        seen = id;
        onEvent(data);
        ended = ENDS.has(data.kind);
      }
    } catch (error) {
      const lost = error instanceof Said && (error.status === 0 || error.status >= 502);
      if (!lost || run === null) throw error;
    }
    if (ended) return;
    tries += 1;
    if (tries > MOST_TRIES) {
      throw new Said("The connection to the server was lost. The run may still have finished there.");
    }
    onTrouble?.("The connection was lost. Trying again…");
    await pause(Math.min(500 * 2 ** (tries - 1), LONGEST_WAIT));
    request = getEvents(run, seen);
  }
}

async function answered(request) {
  let response;
  try {
    response = await request();
  } catch {
    throw new Said("The server cannot be reached. Is it still running?");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Said(body.error || `The server answered with status ${response.status}.`, {
    status: response.status,
    retryAfter: Number(response.headers.get("Retry-After")) || 0,
  });
}

function post(path, body) {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function* eventsOf(response) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let whole = false;
  try {
    while (!whole) {
      const { value, done } = await reader.read().catch(() => {
        throw new Said("The connection to the server was lost.");
      });
      whole = done;
      buffer += value ?? "";
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop();
      yield* blocks.map(parsed).filter((event) => event);
    }
  } finally {
    if (!whole) reader.cancel().catch(() => {});
  }
}

function parsed(block) {
  const fields = Object.fromEntries(
    block
      .split("\n")
      .filter((line) => !line.startsWith(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return fields.data ? { id: Number(fields.id), data: JSON.parse(fields.data) } : null;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
