CREATE TABLE answers_due (
  message TEXT PRIMARY KEY,
  run TEXT NOT NULL,
  turn TEXT NOT NULL,
  reply_to TEXT NOT NULL,
  standing TEXT NOT NULL,
  process TEXT NOT NULL,
  shown INTEGER NOT NULL,
  taken_at TEXT NOT NULL
) {compact}

CREATE UNIQUE INDEX answers_due_by_run ON answers_due (run)

CREATE INDEX answers_still_due ON answers_due (process) WHERE shown = 0
