package roll.shell.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.shell.Gogo;
import roll.shell.command.Syntax;

class SecretOptionTest {
  private static final SecretOption SECRET =
      new SecretOption("--token", "ROLL_TEST_TOKEN", "whoever asks must have it");

  @TempDir Path folder;

  private static @Nullable String read(Map<String, String> environment, String... arguments) {
    Syntax syntax = new Syntax("test", "Tests.", List.of(), SECRET.options());
    try (Gogo gogo = new Gogo(SECRET, "read")) {
      return SECRET.read(gogo.session(), syntax.read(arguments), environment::get);
    }
  }

  private static String complaint(String... arguments) {
    return assertThrows(UserException.class, () -> read(Map.of(), arguments)).getMessage();
  }

  @Test
  void theOptionAndTheFileComeBeforeTheEnvironment() throws IOException {
    Map<String, String> environment = Map.of("ROLL_TEST_TOKEN", "of the environment");
    Path file = Files.writeString(folder.resolve("token"), "of the file\n");
    assertNull(read(Map.of()));
    assertNull(read(Map.of("ROLL_TEST_TOKEN", " ")));
    assertEquals("of the environment", read(environment));
    assertEquals("option", read(environment, "--token", "option"));
    assertEquals("of the file", read(environment, "--token-file", file.toString()));
  }

  @Test
  void mistakesAreOneLineWithoutTheSecret() throws IOException {
    Path file = Files.writeString(folder.resolve("two"), "abc\ndef\n");
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    assertTrue(
        complaint("--token-file", file.toString())
            .startsWith(
                "test: --token-file: expected one line of at most 4096 characters in " + file));
    assertTrue(complaint("--token-file", empty.toString()).contains("expected one line"));
    assertTrue(complaint("--token-file", folder + "/none").contains("none cannot be read"));
    String both = complaint("--token", "abc", "--token-file", file.toString());
    assertTrue(both.startsWith("test: --token and --token-file are both given"), both);
    assertEquals(-1, both.indexOf("abc"));
  }
}
