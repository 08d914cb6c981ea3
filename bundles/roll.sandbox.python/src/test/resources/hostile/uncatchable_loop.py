# TIMEOUT
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
    finally:
        continue
