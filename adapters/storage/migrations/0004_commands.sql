CREATE TABLE turn_usage (
  id {serial},
  at TEXT NOT NULL,
  turn TEXT NOT NULL,
  actor TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  workspace TEXT NOT NULL,
  place TEXT NOT NULL,
  connection TEXT NOT NULL,
  tokens BIGINT NOT NULL,
  usd DOUBLE PRECISION NOT NULL
)

CREATE INDEX turn_usage_by_workspace ON turn_usage (workspace, at)

CREATE TABLE connect_attempts (
  attempt TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
)
