package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.config.verl.VerlKey;
import roll.config.verl.VerlTable;

/** The table in {@code docs/verl-options.md} is the one that is read. */
class VerlDocumentTest {
  private static final String HEAD = "| option | default | here | remarks |\n|---|---|---|---|\n";

  @Test
  void theDocumentHasTheTable() throws IOException {
    String table =
        HEAD
            + new VerlTable()
                .keys().stream().map(VerlDocumentTest::line).collect(Collectors.joining());
    Path document =
        Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "docs/verl-options.md");
    String text = Files.readString(document);
    int start = text.indexOf(HEAD);
    Files.writeString(Path.of("target/verl-options.md"), table); // to be copied
    assertEquals(table, text.substring(start), "target/verl-options.md has it as it should be");
  }

  private static String line(VerlKey key) {
    String remarks =
        switch (key.how()) {
          case COPIED -> "";
          case MADE -> key.text();
          case ALIAS -> "another name of it";
          case NO_EFFECT -> "does nothing: " + key.text();
          case LATER -> "refused: " + key.text();
        };
    String standard = shown(key.standard());
    String agents = shown(key.agentStandard());
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            key.path(),
            standard.equals(agents) ? standard : standard + " / " + agents,
            key.ours().isEmpty() ? "" : "`" + key.ours() + "`",
            remarks);
  }

  private static String shown(@Nullable Object standard) {
    return standard == null ? "–" : String.valueOf(standard);
  }
}
