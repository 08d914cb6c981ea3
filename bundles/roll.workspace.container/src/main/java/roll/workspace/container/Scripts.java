package roll.workspace.container;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The scripts that run in a container, by its shell. */
final class Scripts {
  private Scripts() {}

  /** Returns the words that run {@code names} as one script with {@code arguments}. */
  static List<String> words(List<String> names, List<String> arguments) {
    StringBuilder script = new StringBuilder();
    for (String name : names) {
      script.append(text(name + ".sh"));
    }
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", script.toString(), "sh"));
    words.addAll(arguments);
    return words;
  }

  private static String text(String name) {
    try (InputStream stream = Objects.requireNonNull(Scripts.class.getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
