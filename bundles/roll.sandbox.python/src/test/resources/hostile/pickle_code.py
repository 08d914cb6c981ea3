# FAILED
import pickle
pickle.loads(b"cos\nsystem\n(S'touch /tmp/hostile'\ntR.")
