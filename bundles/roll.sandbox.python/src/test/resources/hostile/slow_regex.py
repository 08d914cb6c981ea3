# ANY
import re
re.match(r'(a|aa)+(a|aa)+\1$', 'a' * 60 + 'b')
# ANY
import re
re.match(r'(a+)+$', 'a' * 60 + 'b')
# ANY
import re
re.match(r'(?:(?=(a+))a*)*\1b', 'a' * 5000)
# ANY
import re
re.compile('(' * 50 + 'a' + '?){1000}' * 50)
# ANY
import re
re.search(r'(.*)(.*)(.*)(.*)(.*)(.*)x\1\2\3\4\5\6', 'ab' * 3000)
# TIMEOUT
while True:
    pass
