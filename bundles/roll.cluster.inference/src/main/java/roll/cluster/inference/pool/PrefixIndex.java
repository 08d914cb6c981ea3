package roll.cluster.inference.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** Index of the prompt prefixes that an engine has seen lately and so has in its cache. */
final class PrefixIndex {
  private static final int MOST = 1 << 16;

  private final Map<Long, Boolean> blocks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
          return size() > MOST;
        }
      };

  /** Returns the number of tokens of the known prefix of a prompt. */
  long known(PromptHashes prompt) {
    int found = 0;
    while (found < prompt.blocks().length && known(prompt, found)) {
      found++;
    }
    return (long) found * PromptHashes.BLOCK;
  }

  private boolean known(PromptHashes prompt, int block) {
    for (int count = prompt.pictures().length - 1; count >= 0; count--) {
      if (blocks.get(prompt.hash(block, count)) != null) {
        return true;
      }
    }
    return false;
  }

  void add(PromptHashes prompt) {
    for (int block = 0; block < prompt.blocks().length; block++) {
      blocks.put(prompt.hash(block), true);
    }
  }

  /** Removes all prefixes, as after a change of weights. */
  void clear() {
    blocks.clear();
  }
}
