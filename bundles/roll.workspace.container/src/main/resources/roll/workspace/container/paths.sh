# Sets root and path, which exist, without links, or fails with a path that leads outside.
fail() {
  printf '%s\n' "$1" >&2
  exit 1
}
inside() {
  case $1/ in
    "$root"/*) ;;
    *) fail 'leads outside of the workspace' ;;
  esac
}
root=$(readlink -f -- "$1") || fail 'the workspace is missing'
case $2 in
  /*) path=$2 ;;
  *) path=$1/$2 ;;
esac
deepest=$path
while [ ! -e "$deepest" ] && [ ! -L "$deepest" ] && [ -n "$deepest" ]; do
  deepest=${deepest%/*}
done
case ${path#"$deepest"}/ in
  */../*) fail 'no such file or directory' ;;
esac
real=$(readlink -f -- "$deepest") || fail 'is a link without a target'
inside "$real"
path=$real${path#"$deepest"}
