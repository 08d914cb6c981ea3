# FAILED
import importlib.machinery, importlib.util
loader = importlib.machinery.ExtensionFileLoader('x', '/lib/x86_64-linux-gnu/libc.so.6')
importlib.util.module_from_spec(importlib.util.spec_from_loader('x', loader))
