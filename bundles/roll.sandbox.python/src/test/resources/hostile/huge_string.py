# MEMORY
s = 'a' * (10 ** 9)
while True:
    s = s + s
