ATTACH DATABASE 'file:/etc/passwd?mode=ro' AS p; SELECT * FROM p.sqlite_schema
