# FAILED
import sqlite3
sqlite3.connect('hostile.db').execute('create table t (x)')
