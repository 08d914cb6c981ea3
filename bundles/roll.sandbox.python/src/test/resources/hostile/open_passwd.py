# FAILED PermissionError
print(open('/etc/passwd').read())
