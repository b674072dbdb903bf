CREATE TABLE connections (
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  secret TEXT NOT NULL,
  kept_at TEXT NOT NULL
)

CREATE TABLE connections_version (
  id INTEGER PRIMARY KEY,
  version BIGINT NOT NULL
)

INSERT INTO connections_version (id, version) VALUES (1, 0)

CREATE TABLE chosen_connections (
  spot TEXT PRIMARY KEY,
  connection TEXT NOT NULL,
  chosen_by TEXT NOT NULL,
  chosen_at TEXT NOT NULL
)

CREATE INDEX chosen_by_connection ON chosen_connections (connection)
