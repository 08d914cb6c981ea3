# MEMORY
x = 10 ** 10 ** 8
