# TIMEOUT
while True:
    pass
