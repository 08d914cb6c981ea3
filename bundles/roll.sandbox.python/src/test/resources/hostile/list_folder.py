# FAILED PermissionError
import os
os.listdir('/')
