-- The tables of a fleet, on every server. `fleet` is the cluster in the servers' configuration, `copse` the database.

CREATE DATABASE IF NOT EXISTS copse;

-- What was counted. Rows that differ in nothing but `value` are one row after a merge, with the sum: so the server's own
-- merges add the trees of all runs. Days of one month share a partition, and a run's rows are of one day; that makes the
-- rows of one INSERT one part, which is there as a whole or not at all.
CREATE TABLE IF NOT EXISTS copse.counts (
  day Date, service String, version String, measure String, context FixedString(16), value UInt64
) ENGINE = SummingMergeTree(value) PARTITION BY toYYYYMM(day) ORDER BY (service, version, day, measure, context);

-- What the contexts are. Sent with every run; equal rows are one after a merge.
CREATE TABLE IF NOT EXISTS copse.contexts (
  service String, version String, context FixedString(16), parent FixedString(16), method FixedString(16),
  bci Int32, line Int32
) ENGINE = ReplacingMergeTree ORDER BY (service, version, context);

CREATE TABLE IF NOT EXISTS copse.methods (
  service String, version String, method FixedString(16), class String, name String, descriptor String
) ENGINE = ReplacingMergeTree ORDER BY (service, version, method);

CREATE TABLE IF NOT EXISTS copse.measures (
  service String, version String, name String, unit String
) ENGINE = ReplacingMergeTree ORDER BY (service, version, name);

-- The same over all servers, for reading.
CREATE TABLE IF NOT EXISTS copse.all_counts AS copse.counts ENGINE = Distributed(fleet, copse, counts);
CREATE TABLE IF NOT EXISTS copse.all_contexts AS copse.contexts ENGINE = Distributed(fleet, copse, contexts);
CREATE TABLE IF NOT EXISTS copse.all_methods AS copse.methods ENGINE = Distributed(fleet, copse, methods);
CREATE TABLE IF NOT EXISTS copse.all_measures AS copse.measures ENGINE = Distributed(fleet, copse, measures);
