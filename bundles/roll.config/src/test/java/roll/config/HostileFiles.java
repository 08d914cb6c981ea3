package roll.config;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A folder for files that are small and stand for much, and how they are refused. */
final class HostileFiles {
  private final Path folder;

  HostileFiles(Path folder) {
    this.folder = folder;
  }

  /** Writes a file. */
  Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is said of {@code run}. */
  static String refusal(Path run) {
    return refusal(new YamlConfigLoader(name -> null), run, List.of());
  }

  /** What {@code loader} says of {@code run} with {@code overrides}. */
  static String refusal(YamlConfigLoader loader, Path run, List<String> overrides) {
    return Objects.requireNonNull(userError(() -> loader.load(run, overrides)));
  }

  /** It is one line that is not long. */
  static void assertShort(String message) {
    assertAll(
        () -> assertTrue(message.length() < 1000, () -> message.length() + " characters"),
        () -> assertFalse(message.contains("\n")));
  }

  /** A line that has a number. */
  interface Line {
    String of(int n);
  }

  /** {@code a0} of {@code a1} of {@code a2} …; aliases, which look back, in the other order. */
  static String levels(int depth, Line line, @Nullable String last) {
    List<String> lines = IntStream.range(0, depth).mapToObj(line::of).collect(Collectors.toList());
    lines.add(
        "a%d: %s%s"
            .formatted(depth, last == null ? "&a" + depth + " " : "", last == null ? "[x]" : last));
    return String.join("\n", last == null ? lines.reversed() : lines) + "\n";
  }

  /** So many lines. */
  static String lines(int count, Line line) {
    return IntStream.range(0, count).mapToObj(n -> line.of(n) + "\n").collect(Collectors.joining());
  }

  /** So many items of a list. */
  static String items(int count, Line line) {
    return IntStream.range(0, count).mapToObj(line::of).collect(Collectors.joining(","));
  }
}
