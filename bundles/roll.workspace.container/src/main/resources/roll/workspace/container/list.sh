# Prints what the workspace has that is no directory: the names, each with a zero, a zero; a line with mode and target
# for each; a line with the hash for each regular file.
cd "$1" || exit
find . ! -type d -print0 && printf '\0' &&
  find . ! -type d -exec stat -c '%f %N' {} + && find . -type f -exec sha256sum {} +
