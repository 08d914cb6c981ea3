package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.dataset.Row;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.runtime.config.SftConfig.Truncation;

/** Episodes in which something was seen. */
class PictureDemonstrationsTest {
  private static final Tokenizer BYTES = new EndingBytes();
  private static final Picture SEEN = Picture.of(new byte[] {1, 2, 3});

  private final Path file;

  PictureDemonstrationsTest(@TempDir Path folder) throws IOException {
    file = folder.resolve("step-1.jsonl");
    Files.createDirectories(folder.resolve("pictures"));
    Files.write(folder.resolve("pictures/" + SEEN.digest() + ".bin"), SEEN.data());
  }

  private Demonstration read(Map<String, Object> more) {
    Map<String, Object> sequence = new HashMap<>(more);
    sequence.put("tokens", List.of((long) 'a', (long) 'b'));
    sequence.put("texts", List.of("a", "b"));
    sequence.put("turns", List.of(-1L, 0L));
    Row row = new Row(file, 3, Map.of("sequences", List.of(sequence), "rewards", List.of(1.0)));
    return new EpisodeDemonstrations(BYTES, null).of(row).getFirst();
  }

  private Demonstration seen() {
    return read(Map.of("pictures", List.of("pictures/" + SEEN.digest() + ".bin")));
  }

  @Test
  void theyComeWithTheirPictures() {
    assertEquals(List.of(SEEN), seen().pictures());
    assertEquals(List.of(), read(Map.of()).pictures());
    assertEquals(
        List.of(List.of(SEEN), List.of()),
        SftData.batch(List.of(seen(), read(Map.of()))).columnOrNull(Batch.PICTURES));
    assertNull(SftData.batch(List.of(read(Map.of()))).columnOrNull(Batch.PICTURES));
  }

  @Test
  void theyAreNotCut() {
    assertEquals(2, seen().cut(2, Truncation.LEFT).tokens().length);
    assertEquals(
        file
            + ":3: 2 tokens with pictures, which are not cut, and sequence_length is 1"
            + " (sft.truncation: drop)",
        userError(() -> seen().cut(1, Truncation.LEFT)));
  }

  @Test
  void whatIsMissingIsNamedWithItsLine() {
    assertEquals(
        file + ":3: 'x.png' names no picture (pictures/, its SHA-256, its ending)",
        userError(() -> read(Map.of("pictures", List.of("x.png")))));
  }
}
