# FAILED PermissionError
import os
os.system('touch /tmp/hostile')
