# FAILED PermissionError
import sys
open(sys.prefix + '/../../../../../../../../../../../../etc/passwd').read()
