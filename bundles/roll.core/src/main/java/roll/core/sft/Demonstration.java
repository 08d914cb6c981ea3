package roll.core.sft;

import java.util.stream.IntStream;
import roll.runtime.config.SftConfig.Truncation;

/**
 * Tokens to imitate.
 *
 * @param where file and line it comes from, for messages
 * @param tokens all of them
 * @param trained which of them the model is to learn to write
 */
record Demonstration(String where, int[] tokens, boolean[] trained) {
  /** How many tokens are learned. */
  int learned() {
    int count = 0;
    for (boolean token : trained) {
      count += token ? 1 : 0;
    }
    return count;
  }

  /** At most {@code most} of its tokens; {@code side} says where others are cut off. */
  Demonstration cut(int most, Truncation side) {
    int length = tokens.length;
    if (length <= most) {
      return this;
    }
    int head =
        switch (side) {
          case LEFT -> 0;
          case MIDDLE -> most / 2;
          default -> most;
        };
    int[] kept =
        IntStream.concat(IntStream.range(0, head), IntStream.range(length - (most - head), length))
            .toArray();
    int[] fewer = new int[most];
    boolean[] less = new boolean[most];
    for (int i = 0; i < most; i++) {
      fewer[i] = tokens[kept[i]];
      less[i] = trained[kept[i]];
    }
    return new Demonstration(where, fewer, less);
  }
}
