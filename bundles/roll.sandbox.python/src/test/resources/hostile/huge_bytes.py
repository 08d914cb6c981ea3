# MEMORY
x = [bytearray(10 ** 9) for _ in range(10)]
# MEMORY
x = bytearray(600 << 20)
while True:
    pass
# MEMORY
x = b'a' * (600 << 20)
while True:
    pass
