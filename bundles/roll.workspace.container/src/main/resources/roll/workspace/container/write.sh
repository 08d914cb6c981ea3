[ ! -e "$path" ] || [ -f "$path" ] || fail 'is no file'
mkdir -p -- "${path%/*}" && cat >"$path"
