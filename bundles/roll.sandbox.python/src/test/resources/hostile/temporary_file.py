# FAILED
import tempfile
tempfile.NamedTemporaryFile(delete=False).write(b'here')
