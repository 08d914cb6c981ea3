package roll.core.sft;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.runtime.config.SftConfig.Truncation;

/**
 * A token sequence that supervised training imitates.
 *
 * @param where file and line it comes from, for messages
 * @param tokens all of them
 * @param trained which of them the model is to learn to write
 * @param pictures what was seen, in the order of their places among the tokens
 */
record Demonstration(String where, int[] tokens, boolean[] trained, List<Picture> pictures) {
  /** Creates a demonstration of text alone. */
  Demonstration(String where, int[] tokens, boolean[] trained) {
    this(where, tokens, trained, List.of());
  }

  /** Number of learned tokens of the demonstration. */
  int learned() {
    int count = 0;
    for (boolean token : trained) {
      count += token ? 1 : 0;
    }
    return count;
  }

  /** Returns what is learned here behind the prompt of {@code other}: all before it learns. */
  Demonstration behind(Demonstration other) {
    int prompt = other.begin();
    int answer = begin();
    int[] joined =
        IntStream.concat(
                Arrays.stream(other.tokens, 0, prompt),
                Arrays.stream(tokens, answer, tokens.length))
            .toArray();
    boolean[] learned = new boolean[joined.length];
    System.arraycopy(trained, answer, learned, prompt, tokens.length - answer);
    return new Demonstration(where, joined, learned, other.pictures);
  }

  /**
   * Returns a conversation whose score is the only thing that is learned. The value of a token is
   * read at the one before, so a token follows the last, in which nothing of it is seen.
   */
  Demonstration scored() {
    int[] followed = Arrays.copyOf(tokens, tokens.length + 1);
    boolean[] learned = new boolean[followed.length];
    learned[tokens.length] = true;
    return new Demonstration(where, followed, learned, pictures);
  }

  private int begin() {
    int first = 0;
    while (first < trained.length && !trained[first]) {
      first++;
    }
    return first;
  }

  /**
   * Truncates the demonstration to {@code most} tokens; {@code side} is the end that is cut off.
   *
   * @throws UserException if there are more, and pictures among them
   */
  Demonstration cut(int most, Truncation side) {
    int length = tokens.length;
    if (length <= most) {
      return this;
    }
    if (!pictures.isEmpty()) {
      throw new UserException(
          "%s: %d tokens with pictures, which are not cut, and sequence_length is %d (sft.truncation: drop)"
              .formatted(where, length, most));
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
