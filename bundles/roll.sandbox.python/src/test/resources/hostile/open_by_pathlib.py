# FAILED PermissionError
from pathlib import Path
Path('/etc/passwd').read_text()
