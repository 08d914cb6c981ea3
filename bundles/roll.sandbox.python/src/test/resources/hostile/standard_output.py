# DONE
import sys
sys.stdout = None
# DONE
print(5)
# DONE
import sys
sys.stdout = sys.stderr = sys.stdin = sys.__stdout__ = None
# FAILED AttributeError
import sys
sys.stdout.write(1, 2, 3, sys.stdout.nothing)
# DONE
import sys
class Bad:
    def flush(self): raise ValueError
    def write(self, text): raise ValueError
sys.stdout = Bad()
# DONE
6
# FAILED ValueError
import sys
sys.stdout.close()
print(7)
# DONE
8
