// What this browser remembers: its threads, and the runs that answer them. The answers themselves
// stay with the server, which is asked again.

const KEY = "resona.threads";
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

  // A thread is kept from its first question on; the newest stands first.
  add(thread, question) {
    const turn = { id: freshId(), question, at: Date.now(), runs: [], choices: [] };
    if (!thread.turns.length) thread.title = question.slice(0, 80);
    thread.turns = [...thread.turns, turn].slice(-MOST_TURNS);
    thread.at = turn.at;
    this.all = [thread, ...this.all.filter((each) => each !== thread)].slice(0, MOST_THREADS);
    this.save();
    return turn;
  }

  remove(thread) {
    this.all = this.all.filter((each) => each !== thread);
    this.save();
  }

  save() {
    try {
      this.storage.setItem(KEY, JSON.stringify(this.all));
    } catch {
      // A full or forbidden storage costs the list of threads after a reload, nothing else.
    }
  }
}

function read(storage) {
  try {
    const kept = JSON.parse(storage.getItem(KEY) || "[]");
    return Array.isArray(kept) ? kept.filter((thread) => thread?.id && Array.isArray(thread.turns)) : [];
  } catch {
    return [];
  }
}
