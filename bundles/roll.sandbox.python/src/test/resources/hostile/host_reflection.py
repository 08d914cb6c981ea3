# FAILED AssertionError: no way found
found = [t for t in object.__subclasses__() if 'java' in t.__module__ or 'foreign' in t.__name__]
for t in found:
    try:
        t().getClass().forName('java.lang.Runtime').exit(1)
    except (AttributeError, TypeError):
        pass
assert False, 'no way found'
# FAILED AttributeError
(1).getClass()
# FAILED AttributeError
''.getClass()
# FAILED AttributeError
[].getClass()
