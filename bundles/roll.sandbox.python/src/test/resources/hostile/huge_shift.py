# MEMORY
n = 10 ** 12
1 << n
