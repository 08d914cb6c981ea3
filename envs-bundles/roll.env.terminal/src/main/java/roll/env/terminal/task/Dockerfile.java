package roll.env.terminal.task;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of a Dockerfile that need no build: {@code FROM}, {@code WORKDIR}, {@code ENV}
 * and {@code COPY}; those without effect on a workspace are skipped.
 *
 * @param image of the only {@code FROM}
 * @param directory of the last {@code WORKDIR}, or null
 * @param environment variables
 * @param copies in order
 */
record Dockerfile(
    String image, @Nullable String directory, Map<String, String> environment, List<Copy> copies) {
  /** The instructions that are understood, for messages. */
  static final String ALLOWED = "FROM, WORKDIR, ENV, COPY, LABEL, EXPOSE, CMD";

  private static final Pattern PAIR =
      Pattern.compile("([A-Za-z_]\\w*)=(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|\\S*)\\s*");

  /**
   * A {@code COPY}.
   *
   * @param line number of its line
   * @param sources relative to the folder of the Dockerfile
   * @param target as written
   * @param directory the working directory at this line, or null
   */
  record Copy(int line, List<String> sources, String target, @Nullable String directory) {}

  /** An instruction that is not understood. */
  static final class Unsupported extends Exception {
    private static final long serialVersionUID = 1L;

    Unsupported(int line, String problem) {
      super("line " + line + ": " + problem + " (allowed: " + ALLOWED + ")");
    }
  }

  /**
   * Parses a Dockerfile.
   *
   * @throws Unsupported naming the first line that needs a build
   */
  static Dockerfile parse(String text) throws Unsupported {
    String image = null;
    String directory = null;
    Map<String, String> environment = new LinkedHashMap<>();
    List<Copy> copies = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      int number = i + 1;
      StringBuilder joined = new StringBuilder(lines.get(i).strip());
      if (joined.isEmpty() || joined.charAt(0) == '#') {
        continue;
      }
      while (!joined.isEmpty()
          && joined.charAt(joined.length() - 1) == '\\'
          && i + 1 < lines.size()) {
        i++;
        joined.setCharAt(joined.length() - 1, ' ');
        joined.append(lines.get(i).strip()).append(' ');
        joined.setLength(joined.toString().stripTrailing().length());
      }
      String[] parts = joined.toString().split("\\s+", 2);
      String instruction = parts[0].toUpperCase(Locale.ROOT);
      String rest = parts.length > 1 ? parts[1].strip() : "";
      if (image == null && !instruction.equals("FROM")) {
        throw new Unsupported(number, instruction + " before FROM");
      }
      switch (instruction) {
        case "FROM" -> {
          if (image != null || !rest.matches("[^\\s$]+")) {
            throw new Unsupported(number, "FROM with stages, flags or arguments");
          }
          image = rest;
        }
        case "WORKDIR" -> directory = resolve(directory, rest, number);
        case "ENV" -> environment.putAll(variables(rest, number));
        case "COPY" -> copies.add(copy(rest, directory, number));
        case "LABEL", "EXPOSE", "CMD" -> {}
        default -> throw new Unsupported(number, instruction + " needs a build");
      }
    }
    if (image == null) {
      throw new Unsupported(1, "there is no FROM");
    }
    return new Dockerfile(image, directory, environment, copies);
  }

  private static String resolve(@Nullable String directory, String path, int line)
      throws Unsupported {
    if (!path.matches("[\\w./@+-]+")) {
      throw new Unsupported(line, "WORKDIR " + path);
    }
    return path.startsWith("/") ? path : (directory == null ? "" : directory) + "/" + path;
  }

  private static Map<String, String> variables(String rest, int line) throws Unsupported {
    Map<String, String> variables = new LinkedHashMap<>();
    Matcher pair = PAIR.matcher(rest);
    int end = 0;
    while (pair.find(end) && pair.start() == end) {
      String value = pair.group(2);
      boolean quoted = value.length() > 1 && (value.startsWith("\"") || value.startsWith("'"));
      variables.put(pair.group(1), quoted ? value.substring(1, value.length() - 1) : value);
      end = pair.end();
    }
    if (end < rest.length() || rest.isEmpty() || rest.contains("$")) {
      throw new Unsupported(line, "ENV " + rest);
    }
    return variables;
  }

  private static Copy copy(String rest, @Nullable String directory, int line) throws Unsupported {
    List<String> words = List.of(rest.split("\\s+", -1));
    if (words.size() < 2 || !rest.matches("[\\w./@+\\s][\\w./@+\\s-]*")) {
      throw new Unsupported(line, "COPY with flags, patterns, quotes or variables");
    }
    return new Copy(line, words.subList(0, words.size() - 1), words.getLast(), directory);
  }
}
