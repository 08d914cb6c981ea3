#!/bin/sh
# The bnd command line on the libraries that know Java 25, as Maven resolves them: the profile bnd of the root pom has
# the versions, Maven's settings say where from. Arguments are bnd's.
set -eu
root=$(CDPATH='' cd -- "$(dirname "$0")/../.." && pwd)
list=$root/cnf/cache/bnd.classpath

# Whether Maven was asked for this pom already and its files are still there.
known() {
  [ -f "$list" ] && [ ! "$root/pom.xml" -nt "$list" ] || return 1
  for jar in $(tr ':' ' ' <"$list"); do
    [ -f "$jar" ] || return 1
  done
}

if ! known; then
  mkdir -p "$root/cnf/cache"
  (cd "$root" && mvn -B -ntp -q -N -Pbnd dependency:build-classpath -DincludeScope=compile \
    -DincludeGroupIds=biz.aQute.bnd -Dmdep.outputFile="$list") >&2
fi
exec "$("$root/roll" --jdk)/bin/java" -cp "$(cat "$list")" aQute.bnd.main.bnd "$@"
