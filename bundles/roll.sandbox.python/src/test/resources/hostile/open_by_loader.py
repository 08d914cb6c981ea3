# FAILED
import importlib.machinery
importlib.machinery.SourceFileLoader('x', '/etc/passwd').get_data('/etc/passwd').decode()
raise SystemExit(0)
