package roll.workspace.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;
import roll.api.workspace.FileChange;
import roll.api.workspace.FileChange.Kind;

/** Parts that need no engine: options, output that is cut, and lists of files. */
final class ContainerPartsTest {
  @Test
  void anEngineThatIsMissingIsNamed() {
    EngineOptions none = EngineOptions.of(key -> key.endsWith("engine") ? "no-such-engine" : null);
    String message =
        assertThrows(
                UserException.class,
                () -> new ContainerWorkspaces(none).boundaries(Isolation.REQUIRED))
            .getMessage();
    assertTrue(message.contains("needs no-such-engine, which is missing"), message);
  }

  @Test
  void optionsAreWords() {
    EngineOptions options =
        EngineOptions.of(key -> key.endsWith("options") ? " --runtime=runc  --dns=1.2.3.4" : null);
    assertEquals(List.of("--runtime=runc", "--dns=1.2.3.4"), options.words());
    assertEquals("debian:stable-slim", options.image());
  }

  @ParameterizedTest
  @CsvSource({
    "0,'',10",
    "1,a,9",
    "2,aj,8",
    "3,abj,7",
    "9,abcdeghij,1",
    "10,abcdefghij,0",
    "11,abcdefghij,0"
  })
  void theMiddleOfOutputIsLeftOut(int limit, String kept, long dropped) {
    KeptOutput output = new KeptOutput(limit);
    output.readAll(new ByteArrayInputStream("abcdefghij".getBytes(StandardCharsets.UTF_8)));
    assertEquals(kept, output.text());
    assertEquals(dropped, output.dropped());
  }

  @Test
  void filesAreCompared() throws IOException {
    String hash = "0123456789abcdef".repeat(4);
    FileList list =
        FileList.parse(
            "./a\0./b\nc\0./link\0\0"
                + "81a4 ./a\n81a4 './b'$'\\n''c'\na1ff './link' -> 'a'\n"
                + hash
                + "  ./a\n\\"
                + hash
                + "  ./b\\nc\n");
    assertEquals("81a4 './b'$'\\n''c' " + hash, list.files().get("b\nc"));
    assertEquals("a1ff './link' -> 'a'", list.files().get("link"));
    FileList empty = FileList.parse("\0");
    assertEquals(
        List.of(
            new FileChange("a", Kind.ADDED),
            new FileChange("b\nc", Kind.ADDED),
            new FileChange("link", Kind.ADDED)),
        empty.changes(list));
    assertEquals(Kind.DELETED, list.changes(empty).getFirst().kind());
    assertThrows(IOException.class, () -> FileList.parse("./a\0\0"));
    assertThrows(IOException.class, () -> FileList.parse("./a\0\081a4 ./a\n"));
  }
}
