# MEMORY
x = [0]
while True:
    x = x * 2
