# FAILED PermissionError
import threading


def forever():
    while True:
        pass


for _ in range(100):
    threading.Thread(target=forever, daemon=True).start()
