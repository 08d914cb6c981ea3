mkdir -p -- "$path" && printf '%s' "$path"
