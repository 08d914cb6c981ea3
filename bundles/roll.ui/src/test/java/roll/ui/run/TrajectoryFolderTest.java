package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only files of trajectories and their pictures are found, whatever is asked for. */
class TrajectoryFolderTest {
  private static final String PICTURE = "0a".repeat(32) + ".png";

  private final Path run;
  private final Path trajectories;
  private final TrajectoryFolder folder;

  TrajectoryFolderTest(@TempDir Path place) throws IOException {
    run = Files.createDirectories(place.resolve("run"));
    trajectories = Files.createDirectories(run.resolve("trajectories"));
    folder = new TrajectoryFolder(run);
    Files.writeString(place.resolve("secret.jsonl"), "secret");
    Files.writeString(run.resolve("step-1.jsonl"), "other");
  }

  @Test
  void stepsAreInOrder() throws IOException {
    assertEquals(List.of(), folder.steps());
    for (String name :
        List.of(
            "step-10.jsonl",
            "step-9.jsonl",
            "step-0.jsonl",
            ".step-3.jsonl.tmp",
            "step-03.jsonl",
            "step-x.jsonl",
            "step-4.jsonl~",
            "step-99999999999.jsonl")) {
      Files.writeString(trajectories.resolve(name), "");
    }
    Files.createDirectories(trajectories.resolve("step-5.jsonl"));
    assertEquals(List.of(0, 9, 10), folder.steps());
    assertNull(folder.file(5));
    assertNotNull(folder.file(9));
    assertEquals(List.of(), new TrajectoryFolder(run.resolve("none")).steps());
  }

  @Test
  void picturesAreNamedByTheirDigest() throws IOException {
    Path pictures = Files.createDirectories(trajectories.resolve("pictures"));
    Path picture = Files.writeString(pictures.resolve(PICTURE), "x");
    assertEquals(picture, folder.picture(PICTURE));
    for (String name :
        List.of(
            "",
            ".",
            "..",
            "../step-1.jsonl",
            "..%2f" + PICTURE,
            "/etc/passwd",
            PICTURE + "/",
            PICTURE + "\0",
            PICTURE + "\n",
            "./" + PICTURE,
            "..\\" + PICTURE,
            PICTURE.toUpperCase(Locale.ROOT),
            "0a.png",
            PICTURE.replace("png", "svg"),
            PICTURE.replace("png", "html"),
            "0b".repeat(32) + ".png",
            "\u0660a".repeat(32) + ".png")) {
      assertNull(folder.picture(name), name);
    }
  }

  @Test
  void timesAreFound() throws IOException {
    assertNull(folder.times(7));
    Path times = Files.createDirectories(run.resolve("times")).resolve("step-7.jsonl");
    assertEquals(Files.writeString(times, ""), folder.times(7));
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path secret = run.resolveSibling("secret.jsonl");
    Files.createSymbolicLink(trajectories.resolve("step-7.jsonl"), secret);
    assertEquals(List.of(), folder.steps());
    assertNull(folder.file(7));
    Path other = Files.createDirectories(run.resolveSibling("other"));
    Files.writeString(other.resolve("step-7.jsonl"), "x");
    Files.createSymbolicLink(run.resolve("times"), other);
    assertNull(folder.times(7));
    Files.writeString(other.resolve(PICTURE), "x");
    Files.createSymbolicLink(trajectories.resolve("pictures"), other);
    assertNull(folder.picture(PICTURE), "the folder is a link");
    Files.delete(trajectories.resolve("pictures"));
    Files.createDirectories(trajectories.resolve("pictures"));
    Files.createSymbolicLink(trajectories.resolve("pictures").resolve(PICTURE), secret);
    assertNull(folder.picture(PICTURE), "the file is a link");
    Path whole = Files.createDirectories(other.resolve("pictures"));
    Files.writeString(whole.resolve(PICTURE), "x");
    TrajectoryFolder linked = new TrajectoryFolder(Files.createDirectories(run.resolve("linked")));
    Files.createSymbolicLink(linked.run().resolve("trajectories"), other);
    assertEquals(List.of(), linked.steps());
    assertNull(linked.file(7));
    assertNull(linked.picture(PICTURE));
  }
}
