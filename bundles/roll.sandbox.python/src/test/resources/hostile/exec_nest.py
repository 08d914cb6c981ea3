# FAILED PermissionError
exec("exec(\"eval('__import__(\\\\'os\\\\').system(\\\\'id\\\\')')\")")
