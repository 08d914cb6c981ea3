# FAILED KeyError
import os
os.environ['PATH'], os.environ['HOME']
