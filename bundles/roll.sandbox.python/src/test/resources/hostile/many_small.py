# MEMORY
x = []
while True:
    x.append('%d' % len(x) * 100)
