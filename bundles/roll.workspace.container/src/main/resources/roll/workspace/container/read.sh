[ -f "$path" ] || fail 'is no file'
[ "$(stat -c %s -- "$path")" -le "$3" ] || fail "is longer than $3 bytes"
cat -- "$path"
