# MEMORY
import math
math.factorial(10 ** 8)
# MEMORY
import math
math.comb(10 ** 9, 10 ** 8)
# MEMORY
import math
math.perm(10 ** 8)
# MEMORY
import operator
operator.pow(10, 10 ** 9)
# MEMORY
import operator
operator.lshift(1, 10 ** 10)
# ANY
(10).__pow__(10 ** 7)
# ANY
eval('10 ** 10 ** 7')
# TIMEOUT
import math
math.prod(range(1, 10 ** 6))
# ANY
x = 10 ** 10 ** 6
for _ in range(4):
    x *= x
# TIMEOUT
import functools, operator
functools.reduce(operator.mul, range(1, 10 ** 6))
# ANY
str(10 ** 10 ** 6)
# FAILED PermissionError
import sys
sys.set_int_max_str_digits(0)
# FAILED ValueError
int('9' * 10 ** 6)
# ANY
int.from_bytes(b'a' * 10 ** 6, 'big') % 12345678901234567891
