"""Puts a newer SQLite in the place of this machine's, in every process that has this folder on PYTHONPATH."""

import sys

import pysqlite3
import pysqlite3.dbapi2

sys.modules["sqlite3"] = pysqlite3
sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
