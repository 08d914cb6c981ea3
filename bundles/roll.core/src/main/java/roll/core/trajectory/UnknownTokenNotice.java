package roll.core.trajectory;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.api.data.Trajectory;
import roll.api.model.Tokenizer;

/** Notices about environments whose words the tokenizer does not know: the policy cannot read. */
public final class UnknownTokenNotice {
  /** Share of unknown tokens in the prompts above which there is a notice. */
  private static final double MOST = 0.2;

  private UnknownTokenNotice() {}

  /**
   * Returns a notice for each tag of {@code trajectories} in whose prompts and observations more
   * than a fifth of the tokens are the unknown token of {@code tokenizer}; none if it has no such
   * token.
   */
  public static List<String> lines(List<Trajectory> trajectories, Tokenizer tokenizer) {
    String name = tokenizer.id("<unk>") >= 0 ? "<unk>" : "[UNK]"; // of SentencePiece, or BERT
    int unknown = tokenizer.id(name);
    if (unknown < 0) {
      return List.of();
    }
    Map<String, Double> shares =
        trajectories.stream()
            .collect(
                Collectors.groupingBy(
                    Trajectory::tag,
                    TreeMap::new,
                    Collectors.flatMapping(
                        UnknownTokenNotice::read,
                        Collectors.<Integer>averagingInt(token -> token == unknown ? 1 : 0))));
    return shares.entrySet().stream()
        .filter(tag -> tag.getValue() > MOST)
        .map(
            tag ->
                "custom_envs.%s: %.0f %% of the tokens of prompts and observations are %s: the tokenizer in %s does not know their text"
                    .formatted(tag.getKey(), 100 * tag.getValue(), name, tokenizer.folder()))
        .toList();
  }

  /** Returns the tokens that the policy read. */
  private static Stream<Integer> read(Trajectory played) {
    return played.sequences().stream()
        .flatMap(
            sequence ->
                IntStream.range(0, sequence.tokens().length)
                    .filter(i -> sequence.turns()[i] < 0)
                    .mapToObj(i -> sequence.tokens()[i]));
  }
}
