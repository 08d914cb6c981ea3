# MEMORY
'%0999999999d' % 1 + '{:>999999999}'.format(2) + 'x'.center(10 ** 9)
while True:
    pass
