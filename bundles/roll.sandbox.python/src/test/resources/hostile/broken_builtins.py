# FAILED
import builtins, sys
for name in list(vars(builtins)):
    if name not in ('vars', 'list', 'builtins', 'setattr'):
        try:
            setattr(builtins, name, None)
        except BaseException:
            pass
sys.stdout = sys.stderr = None
raise ValueError
