# ANY
x = []
for _ in range(10 ** 6):
    x = [x]
repr(x)
