CREATE TABLE installations (
  tenant TEXT PRIMARY KEY,
  sealed TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  claimed_until TEXT NOT NULL
)

CREATE TABLE installation_workspaces (
  tenant TEXT NOT NULL,
  workspace TEXT NOT NULL,
  PRIMARY KEY (tenant, workspace)
)

CREATE TABLE install_states (
  state TEXT PRIMARY KEY,
  expires_at TEXT NOT NULL
)

CREATE TABLE done_once (
  deed TEXT PRIMARY KEY,
  done_at TEXT NOT NULL
)
