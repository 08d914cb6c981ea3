# FAILED KeyError
import os
os.environ['PATH']
# FAILED KeyError
import os
os.environ['HOME']
# DONE
import os
assert not {'PATH', 'HOME', 'USER', 'JAVA_HOME'} & set(os.environ), sorted(os.environ)
