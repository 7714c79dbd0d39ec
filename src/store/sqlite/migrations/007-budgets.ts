// A session that a machine made counts to that machine's budget, and so do its open prompts.
export const budgets = /* sql */ `
ALTER TABLE sessions ADD COLUMN budget_id TEXT;
UPDATE sessions SET budget_id = owner_id
  WHERE owner_id IN (SELECT id FROM principals WHERE kind = 'machine');
CREATE INDEX sessions_by_budget ON sessions (budget_id, created_at)
  WHERE budget_id IS NOT NULL AND deleted_at IS NULL;

INSERT INTO counters (name, value)
  SELECT 'open@' || budget_id, count(*) FROM interactions
    JOIN sessions ON sessions.id = interactions.session_id
    WHERE interactions.status IN ('open', 'expiring') AND budget_id IS NOT NULL
    GROUP BY budget_id;
INSERT INTO counters (name, value)
  SELECT 'open@', coalesce(sum(value), 0) FROM counters WHERE name LIKE 'open@%';

CREATE TRIGGER budget_opened AFTER INSERT ON interactions
WHEN NEW.status IN ('open', 'expiring')
  AND (SELECT budget_id FROM sessions WHERE id = NEW.session_id) IS NOT NULL
BEGIN
  INSERT INTO counters (name, value)
    SELECT 'open@', 1 UNION ALL
    SELECT 'open@' || budget_id, 1 FROM sessions WHERE id = NEW.session_id
    ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER budget_closed AFTER UPDATE OF status ON interactions
WHEN OLD.status IN ('open', 'expiring') AND NEW.status NOT IN ('open', 'expiring')
  AND (SELECT budget_id FROM sessions WHERE id = NEW.session_id) IS NOT NULL
BEGIN
  UPDATE counters SET value = value - 1 WHERE name IN
    ('open@', (SELECT 'open@' || budget_id FROM sessions WHERE id = NEW.session_id));
END;

CREATE TRIGGER budget_reopened AFTER UPDATE OF status ON interactions
WHEN OLD.status NOT IN ('open', 'expiring') AND NEW.status IN ('open', 'expiring')
  AND (SELECT budget_id FROM sessions WHERE id = NEW.session_id) IS NOT NULL
BEGIN
  UPDATE counters SET value = value + 1 WHERE name IN
    ('open@', (SELECT 'open@' || budget_id FROM sessions WHERE id = NEW.session_id));
END;
`;
