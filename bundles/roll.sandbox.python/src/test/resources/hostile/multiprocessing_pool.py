# FAILED
import multiprocessing
multiprocessing.Process(target=print).start()
# FAILED
import multiprocessing
multiprocessing.Pool(2)
# FAILED
import _multiprocessing
_multiprocessing.SemLock(0, 1, 1, 'x', False)
