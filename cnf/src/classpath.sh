#!/bin/sh
# classpath.sh <profile> [<group>]
#
# Prints the class path of a profile of the root pom, for programs that only the build runs, as Maven resolves it: the
# profile has the versions, Maven's settings say where from. With a group, without what is not of it.
set -eu
root=$(CDPATH='' cd -- "$(dirname "$0")/../.." && pwd)
list=$root/cnf/cache/$1.classpath

# Whether Maven was asked for this pom already and its files are still there.
known() {
  [ -f "$list" ] && [ ! "$root/pom.xml" -nt "$list" ] || return 1
  for jar in $(tr ':' ' ' <"$list"); do
    [ -f "$jar" ] || return 1
  done
}

if ! known; then
  mkdir -p "$root/cnf/cache"
  (cd "$root" && mvn -B -ntp -q -N -P"$1" dependency:build-classpath -DincludeScope=runtime \
    -DincludeGroupIds="${2:-}" -Dmdep.outputFile="$list") >&2
fi
cat "$list"
