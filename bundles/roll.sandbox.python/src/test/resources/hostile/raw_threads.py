# FAILED
import importlib, sys
del sys.modules['_thread']
thread = importlib.import_module('_thread')
thread.start_new_thread(lambda: [None for _ in iter(int, 1)], ())
