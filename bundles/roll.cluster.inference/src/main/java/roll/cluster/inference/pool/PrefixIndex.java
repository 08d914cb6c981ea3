package roll.cluster.inference.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** Which beginnings of prompts an engine has seen lately, so that it has them in its cache. */
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

  /** How many tokens of a prompt are known. */
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

  /** Weights have changed, and nothing in the cache is of use. */
  void clear() {
    blocks.clear();
  }
}
