package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.image.Picture;
import roll.testkit.CharacterTokenizer;

/** Pictures beside the lines of trajectories. */
class PictureFilesTest {
  private static final Picture PNG =
      Picture.png(new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB));
  private static final Picture JPEG = Picture.of(new byte[] {-1, -40, -1, 7});
  private static final Picture ODD = Picture.of(new byte[] {1, 2, 3});

  @TempDir Path folder;

  private static Trajectory trajectory() {
    List<Message> messages =
        List.of(
            new Message("system", "Look."),
            new Message(
                "user",
                "a and b",
                null,
                List.of(
                    new InlinePicture(0, PNG),
                    new InlinePicture(6, JPEG),
                    new InlinePicture(7, PNG))),
            new Message("assistant", "yes"),
            new Message("tool", "", "camera", List.of(new InlinePicture(0, ODD))));
    Sequence sequence =
        new Sequence(
            new int[] {'a', 'b'},
            new int[] {-1, 0},
            new double[] {0, -1},
            new long[] {-1, 3},
            List.of(PNG, JPEG, PNG));
    return new Trajectory(
        new TrajectoryKey("Game", 1, 2, 3, 4),
        List.of(sequence),
        new double[] {1},
        new long[] {5},
        messages,
        Map.of("success", 1.0),
        "terminated");
  }

  private String line() {
    return TrajectoryJson.write(trajectory(), new TokenTexts(new CharacterTokenizer(200)));
  }

  private Trajectory read(String line) {
    return TrajectoryJson.read(
        JsonParser.parseString(line).getAsJsonObject(), new PictureFiles(folder));
  }

  private void write() throws IOException {
    new PictureFiles(folder).write(trajectory());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("pictures"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatWasWrittenIsRead() throws IOException {
    write();
    Trajectory read = read(line());
    assertEquals(trajectory().messages(), read.messages());
    assertEquals(List.of(PNG, JPEG, PNG), read.sequences().getFirst().pictures());
    assertEquals(line(), TrajectoryJson.write(read, new TokenTexts(new CharacterTokenizer(200))));
  }

  @Test
  void eachIsWrittenOnceUnderItsDigest() throws IOException {
    write();
    assertEquals(
        Stream.of(PNG.digest() + ".png", JPEG.digest() + ".jpg", ODD.digest() + ".bin")
            .sorted()
            .toList(),
        files());
    Path png = folder.resolve(PictureFiles.name(PNG));
    assertArrayEquals(PNG.data(), Files.readAllBytes(png));
    FileTime old = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(png, old);
    write();
    assertEquals(old, Files.getLastModifiedTime(png));
    assertEquals(3, files().size());
  }

  @Test
  void aTextHasNoPicturesInItsLine() throws IOException {
    String line = line();
    assertTrue(line.contains("{\"role\":\"system\",\"content\":\"Look.\"}"), line);
    assertTrue(line.contains("\"pictures\":[{\"at\":0,\"file\":\"" + PictureFiles.name(PNG)), line);
    assertFalse(Files.exists(folder.resolve("pictures")));
  }

  @Test
  void whatIsMissingOrChangedIsNamed() throws IOException {
    write();
    Path png = folder.resolve(PictureFiles.name(PNG));
    byte[] whole = Files.readAllBytes(png);
    Files.write(png, new byte[] {1});
    refused("the picture " + png + " is not the one that was written", line -> line);
    Files.delete(png);
    assertTrue(message(line -> line).startsWith("the picture " + png + " cannot be read ("));
    Files.write(png, whole);
    refused(
        "'../" + png.getFileName() + "' names no picture (pictures/, its SHA-256, its ending)",
        line -> line.replace(PictureFiles.name(PNG), "../" + png.getFileName()));
    refused(
        "a picture of a message without its file", line -> line.replace("\"file\"", "\"fill\""));
    refused(
        "picture at offset 8 of 7 characters, after one at 6",
        line -> line.replace("\"at\":7", "\"at\":8"));
    refused("a message without role or content", line -> line.replace("\"role\":\"tool\",", ""));
  }

  private String message(UnaryOperator<String> change) {
    return String.valueOf(
        assertThrows(JsonParseException.class, () -> read(change.apply(line()))).getMessage());
  }

  private void refused(String message, UnaryOperator<String> change) {
    assertEquals(message, message(change));
  }
}
