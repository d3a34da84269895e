CREATE TEMP TRIGGER t AFTER DELETE ON runs BEGIN SELECT load_extension('x'); END; VACUUM INTO '/tmp/copse-fuzz.db'; PRAGMA journal_mode=WAL
