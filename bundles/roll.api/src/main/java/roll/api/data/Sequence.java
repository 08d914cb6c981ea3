package roll.api.data;

import java.util.List;
import roll.api.image.Picture;

/**
 * Tokens that a model saw and wrote as one: a sample to train on.
 *
 * @param tokens every token in order: prompts, responses, observations
 * @param turns turn of the episode by token; −1 where the policy did not write the token
 * @param logProbs behavior log-prob by token, of logits divided by {@link
 *     roll.api.config.ModelConfig#temperature}; 0 where the policy did not write it
 * @param versions version of the weights that wrote the token; −1 where no model wrote it: text of
 *     the world, or of an agent that plays in place of the policy (whose log-probs are 0)
 * @param pictures what the model saw, in the order of their places among the tokens
 */
public record Sequence(
    int[] tokens, int[] turns, double[] logProbs, long[] versions, List<Picture> pictures) {
  /**
   * A sequence whose parts have the same length.
   *
   * @throws IllegalArgumentException if they have not
   */
  public Sequence {
    if (turns.length != tokens.length
        || logProbs.length != tokens.length
        || versions.length != tokens.length) {
      throw new IllegalArgumentException("tokens, turns, log-probs and versions do not fit");
    }
    pictures = List.copyOf(pictures);
  }

  /** A sequence of text alone; as the other. */
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
