# MEMORY
s = 'a' * (10 ** 9)
# MEMORY
s = 'a'
while True:
    s = s + s
