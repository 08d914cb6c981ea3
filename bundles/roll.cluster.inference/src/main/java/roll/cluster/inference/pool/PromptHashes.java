package roll.cluster.inference.pool;

import java.util.List;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;

/**
 * What longer and longer beginnings of a prompt are known by. Which of its pictures a beginning
 * shows is not known here: it is looked for with none of them, with the first, and so on, as a turn
 * before this one showed only the first ones.
 *
 * @param blocks a hash for each whole block of the prompt, of all tokens up to its end
 * @param pictures a hash of none of the pictures, of the first one, and so on
 */
record PromptHashes(long[] blocks, long[] pictures) {
  /** Tokens of a block. */
  static final int BLOCK = 16;

  /** Of what has no beginning that matters. */
  static final PromptHashes NONE = new PromptHashes(new long[0], new long[] {0});

  /** Of {@code prompt} and what it shows. */
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

  /** Of all up to block {@code block}, as if it showed the first {@code count} pictures. */
  long hash(int block, int count) {
    return count == 0 ? blocks[block] : RandomStreams.seed(blocks[block], "shown", pictures[count]);
  }

  /** The same with all pictures. */
  long hash(int block) {
    return hash(block, pictures.length - 1);
  }
}
