ALTER TABLE runs ADD COLUMN stop_wished INTEGER NOT NULL DEFAULT 0

CREATE INDEX runs_to_stop ON runs (process) WHERE stop_wished = 1 AND ended = 0

ALTER TABLE answers_due ADD COLUMN may_begin_again INTEGER NOT NULL DEFAULT 0
