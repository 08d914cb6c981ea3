# FAILED PermissionError
import os
os.makedirs('/tmp/hostile/folder')
