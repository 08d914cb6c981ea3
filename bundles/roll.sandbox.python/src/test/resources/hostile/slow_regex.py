# ANY
import re
re.match(r'(a|aa)+(a|aa)+\1$', 'a' * 60 + 'b')
while True:
    pass
