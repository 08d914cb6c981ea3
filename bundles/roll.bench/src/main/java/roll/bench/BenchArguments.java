package roll.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.shell.command.Arguments;
import roll.text.Suggestion;

/**
 * The arguments of {@code bench}.
 *
 * @param parts measurements in order
 * @param further arguments after {@code card}, {@code env} or {@code rollout}
 * @param model folder of the small model
 * @param quick whether to do fewer and smaller measurements
 * @param large whether the large model has 494 M weights instead of 110 M
 */
record BenchArguments(
    List<String> parts, List<String> further, Path model, boolean quick, boolean large) {
  /** All parts; the last three cannot be combined. */
  static final List<String> WORDS =
      List.of(
          "gemm",
          "train",
          "sharing",
          "spread",
          "infer",
          "speculation",
          "solver",
          "algorithms",
          "load",
          "card",
          "env",
          "rollout");

  private static final List<String> ALONE = List.of("card", "env", "rollout");
  private static final List<String> DEFAULT = List.of("gemm", "train", "infer", "algorithms");

  /**
   * Parses the arguments.
   *
   * @throws UserException at the first unknown word
   */
  static BenchArguments of(Arguments given) {
    List<String> parts = new ArrayList<>();
    List<String> further = List.of();
    for (int i = 0; i < given.words().size() && further.isEmpty(); i++) {
      String word = given.word(i);
      if (!WORDS.contains(word)) {
        throw new UserException(
            "bench: unexpected '%s' (allowed: %s)%s"
                .formatted(word, String.join(", ", WORDS), Suggestion.near(word, WORDS)));
      }
      parts.add(word);
      if (ALONE.contains(word)) {
        further = given.from(i + 1);
      }
    }
    for (String alone : ALONE) {
      if (parts.contains(alone) && parts.size() > 1) {
        String other = parts.getFirst().equals(alone) ? parts.getLast() : parts.getFirst();
        throw new UserException("bench: " + alone + " cannot be combined with " + other);
      }
    }
    return new BenchArguments(
        parts.isEmpty() ? DEFAULT : List.copyOf(parts),
        List.copyOf(further),
        Path.of(given.text("--model")),
        given.flag("--quick"),
        given.flag("--large"));
  }
}
