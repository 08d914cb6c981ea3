# DONE
print('a' * (5 * 10 ** 7))
