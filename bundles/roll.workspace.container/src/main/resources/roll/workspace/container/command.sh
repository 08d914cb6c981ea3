# Runs a command whose errors are its output, and ends what it leaves.
echo begun >&2
(exec "$@" 2>&1 </dev/null)
status=$?
kill -9 -1 2>/dev/null
exit "$status"
