package roll.ui.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.ui.file.FileCache;

/** Summaries, search and orders of a file that was made up. */
class StepIndexTest {
  private final Path folder;

  StepIndexTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private StepIndex index(String... lines) throws IOException {
    return StepIndex.read(EpisodeLines.write(folder, 3, lines));
  }

  @Test
  void summariesAreThoseOfTheLines() throws IOException {
    StepIndex index =
        index(
            EpisodeLines.line(0, 1, 2, -0.5, 0.75), EpisodeLines.line(4, -0.5, 3, -2, Double.NaN));
    assertEquals(
        new EpisodeSummary(
            0,
            "Game_0_0_0_0",
            "Game",
            "Game_0_0_0",
            0,
            1,
            0.75,
            2,
            5,
            4,
            0.5,
            "terminated",
            0,
            null,
            "take key 0",
            true),
        index.episodes().get(0));
    assertEquals(
        new EpisodeSummary(
            1,
            "Game_4_0_8_0",
            "Game",
            "Game_4_0_8",
            0,
            -0.5,
            null,
            2,
            7,
            6,
            2.0,
            "max_steps",
            1,
            null,
            "take key 4",
            false),
        index.episodes().get(1));
    assertNull(index.notice());
  }

  @Test
  void linesComeBackAsTheyStand() throws IOException {
    String strange = EpisodeLines.line(1, 0, 1, -1, 0).replace("look", "\u00fc\uD83E\uDDCA\\u2028");
    StepIndex index = index(EpisodeLines.line(0, 1, 500, -0.5, 0.75), strange);
    assertEquals(strange, index.line(1));
    assertNull(index.line(2));
    assertNull(index.line(-1));
  }

  @Test
  void brokenLinesAreCountedAndSaid() throws IOException {
    String whole = EpisodeLines.line(0, 1, 2, -0.5, 0.75);
    assertEquals("line 2 of step-3.jsonl is broken", index(whole, "{\"id\":").notice());
    StepIndex index =
        index(
            "{\"rollout\":\"train\",\"step\":3}",
            whole.replace("\"rewards\":", "\"rewards\":7,\"x\":"),
            whole + "x",
            "",
            "null",
            "[]",
            "{}",
            whole);
    assertEquals("6 lines of step-3.jsonl are broken, the first is line 2", index.notice());
    assertEquals(6, index.broken());
    assertEquals(List.of(7), index.episodes().stream().map(EpisodeSummary::index).toList());
    assertNull(index.line(2), "a broken line is not given out");
  }

  /** Others have nothing to do with a line that has null where there is always something. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"messages\":[null]",
        "\"sequences\":[null]",
        "\"cut\":[null]",
        "\"rewards\":[null]",
        "\"member\":null",
        "\"sequences\":[{\"turns\":[null]}]",
        "\"sequences\":[{\"turns\":[0],\"log_probs\":[null]}]",
        "\"sequences\":[{\"advantages\":[null]}]",
        "\"sequences\":[{\"mask\":[null]}]"
      })
  void aLineWithNullIsBrokenAlone(String member) throws IOException {
    String whole = EpisodeLines.line(0, 1, 2, -0.5, 0.75);
    StepIndex index = index("{\"id\":\"a\"," + member + "}", whole);
    assertEquals("line 1 of step-3.jsonl is broken", index.notice());
    assertEquals(List.of(1), found(index, "room", "all", "group"));
    assertNull(index.line(0));
  }

  @Test
  void aFileWithoutALineEndIsRead() throws IOException {
    Path file = EpisodeLines.write(folder, 3, EpisodeLines.line(0, 1, 2, -0.5, 0.75));
    Files.writeString(file, Files.readString(file).strip());
    assertEquals(1, StepIndex.read(file).episodes().size());
    Files.writeString(file, "");
    assertEquals(List.of(), StepIndex.read(file).episodes());
  }

  /** Episodes 0 to 3 of these, as their indices say. */
  private StepIndex four() throws IOException {
    return index(
        EpisodeLines.line(0, 0.5, 2, -0.5, 1),
        EpisodeLines.line(1, -1, 9, -0.1, 1),
        EpisodeLines.line(2, 2, 2, -3, 1),
        EpisodeLines.line(3, -1, 0, 0, 1));
  }

  private static List<Integer> found(StepIndex index, String text, String filter, String sort)
      throws IOException {
    return new EpisodeQuery(text, filter, sort)
        .of(index).stream().map(EpisodeSummary::index).toList();
  }

  @Test
  void ordersAndFilters() throws IOException {
    StepIndex index = four();
    assertEquals(List.of(0, 1, 2, 3), found(index, "", "all", "group"));
    assertEquals(List.of(2, 0, 1, 3), found(index, "", "all", "score"), "equal ones as they were");
    assertEquals(List.of(1, 0, 2, 3), found(index, "", "all", "longest"));
    assertEquals(List.of(2, 0, 1, 3), found(index, "", "all", "surprising"), "no tokens: last");
    assertEquals(List.of(0, 2), found(index, "", "solved", "group"));
    assertEquals(List.of(1, 3), found(index, "", "failed", "score"));
    assertEquals(
        "sort: expected one of group, score, longest, surprising, found 'id'",
        assertThrows(UserException.class, () -> found(index, "", "all", "id")).getMessage());
    assertThrows(UserException.class, () -> found(index, "", "x", "group"));
  }

  @Test
  void searchLooksIntoWhatWasSaid() throws IOException {
    StepIndex index = four();
    assertEquals(List.of(2), found(index, "ROOM 2", "all", "group"));
    assertEquals(List.of(0, 1, 2, 3), found(index, "a key", "all", "group"), "of a tool");
    assertEquals(List.of(1, 3), found(index, "max_steps", "all", "group"), "why it ended");
    assertEquals(List.of(3), found(index, "game_3_", "all", "group"), "its id");
    assertEquals(List.of(), found(index, "log_probs", "all", "group"), "no names of members");
    assertEquals(List.of(2), found(index, "take", "solved", "score").subList(0, 1));
  }

  @Test
  void filesAreReadOnceAndAgainWhenReplaced() throws IOException {
    Path file = EpisodeLines.write(folder, 3, EpisodeLines.line(0, 1, 2, -0.5, 0.75));
    FileCache<StepIndex> indexes = new FileCache<>(6, (path, _) -> StepIndex.read(path));
    StepIndex first = indexes.get(file);
    assertSame(first, indexes.get(file));
    Files.writeString(
        file, EpisodeLines.line(1, 1, 2, -0.5, 0.75) + "\n", StandardOpenOption.APPEND);
    assertNotSame(first, indexes.get(file));
    assertEquals(2, indexes.get(file).episodes().size());
    for (int step = 10; step < 20; step++) {
      Path other = EpisodeLines.write(folder, step, EpisodeLines.line(0, 1, 2, -0.5, 0));
      assertEquals(1, indexes.get(other).episodes().size());
    }
    assertEquals(2, indexes.get(file).episodes().size(), "forgotten and read again");
  }
}
