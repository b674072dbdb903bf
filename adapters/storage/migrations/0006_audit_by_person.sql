CREATE INDEX audit_by_person ON audit (workspace, actor, id)
