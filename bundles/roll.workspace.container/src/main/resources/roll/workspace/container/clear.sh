find "$1" -mindepth 1 -maxdepth 1 -exec rm -rf -- {} +
