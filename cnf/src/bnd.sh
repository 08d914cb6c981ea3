#!/bin/sh
# The bnd command line, taken from the Maven repository, on the libraries that know Java 25. Arguments are bnd's.
set -eu
group=biz.aQute.bnd
libraries=7.3.0
cli=7.1.0

# Adds one artifact to the class path, downloading it first if need be.
add() {
  jar=$HOME/.m2/repository/biz/aQute/bnd/$1/$2/$1-$2.jar
  [ -f "$jar" ] || mvn -q dependency:get -Dartifact="$group:$1:$2" -Dtransitive=false
  classpath=$classpath$jar:
}

classpath=
for library in biz.aQute.bndlib biz.aQute.bnd.util biz.aQute.resolve biz.aQute.repository biz.aQute.bnd.embedded-repo; do
  add $library $libraries
done
add biz.aQute.bnd $cli
exec "$("$(dirname "$0")"/../../roll --jdk)/bin/java" -cp "$classpath" aQute.bnd.main.bnd "$@"
