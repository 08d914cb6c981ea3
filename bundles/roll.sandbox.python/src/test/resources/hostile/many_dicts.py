# MEMORY
x = {}
while True:
    x[len(x)] = {len(x): [len(x)] * 50}
