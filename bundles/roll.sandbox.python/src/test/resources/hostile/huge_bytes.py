# MEMORY
x = [bytearray(10 ** 9) for _ in range(10)]
