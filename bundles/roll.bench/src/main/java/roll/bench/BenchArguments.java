package roll.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.shell.command.Arguments;
import roll.text.Suggestion;

/**
 * What a line asks for.
 *
 * @param parts which measurements, in order
 * @param worlds what stands after {@code env} or {@code rollout}
 * @param model folder of the small model
 * @param quick fewer and smaller measurements
 * @param large 494 M weights for 110 M
 */
record BenchArguments(
    List<String> parts, List<String> worlds, Path model, boolean quick, boolean large) {
  /** All parts; the last two are measured alone. */
  static final List<String> WORDS =
      List.of("gemm", "train", "spread", "infer", "solver", "algorithms", "load", "env", "rollout");

  private static final List<String> ALONE = List.of("env", "rollout");
  private static final List<String> STANDARD = List.of("gemm", "train", "infer", "algorithms");

  /**
   * What was given.
   *
   * @throws UserException at the first word that is not known
   */
  static BenchArguments of(Arguments given) {
    List<String> parts = new ArrayList<>();
    List<String> worlds = List.of();
    for (int i = 0; i < given.words().size() && worlds.isEmpty(); i++) {
      String word = given.word(i);
      if (!WORDS.contains(word)) {
        throw new UserException(
            "bench: unexpected '%s' (allowed: %s)%s"
                .formatted(word, String.join(", ", WORDS), Suggestion.near(word, WORDS)));
      }
      parts.add(word);
      if (ALONE.contains(word)) {
        worlds = given.from(i + 1);
      }
    }
    for (String alone : ALONE) {
      if (parts.contains(alone) && parts.size() > 1) {
        String other = parts.getFirst().equals(alone) ? parts.getLast() : parts.getFirst();
        throw new UserException("bench: " + alone + " is measured alone, without " + other);
      }
    }
    return new BenchArguments(
        parts.isEmpty() ? STANDARD : List.copyOf(parts),
        List.copyOf(worlds),
        Path.of(given.text("--model")),
        given.flag("--quick"),
        given.flag("--large"));
  }
}
