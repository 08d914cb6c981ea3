package roll.cluster.inference.pool;

import java.util.List;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;

/**
 * Hashes of the prefixes of a prompt. The pictures within a prefix are not known, since earlier
 * turns of the conversation had only the first ones; so a prefix is looked up with none of them,
 * with the first one, and so on.
 *
 * @param blocks hash of all tokens up to the end of each whole block
 * @param pictures hashes of no picture, of the first one, of the first two, and so on
 */
record PromptHashes(long[] blocks, long[] pictures) {
  /** Number of tokens in a block. */
  static final int BLOCK = 16;

  /** Hashes of an item without a prompt. */
  static final PromptHashes NONE = new PromptHashes(new long[0], new long[] {0});

  /** Returns the hashes of {@code prompt} with its pictures. */
  static PromptHashes of(int[] prompt, List<Picture> pictures) {
    long[] blocks = new long[prompt.length / BLOCK];
    long hash = 0;
    for (int i = 0; i < blocks.length * BLOCK; i++) {
      hash = RandomStreams.seed(hash, "", prompt[i]);
      if (i % BLOCK == BLOCK - 1) {
        blocks[i / BLOCK] = hash;
      }
    }
    long[] shown = new long[pictures.size() + 1];
    for (int i = 0; i < pictures.size(); i++) {
      shown[i + 1] = RandomStreams.seed(shown[i], pictures.get(i).digest());
    }
    return new PromptHashes(blocks, shown);
  }

  /** Returns the hash of the prefix up to {@code block} with the first {@code count} pictures. */
  long hash(int block, int count) {
    return count == 0 ? blocks[block] : RandomStreams.seed(blocks[block], "shown", pictures[count]);
  }

  /** Returns the hash of the prefix up to {@code block} with all pictures. */
  long hash(int block) {
    return hash(block, pictures.length - 1);
  }
}
