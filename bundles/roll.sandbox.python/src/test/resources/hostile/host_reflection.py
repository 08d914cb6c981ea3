# FAILED
types = [t for t in object.__subclasses__() if 'java' in t.__module__ or 'foreign' in t.__name__]
for t in types:
    t().getClass().forName('java.lang.Runtime')
(1).getClass().getClassLoader()
