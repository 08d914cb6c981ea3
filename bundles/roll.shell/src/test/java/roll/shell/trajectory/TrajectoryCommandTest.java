package roll.shell.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.shell.Gogo;
import roll.shell.terminal.TerminalColors;

class TrajectoryCommandTest {
  private static final String FIRST =
      """
      {"id":"Lake_0_0_2_0","score":-0.5,"finish":"terminated","rewards":[0.5,-1.0],\
      "messages":[{"role":"system","content":"Play."},{"role":"user","content":"at 0\\n"},\
      {"role":"assistant","content":"Up"},{"role":"user","content":"at \\u001b[1m"},\
      {"role":"assistant","content":"a\\nb"}],"metrics":{"success":0.0,"moves":1.5},\
      "sequences":[{"tokens":[1,2,3,1,4,5,6,3],"texts":["at 0","U","p","<e>","at 1","a","\\n","b"],\
      "turns":[-1,0,0,0,-1,1,1,1],"log_probs":[0.0,-0.01,-0.5,-1.5,0.0,-3.0,"NaN",-0.1]}]}
      """;

  /** A trajectory of an agent without tokens. */
  private static final String SECOND =
      """
      {"id":"Lake_0_0_2_1","score":1.0,"finish":"max_steps","rewards":[0.9999999999],\
      "messages":[{"role":"user","content":"at 0"},{"role":"assistant","content":"Down"}]}
      """;

  private final Path folder;
  private final Path file;

  TrajectoryCommandTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    file = Files.writeString(folder.resolve("step-10.jsonl"), FIRST + SECOND);
  }

  private static String run(String line) throws Exception {
    try (Gogo gogo = new Gogo(new TrajectoryCommand(), "trajectory")) {
      return gogo.run(line);
    }
  }

  private static String mistake(String line) {
    return assertThrows(UserException.class, () -> run(line)).getMessage();
  }

  @Test
  void listHasALineForEach() throws Exception {
    assertEquals(
        """
        id            score  turns  finish
        Lake_0_0_2_0  -0.5   2      terminated
        Lake_0_0_2_1  1      1      max_steps\
        """,
        run("trajectory list " + file));
  }

  @Test
  void picturesAreShownAsTheirFiles() throws Exception {
    Path seen =
        Files.writeString(
            folder.resolve("step-11.jsonl"),
            SECOND.replace(
                "\"content\":\"at 0\"",
                "\"content\":\"at 0\",\"pictures\":[{\"at\":0,\"file\":\"pictures/ab.png\"},null,"
                    + "{\"at\":1},{\"at\":4,\"file\":\"pictures/\\u001bcd.jpg\"}]"));
    String page = run("trajectory show " + seen);
    assertTrue(
        page.contains(
            """
              user:
                at 0
                picture %1$s/pictures/ab.png
                picture %1$s/pictures/\uFFFDcd.jpg
              response:
            """
                .formatted(folder)),
        page);
  }

  @Test
  void showGoesTurnByTurn() throws Exception {
    String page =
        """
        Lake_0_0_2_0
          system:
            Play.

        turn 1
          user:
            at 0
          response (3 tokens, log-prob -2.0100, min -1.5000 of "<e>"):
            Up<e>
          reward 0.5

        turn 2
          user:
            at \uFFFD[1m
          response (3 tokens, log-prob NaN, min -3.0000 of "a"):
            a
            b
          reward -1

        end
          finish  terminated
          score   -0.5

        metrics
          success  0
          moves    1.5\
        """;
    assertEquals(page, run("trajectory show " + file), "the first");
    assertEquals(page, run("trajectory show " + file + " Lake_0_0_2_0"));
    assertEquals(
        """
        Lake_0_0_2_1

        turn 1
          user:
            at 0
          response:
            Down
          reward 1

        end
          finish  max_steps
          score   1\
        """,
        run("trajectory show " + file + " Lake_0_0_2_1"));
  }

  @Test
  void coloursAreThoseOfProbabilitiesAndSigns() throws Exception {
    String page = run("trajectory show --color " + file);
    String green = "\u001B[38;5;40m";
    String red = "\u001B[38;5;196m";
    String end = "\u001B[0m";
    assertTrue(
        page.contains(
            "    "
                + green
                + "U"
                + end
                + "\u001B[38;5;148mp"
                + end
                + "\u001B[38;5;214m<e>"
                + end
                + "\n"),
        page);
    assertTrue(page.contains("    " + red + "a" + end + "\n    " + green + "b" + end), page);
    assertTrue(page.contains("reward " + green + "0.5" + end), page);
    assertTrue(page.contains("reward " + red + "-1" + end), page);
    assertTrue(page.contains("token probability: " + green + "≥ 0.9" + end), page);
  }

  /** Advantages, ratios and masks of a step that was trained on. */
  @Test
  void whatTrainingMadeOfTokensIsShown() throws Exception {
    Files.writeString(
        file,
        FIRST.replace(
            "\"log_probs\"",
            "\"advantages\":[0,0.5,0.5,0,0,-1.25,-0.75,0],"
                + "\"old_log_probs\":[0,0.29,-0.5,-1.5,0,-4.0,\"NaN\",-0.1],"
                + "\"mask\":[0,1,1,0,0,1,1,0],\"log_probs\""));
    String page = run("trajectory show " + file);
    assertTrue(
        page.contains(
            "response (3 tokens, log-prob -2.0100, min -1.5000 of \"<e>\","
                + " advantage 0.5000, ratio 1.0000 to 1.3499, 1 not trained on):"),
        page);
    assertTrue(
        page.contains("advantage -1.2500 to -0.7500, ratio 0.3679 to 1.0000, 1 not trained on):"),
        page);
    String green = "\u001B[38;5;40m";
    String red = "\u001B[38;5;196m";
    String end = "\u001B[0m";
    String advantages = run("trajectory show --color --color-by advantage " + file);
    assertTrue(advantages.contains(green + "U" + end + green + "p" + end + "<e>\n"), advantages);
    assertTrue(advantages.contains("token advantage: " + green + "> 0"), advantages);
    String ratios = run("trajectory show --color --color-by=ratio " + file);
    assertTrue(ratios.contains(green + "U" + end + "p<e>\n"), ratios);
    assertTrue(ratios.contains("    " + red + "a" + end + "\n    b"), ratios);
    assertTrue(
        mistake("trajectory show --color-by mask " + file)
            .startsWith(
                "trajectory: --color-by: expected log-prob or advantage or ratio, found 'mask'"));
  }

  /** Here is no terminal; on one the variables decide. */
  @Test
  void coloursAreOnlyWhereTheyAreWanted() {
    try (Gogo gogo = new Gogo(new TrajectoryCommand(), "trajectory")) {
      assertFalse(TerminalColors.of(false, gogo.session(), Map.of()).on());
      assertTrue(
          TerminalColors.of(true, gogo.session(), Map.of("NO_COLOR", "1")).on(), "asked for");
    }
    assertTrue(TerminalColors.wanted(true, Map.of("TERM", "xterm", "NO_COLOR", "")));
    assertFalse(TerminalColors.wanted(true, Map.of("TERM", "xterm", "NO_COLOR", "1")));
    assertFalse(TerminalColors.wanted(true, Map.of("TERM", "dumb")));
    assertFalse(TerminalColors.wanted(false, Map.of()));
  }

  /** A dumped rollout begins with a line that is not one. */
  @Test
  void aDumpIsReadToo() throws Exception {
    Files.writeString(file, "{\"rollout\":\"train\",\"step\":3}\n" + FIRST);
    assertEquals(2, run("trajectory list " + file).lines().count());
  }

  @Test
  void idsMayBeShortened() throws Exception {
    Files.writeString(file, FIRST + SECOND.replace("Lake_0_0_2_1", "Lake_1_0_6_0"));
    assertTrue(run("trajectory show " + file + " Lake_1").startsWith("Lake_1_0_6_0\n"));
    assertEquals(
        "trajectory: 'Lake' is the prefix of 2 ids in " + file + ": Lake_0_0_2_0, Lake_1_0_6_0",
        mistake("trajectory show " + file + " Lake"));
  }

  @Test
  void mistakesAreOneLine() throws Exception {
    assertEquals(
        "trajectory: no trajectory 'Lake_0_0_2_7' in "
            + file
            + " (2: Lake_0_0_2_0, Lake_0_0_2_1); did you mean 'Lake_0_0_2_0'?",
        mistake("trajectory show " + file + " Lake_0_0_2_7"));
    assertEquals(
        "trajectory: no file '" + folder + "/step-1.jsonl'; did you mean 'step-10.jsonl'?",
        mistake("trajectory list " + folder + "/step-1.jsonl"));
    Files.writeString(folder.resolve("step-9.jsonl"), FIRST);
    assertEquals(
        "trajectory: '%s' is a folder; files in it: %s, %s"
            .formatted(folder, file, folder.resolve("step-9.jsonl")),
        mistake("trajectory show " + folder));
    Files.writeString(file, FIRST + "{\"id\": 3");
    assertEquals(
        "trajectory: "
            + file
            + ":2: is not a JSON object: it is incomplete (line 1, column 9, at id)",
        mistake("trajectory list " + file));
    Files.writeString(file, "{\"step\":0,\"metrics\":{}}\n");
    assertEquals(
        "trajectory: " + file + ":1: is not a trajectory: 'id' is missing",
        mistake("trajectory list " + file));
    Files.writeString(file, "{\"id\":\"a\",\"rewards\":7}\n");
    assertTrue(
        mistake("trajectory list " + file)
            .startsWith("trajectory: " + file + ":1: is not a trajectory: Expected BEGIN_ARRAY"));
    Files.writeString(file, "");
    assertEquals(
        "trajectory: '" + file + "' holds no trajectories", mistake("trajectory list " + file));
    assertTrue(mistake("trajectory lst x").startsWith("trajectory: expected list or show, found"));
    assertTrue(mistake("trajectory list a b").contains("'b' is one argument too many"));
  }
}
