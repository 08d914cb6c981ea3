package roll.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * What a line asks for.
 *
 * @param parts which measurements, in order
 * @param worlds what stands after {@code env}, {@code compare} or {@code rollout}
 * @param model folder of the small model
 * @param quick fewer and smaller measurements
 * @param large 494 M weights for 110 M
 * @param help only help
 */
record BenchArguments(
    List<String> parts,
    List<String> worlds,
    Path model,
    boolean quick,
    boolean large,
    boolean help) {
  private static final List<String> PARTS = List.of("gemm", "train", "infer", "algorithms");
  private static final List<String> WORDS =
      List.of(
          "gemm",
          "train",
          "spread",
          "infer",
          "solver",
          "algorithms",
          "load",
          "env",
          "compare",
          "rollout",
          "--quick",
          "--large",
          "--model",
          "--help");

  /**
   * Reads a line.
   *
   * @throws UserException at the first word that is not known
   */
  static BenchArguments of(String... arguments) {
    List<String> parts = new ArrayList<>();
    List<String> worlds = new ArrayList<>();
    Path model = Path.of("configs/models/frozen-lake-tiny");
    boolean quick = false;
    boolean large = false;
    boolean help = false;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "gemm", "train", "spread", "infer", "solver", "algorithms", "load" ->
            parts.add(arguments[i]);
        case "env", "compare", "rollout" -> {
          parts.add(arguments[i]);
          while (i + 1 < arguments.length && !arguments[i + 1].startsWith("-")) {
            worlds.add(arguments[++i]);
          }
        }
        case "--quick" -> quick = true;
        case "--large" -> large = true;
        case "--help", "-h" -> help = true;
        case "--model" -> {
          String folder = ++i == arguments.length ? "" : arguments[i];
          if (folder.isEmpty() || folder.startsWith("--")) {
            throw new UserException("bench: --model: expected a folder, found '" + folder + "'");
          }
          model = Path.of(folder);
        }
        default ->
            throw new UserException(
                "bench: unexpected '%s' (allowed: %s)%s"
                    .formatted(
                        arguments[i],
                        String.join(", ", WORDS),
                        Suggestion.near(arguments[i], WORDS)));
      }
    }
    for (String alone : List.of("env", "compare", "rollout")) {
      if (parts.contains(alone) && parts.size() > 1) {
        String other = parts.getFirst().equals(alone) ? parts.getLast() : parts.getFirst();
        throw new UserException("bench: " + alone + " is measured alone, without " + other);
      }
    }
    return new BenchArguments(
        parts.isEmpty() ? PARTS : List.copyOf(parts),
        List.copyOf(worlds),
        model,
        quick,
        large,
        help);
  }
}
