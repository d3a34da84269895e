SELECT path(id), under(id, 'a.**'), calls_under(id, 'a.B.run'), ns FROM contexts WHERE parent = 1 OR method IS NULL OR id IN (2, 3.0, '4', x'35', NULL) ORDER BY method DESC
