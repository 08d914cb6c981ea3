# FAILED PermissionError
open('hostile.txt', 'w').write('here')
