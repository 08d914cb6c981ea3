# FAILED
import polyglot
polyglot.export_value('x', 1)
