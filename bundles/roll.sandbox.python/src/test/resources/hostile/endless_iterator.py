# TIMEOUT
all(iter(int, 1) for _ in iter(int, 1)) or list(zip(iter(lambda: 1, 0), iter(int, 0)))
# TIMEOUT
max(iter(lambda: 1, 0))
