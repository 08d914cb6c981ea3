#!/bin/sh
# The bnd command line on the libraries that know Java 25: the profile bnd of the root pom. Arguments are bnd's.
set -eu
root=$(CDPATH='' cd -- "$(dirname "$0")/../.." && pwd)
libraries=$("$root/cnf/src/classpath.sh" bnd biz.aQute.bnd)
exec "$("$root/roll" --jdk)/bin/java" -cp "$libraries" aQute.bnd.main.bnd "$@"
