# MEMORY
'%0999999999d' % 1
# MEMORY
'{:>999999999}'.format(2)
# FAILED
'x'.center(10 ** 9)
