#!/bin/sh
# pack.sh <built source tree> <checkout of DJL at v0.35.1> <folder>
#
# Makes a folder with roll.tar.xz and run.sh: all that a machine without Maven and network needs to check its card, beside
# PyTorch, g++ and CUDA's headers.
# There: sh <folder>/run.sh <folder for results> --python <environment> [key=value ...] [check ...]
set -eu
tree=$(cd "$1" && pwd)
djl=$(cd "$2" && pwd)
mkdir -p "$3"
target=$(cd "$3" && pwd)
here=$(mktemp -d)
trap 'rm -rf "$here"; rm -f "$tree/launch/card.bndrun"' EXIT
JAVA_HOME=$("$tree/roll" --jdk)
export JAVA_HOME
roll=$here/roll
mkdir -p "$roll/native" "$roll/etc" "$roll/cnf" "$roll/tests"

# The JDK: what the bundles import, a compiler for Card.java and the headers of JNI.
"$JAVA_HOME/bin/jlink" --add-modules java.base,jdk.compiler,java.desktop,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.unsupported,jdk.httpserver,jdk.zipfs,jdk.management,java.instrument,java.scripting,java.prefs,jdk.security.auth,jdk.net \
  --compress zip-0 --strip-debug --no-man-pages --output "$roll/jdk"
rm -rf "$roll/jdk/lib/ct.sym" "$roll/jdk/legal"

# The distribution without what no check uses.
cat >"$tree/launch/card.bndrun" <<'R'
-include: ~roll.bndrun
-runbundles+: !roll.sandbox.python,!roll.cas,!roll.tool.calculator,!roll.grader.math_verify,!roll.reward.math_verify,!roll.cluster*,!roll.lucene,!roll.tool.search,!roll.assemble,!roll.tracking.opentelemetry,!roll.env.webshop,!roll.env.click_and_read,!roll.env.terminal
R
(cd "$tree/launch" && ../cnf/src/bnd.sh export -E bnd.executablejar card.bndrun)
mv "$tree/launch/target/bnd/card.jar" "$roll/roll.jar"
dist=$tree/launch/target/dist
cp "$dist/roll" "$dist/build-jni" "$roll/"
cp "$dist"/etc/* "$roll/etc/"
cp "$dist"/native/pytorch-jni-*.jar "$roll/native/"
cp -r "$tree/cnf/card" "$roll/cnf/"
cp -r "$tree/configs" "$roll/"
find "$roll/configs" -maxdepth 1 -name '*.png' -delete

# The tests for cards with JUnit, of the versions that ./dev test uses.
"$JAVA_HOME/bin/jar" cf "$roll/tests/roll.torch.tests.jar" -C "$tree/bundles/roll.torch/target/test-classes" .
"$JAVA_HOME/bin/jar" cf "$roll/tests/roll.testkit.jar" -C "$tree/bundles/roll.testkit/target/classes" .
grep -o '[^: "]*/\(org/junit\|org/opentest4j\|org/apiguardian\|org/jspecify\|org/slf4j\)/[^: "]*[.]jar' \
  "$tree/bundles/roll.torch/target/dev/dependencies" | sort -u | while read -r jar; do cp "$jar" "$roll/tests/"; done

# What build-jni reads of DJL.
mkdir -p "$roll/djl"
(cd "$djl" && tar c gradle/libs.versions.toml engines/pytorch/pytorch-native/src/main/native \
  engines/pytorch/pytorch-engine/src/main/java api/src/main/java api/src/main/native) | tar x -C "$roll/djl"

# xz makes classes half as large if it gets the bytes themselves.
"$JAVA_HOME/bin/java" "$tree/cnf/src/JarRepacker.java" linux-x86_64 "$roll" "$roll/tests"
du -sh "$roll"/*
(cd "$here" && tar cf - roll) | xz -T2 -7 >"$target/roll.tar.xz"

cat >"$target/run.sh" <<'R'
#!/bin/sh
# run.sh <folder for results> [arguments of Card.java]: unpacks roll.tar.xz beside the results and runs the checks there.
set -eu
from=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
mkdir -p "$1"
results=$(cd "$1" && pwd)
shift
work=${CARD_WORK:-$(mktemp -d)}
# where there is no xz, Python has one
[ -d "$work/roll" ] || tar xJf "$from/roll.tar.xz" -C "$work" 2>/dev/null ||
  python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2], filter="fully_trusted")' "$from/roll.tar.xz" "$work"
cd "$work/roll"
export DJL_CACHE_DIR="$work/djl-cache"
status=0
jdk/bin/java cnf/card/Card.java "$work/card" --djl djl "$@" || status=$?
mkdir -p "$results"
[ ! -f "$work/card/card.md" ] || cp "$work/card/card.md" "$results/"
[ ! -d "$work/card/logs" ] || tar czf "$results/logs.tar.gz" -C "$work/card" logs
exit $status
R
du -sh "$target"/*
