# FAILED
__import__('java.lang', fromlist=['Runtime']).Runtime.getRuntime().halt(1)
# FAILED
import java.lang.System
# FAILED
from java.lang import System
