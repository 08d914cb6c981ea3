package roll.cluster.inference.pool;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.data.RandomStreams;

/** Which beginnings of prompts an engine has seen lately, so that it has them in its cache. */
final class PrefixIndex {
  /** Tokens of a block. */
  static final int BLOCK = 16;

  private static final int MOST = 1 << 16;

  private final Map<Long, Boolean> blocks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
          return size() > MOST;
        }
      };

  /** A hash for each whole block of {@code prompt}, of all tokens up to its end. */
  static long[] hashes(int[] prompt) {
    long[] hashes = new long[prompt.length / BLOCK];
    long hash = 0;
    for (int i = 0; i < hashes.length * BLOCK; i++) {
      hash = RandomStreams.seed(hash, "", prompt[i]);
      if (i % BLOCK == BLOCK - 1) {
        hashes[i / BLOCK] = hash;
      }
    }
    return hashes;
  }

  /** How many tokens of a prompt with these hashes are known. */
  long known(long[] hashes) {
    int found = 0;
    while (found < hashes.length && blocks.get(hashes[found]) != null) {
      found++;
    }
    return (long) found * BLOCK;
  }

  void add(long[] hashes) {
    for (long hash : hashes) {
      blocks.put(hash, true);
    }
  }

  /** Weights have changed, and nothing in the cache is of use. */
  void clear() {
    blocks.clear();
  }
}
