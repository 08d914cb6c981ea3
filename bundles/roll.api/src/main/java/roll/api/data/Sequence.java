package roll.api.data;

import java.util.List;
import roll.api.image.Picture;

/**
 * A training sample: a token sequence that a model read and wrote.
 *
 * @param tokens every token in order: prompts, responses, observations
 * @param turns turn of the episode by token; −1 for tokens the policy did not write
 * @param logProbs behavior log-prob by token, of logits divided by {@link
 *     roll.api.config.ModelConfig#temperature}; 0 for tokens the policy did not write
 * @param versions version of the weights that sampled the token; −1 if no model did: text of the
 *     environment, or of an agent that plays instead of the policy (with log-probs 0)
 * @param pictures pictures the model saw, in the order of their image tokens
 */
public record Sequence(
    int[] tokens, int[] turns, double[] logProbs, long[] versions, List<Picture> pictures) {
  /**
   * Checks the lengths.
   *
   * @throws IllegalArgumentException if they differ
   */
  public Sequence {
    if (turns.length != tokens.length
        || logProbs.length != tokens.length
        || versions.length != tokens.length) {
      throw new IllegalArgumentException("tokens, turns, log-probs and versions do not fit");
    }
    pictures = List.copyOf(pictures);
  }

  /** Creates a sequence without pictures. */
  public Sequence(int[] tokens, int[] turns, double[] logProbs, long[] versions) {
    this(tokens, turns, logProbs, versions, List.of());
  }

  /** Number of tokens the policy wrote. */
  public int written() {
    int count = 0;
    for (int turn : turns) {
      count += turn >= 0 ? 1 : 0;
    }
    return count;
  }
}
