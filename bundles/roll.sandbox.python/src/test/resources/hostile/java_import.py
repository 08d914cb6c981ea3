# FAILED
Runtime = __import__('java.lang', fromlist=['Runtime']).Runtime
Runtime.getRuntime().halt(1)
