#!/bin/sh
# The bnd command line out of the local Maven repository, on the libraries that know Java 25. Arguments are bnd's.
set -eu
repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}/biz/aQute/bnd
libraries=7.3.0
cli=7.1.0
classpath=
for library in biz.aQute.bndlib biz.aQute.bnd.util biz.aQute.resolve biz.aQute.repository biz.aQute.bnd.embedded-repo; do
  classpath=$classpath$repository/$library/$libraries/$library-$libraries.jar:
done
exec "${JAVA:-java}" -cp "$classpath$repository/biz.aQute.bnd/$cli/biz.aQute.bnd-$cli.jar" aQute.bnd.main.bnd "$@"
