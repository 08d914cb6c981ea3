# FAILED
import os
os.popen('id').read()
