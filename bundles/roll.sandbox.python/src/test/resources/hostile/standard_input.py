# FAILED EOFError
input()
