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

/** Small files that expand to large ones, and their refusals. */
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

  /** Returns the refusal of {@code run}. */
  static String refusal(Path run) {
    return refusal(new YamlConfigLoader(name -> null), run, List.of());
  }

  /** Returns the refusal of {@code run} with {@code overrides} by {@code loader}. */
  static String refusal(YamlConfigLoader loader, Path run, List<String> overrides) {
    return Objects.requireNonNull(userError(() -> loader.load(run, overrides)));
  }

  /** Asserts that a message is one short line. */
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

  /** Returns {@code count} lines. */
  static String lines(int count, Line line) {
    return IntStream.range(0, count).mapToObj(n -> line.of(n) + "\n").collect(Collectors.joining());
  }

  /** Returns {@code count} items of a list. */
  static String items(int count, Line line) {
    return IntStream.range(0, count).mapToObj(line::of).collect(Collectors.joining(","));
  }
}
