find "$1" -mindepth 1 -delete
