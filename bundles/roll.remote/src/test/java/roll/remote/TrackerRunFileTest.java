package roll.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrackerRunFileTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("server-run.json");
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertNull(TrackerRunFile.read(file()));
    TrackerRunFile begun = new TrackerRunFile(file(), "1f2e", 1_700_000_000_123L, -1);
    begun.write();
    assertEquals(
        "{\"id\":\"1f2e\",\"started\":1700000000123,\"step\":-1}\n", Files.readString(file()));
    assertEquals(begun, TrackerRunFile.read(file()));
    begun.sent(41).write();
    assertEquals(
        new TrackerRunFile(file(), "1f2e", 1_700_000_000_123L, 41), TrackerRunFile.read(file()));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file()), files.toList());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}\n",
        "{\"id\":\"a\",\"started\":1,\"step\":2",
        "{\"id\":\"\",\"started\":1,\"step\":2}\n",
        "{\"id\":\"a\",\"started\":1,\"step\":2.5}\n",
        "{\"id\":\"a\",\"started\":1,\"step\":3000000000}\n",
      })
  void anythingElseIsRefused(String text) throws IOException {
    Files.writeString(file(), text);
    assertEquals(
        file() + ": is not what this tracker wrote",
        assertThrows(IOException.class, () -> TrackerRunFile.read(file())).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\"b", "a\\b", "a\nb"})
  void anIdThatCouldNotBeReadAgainIsRefused(String id) {
    assertThrows(IllegalArgumentException.class, () -> new TrackerRunFile(file(), id, 1, 2));
  }
}
