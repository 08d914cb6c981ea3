# DONE
import atexit, gc


class Stays:
    def __del__(self):
        while True:
            pass


@atexit.register
def forever():
    while True:
        pass


Stays()
gc.collect()
