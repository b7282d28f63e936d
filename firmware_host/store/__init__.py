"""The store: one SQLite file with the journal, the results and the audits."""
