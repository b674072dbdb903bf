CREATE TABLE processes (
  process TEXT PRIMARY KEY,
  seen_at TEXT NOT NULL
) {compact}

CREATE TABLE runs (
  run TEXT PRIMARY KEY,
  process TEXT NOT NULL,
  begun_at TEXT NOT NULL,
  ended INTEGER NOT NULL
) {compact}

CREATE TABLE run_events (
  run TEXT NOT NULL,
  first_position INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (run, first_position)
) {compact}

CREATE TABLE paused_runs (
  decision TEXT PRIMARY KEY,
  form INTEGER NOT NULL,
  body TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  taken_at TEXT
)

CREATE TABLE exchanges (
  id {serial},
  thread TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  body TEXT NOT NULL
)

CREATE INDEX exchanges_by_thread ON exchanges (thread, id)

CREATE TABLE audit (
  id {serial},
  at TEXT NOT NULL,
  deed TEXT NOT NULL,
  actor TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  workspace TEXT NOT NULL,
  platform TEXT NOT NULL,
  channel TEXT NOT NULL,
  thread TEXT NOT NULL,
  run TEXT NOT NULL,
  connection TEXT NOT NULL,
  question TEXT NOT NULL,
  sql_text TEXT NOT NULL,
  query_hash TEXT,
  row_count BIGINT,
  seconds DOUBLE PRECISION,
  estimate TEXT,
  decided_by TEXT,
  note TEXT NOT NULL
)

CREATE INDEX audit_by_time ON audit (at)
