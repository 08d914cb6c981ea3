# FAILED SystemExit
import sys
sys.exit(0)
