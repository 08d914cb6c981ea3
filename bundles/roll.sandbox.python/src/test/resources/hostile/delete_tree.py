# FAILED
import shutil
shutil.rmtree('/tmp')
