# MEMORY
n = 10 ** 100000
pow(3, n, n + 1)
