CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END

CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END
