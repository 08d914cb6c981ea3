# FAILED
import polyglot
polyglot.eval(language='regex', string='a')
