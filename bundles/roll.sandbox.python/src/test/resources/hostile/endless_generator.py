# TIMEOUT
import itertools
sum(1 for _ in itertools.count())
