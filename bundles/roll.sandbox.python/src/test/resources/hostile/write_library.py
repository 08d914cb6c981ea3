# FAILED PermissionError
import os
with open(os.__file__, 'a') as library:
    library.write('import evil')
