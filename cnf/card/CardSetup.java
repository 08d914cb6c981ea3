import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The arguments of {@link Card}.
 *
 * @param root of the source tree, or of the distribution
 * @param folder for everything that is written
 * @param python environment with PyTorch; empty for the libtorch of the distribution
 * @param djl sources of DJL; empty if its JNI library is not to be compiled
 * @param cpu whether the cores are checked, with small sizes
 * @param options by key
 * @param words names of the checks; empty for all
 * @param begun {@link System#nanoTime} of the start
 */
record CardSetup(
    Path root,
    Path folder,
    String python,
    String djl,
    boolean cpu,
    Map<String, String> options,
    List<String> words,
    long begun) {
  private static final Map<String, String> DEFAULTS =
      Map.of("budget", "600", "jobs", "4", "samples", "1024", "tokens", "512", "roll", "./roll");

  /**
   * Parses the arguments of {@link Card}.
   *
   * @throws IllegalArgumentException with one line
   */
  static CardSetup of(List<String> arguments) {
    Map<String, String> options = new TreeMap<>(DEFAULTS);
    List<String> words = new ArrayList<>();
    boolean cpu = false;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      String key = argument.replaceFirst("=.*", "");
      if (argument.equals("--cpu")) {
        cpu = true;
      } else if (List.of("--python", "--djl").contains(argument) && i + 1 < arguments.size()) {
        options.put(argument, existing(argument, arguments.get(++i)));
      } else if (argument.contains("=") && DEFAULTS.containsKey(key)) {
        options.put(key, argument.substring(key.length() + 1));
      } else if (argument.startsWith("-") || argument.contains("=")) {
        throw new IllegalArgumentException(
            "unexpected '%s'; there are --python <folder>, --djl <folder>, --cpu and the keys %s"
                .formatted(argument, String.join(", ", new TreeMap<>(DEFAULTS).keySet())));
      } else {
        words.add(argument);
      }
    }
    if (words.isEmpty()) {
      throw new IllegalArgumentException("name a folder for what is written");
    }
    List.of("budget", "jobs", "samples", "tokens").forEach(key -> positive(key, options.get(key)));
    Path root = Path.of("").toAbsolutePath();
    if (!Files.isDirectory(root.resolve("configs/models"))) {
      throw new IllegalArgumentException(root + " has no configs/: start it there");
    }
    Path folder = Path.of(words.removeFirst()).toAbsolutePath();
    if (Files.exists(folder.resolve("card.md"))) {
      throw new IllegalArgumentException(folder + " has a table already: name another folder");
    }
    return new CardSetup(
        root,
        folder,
        options.getOrDefault("--python", ""),
        options.getOrDefault("--djl", ""),
        cpu,
        options,
        List.copyOf(words),
        System.nanoTime());
  }

  private static String existing(String option, String name) {
    if (!Files.exists(Path.of(name))) {
      throw new IllegalArgumentException(option + ": " + name + " does not exist");
    }
    return Path.of(name).toAbsolutePath().toString();
  }

  private static void positive(String key, String value) {
    if (!value.matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(key + ": expected a positive integer, found " + value);
    }
  }

  int number(String key) {
    return Integer.parseInt(options.get(key));
  }

  int jobs() {
    return number("jobs");
  }

  /** Returns the seconds left of the budget. */
  double left() {
    return number("budget") - (System.nanoTime() - begun) * 1e-9;
  }

  /** Returns the folder of the distribution: that of {@code roll}, or what a source tree builds. */
  Path distribution() {
    return Files.exists(root.resolve("roll.jar")) ? root : root.resolve("launch/target/dist");
  }

  /** Returns the program {@code python}, or an empty text. */
  String interpreter() {
    if (python.isEmpty() || !Files.isDirectory(Path.of(python))) {
      return python;
    }
    return Path.of(python, "bin", "python3").toString();
  }
}
