// What this browser remembers: its threads, and the runs that answer them. The answers themselves
// stay with the server, which is asked again.

export const KEY = "resona.threads";
const MOST_THREADS = 50;
const MOST_TURNS = 100;

export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Threads {
  constructor(storage = localStorage) {
    this.storage = storage;
    this.all = read(storage);
  }

  get(id) {
    return this.all.find((thread) => thread.id === id);
  }

  create() {
    return { id: freshId(), title: "New thread", connection: "", at: Date.now(), turns: [] };
  }

  // A thread is kept from its first question on; the newest stands first. `instead` is a turn
  // whose place the question takes.
  add(thread, question, instead = null) {
    const turn = { id: freshId(), question, at: Date.now(), runs: [], choices: [] };
    this.take();
    if (!thread.turns.length) thread.title = question.slice(0, 80);
    const others = thread.turns.filter((each) => each !== instead);
    thread.turns = [...others, turn].slice(-MOST_TURNS);
    thread.at = turn.at;
    this.all = [thread, ...this.all.filter((each) => each !== thread)].slice(0, MOST_THREADS);
    this.write();
    return turn;
  }

  drop(thread, turn) {
    this.take();
    thread.turns = thread.turns.filter((each) => each !== turn);
    if (!thread.turns.length) this.all = this.all.filter((each) => each !== thread);
    this.write();
  }

  remove(thread) {
    this.take();
    this.all = this.all.filter((each) => each !== thread);
    this.write();
  }

  // Keeps what became of a turn.
  save() {
    this.take();
    this.write();
  }

  // Takes over what other tabs have kept. Objects that a view holds stay the same.
  take() {
    const own = new Map(this.all.map((thread) => [thread.id, thread]));
    this.all = read(this.storage).map((kept) => {
      const thread = own.get(kept.id);
      return thread ? joined(thread, kept) : kept;
    });
  }

  write() {
    try {
      this.storage.setItem(KEY, JSON.stringify(this.all));
    } catch {
      // A full or forbidden storage costs the list of threads after a reload, nothing else.
    }
  }
}

function joined(thread, kept) {
  const own = new Map(thread.turns.map((turn) => [turn.id, turn]));
  for (const turn of kept.turns) {
    const mine = own.get(turn.id);
    if (!mine) own.set(turn.id, turn);
    else if (turn.runs.length > mine.runs.length) Object.assign(mine, turn);
  }
  thread.turns = [...own.values()].sort((one, other) => one.at - other.at);
  thread.at = Math.max(thread.at, kept.at);
  return thread;
}

function read(storage) {
  try {
    const kept = JSON.parse(storage.getItem(KEY) || "[]");
    return Array.isArray(kept) ? kept.filter((thread) => thread?.id && Array.isArray(thread.turns)) : [];
  } catch {
    return [];
  }
}
