package roll.shell.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.shell.Gogo;

/** {@code env play} on a small world. */
@NullMarked
class EnvPlayTest {
  private final EnvCommand command =
      new EnvCommand(List.of(Map.entry(Map.of("roll.env", "stairs"), new Stairs())), null);

  /** Climb from the seed's last digit to the top, step by step, or shout. */
  private static final class Stairs implements Environment {
    private static final Option<Integer> TOP =
        Option.integer("top", 1, 9, "number of the last stair").withDefault(2);
    private static final Option<Boolean> BLIND =
        Option.flag("blind", "whether nobody knows the way").withDefault(false);
    private static final Option<List<String>> NAMES =
        Option.list("names", "of moves").withDefault(List.of("Up", "Upside", "Down"));

    @Override
    public String description() {
      return "Climb to the top; one point there, a tenth less a step.";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(TOP, BLIND, NAMES);
    }

    @Override
    public Scenario configure(Options options) {
      int top = options.get(TOP);
      boolean blind = options.get(BLIND);
      List<String> names = options.get(NAMES);
      return new Scenario() {
        @Override
        public String instruction() {
          return "Reach stair " + top + ".";
        }

        @Override
        public Episode reset(long seed) {
          return new Climb(top, blind, names, (int) (seed % 10));
        }

        @Override
        public Map<String, Aggregation> aggregations() {
          return Map.of();
        }
      };
    }
  }

  private static final class Climb implements Episode {
    private final int top;
    private final boolean blind;
    private final List<String> names;
    private int stair;

    Climb(int top, boolean blind, List<String> names, int stair) {
      this.top = top;
      this.blind = blind;
      this.names = names;
      this.stair = stair;
    }

    @Override
    public String observation() {
      return "stair " + stair + "\n";
    }

    @Override
    public List<String> actions() {
      return java.util.stream.Stream.concat(names.stream(), List.of("shout[hello]").stream())
          .toList();
    }

    @Override
    public String respond(String action) {
      return "<" + action + ">";
    }

    @Override
    public Optional<String> expert() {
      return blind ? Optional.empty() : Optional.of("Up");
    }

    @Override
    public Step step(String response) {
      boolean valid = response.startsWith("<") && response.endsWith(">");
      stair += response.equals("<Up>") ? 1 : response.equals("<Down>") ? -1 : 0;
      boolean there = stair == top;
      boolean fell = stair < 0;
      Map<String, Double> metrics =
          Map.of("success", there ? 1.0 : 0.0, "action_is_valid", valid ? 1.0 : 0.0);
      return new Step(observation(), there ? 1 : -0.1, there || fell, false, metrics);
    }
  }

  private String play(String input, String... arguments) throws IOException {
    try (Gogo gogo = new Gogo(command, "env", input)) {
      String[] all = new String[arguments.length + 2];
      all[0] = "play";
      all[1] = "stairs";
      System.arraycopy(arguments, 0, all, 2, arguments.length);
      assertNull(gogo.call(command, all));
      assertEquals(0, gogo.session().get("exit"));
      return gogo.printed().replace(System.lineSeparator(), "\n");
    }
  }

  @Test
  void anEpisodeIsPlayedToItsEnd() throws IOException {
    assertEquals(
        """
        Climb to the top; one point there, a tenth less a step.
        Reach stair 2.
        stair 0
        actions: Up, Upside, Down, shout[hello]
        hint: Up
        reward -0.1, action_is_valid 1, success 0
        stair 1
        actions: Up, Upside, Down, shout[hello]
        reward 1, action_is_valid 1, success 1
        stair 2
        success after 2 turns, score 0.9
        """,
        play("hint\n\nUp\nup\nUp\n"));
    assertTrue(play("d\n").endsWith("stair -1\nno success after 1 turn, score -0.1\n"));
  }

  @Test
  void optionsAndSeedAreHeard() throws IOException {
    String printed = play("Go\n", "top=4", "seed=13", "names=[\"Go\", 7]");
    assertTrue(
        printed.contains("Reach stair 4.\nstair 3\nactions: Go, 7, shout[hello]\n"), printed);
    assertTrue(play("hint\n", "blind=true").contains("no hint: the environment has no expert"));
  }

  @Test
  void theEndOfTheInputAndQuitLeave() throws IOException {
    assertTrue(play("").endsWith("quit after 0 turns, score 0\n"));
    String left = play("Up\nquit\nUp\n");
    assertTrue(left.endsWith("quit after 1 turn, score -0.1\n"), left);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jump | 'jump' is not an action",
        "Don | 'Don' is not an action; did you mean 'Down'?",
        "u p | 'u p' is not an action",
        "<Up> | '<Up>' is not an action",
        "shout | reward",
        "shout[what] | reward",
        "whisper[x] | 'whisper[x]' is not an action",
        "[] | '[]' is not an action",
        "ups | reward",
        "quits | 'quits' is not an action; did you mean 'quit'?",
        "hint me | 'hint me' is not an action",
        "say | 'say' is not an action",
        "say Up | reward -0.1, action_is_valid 0",
        "U | 'U' is ambiguous: Up, Upside",
      })
  void whatIsTypedIsAnActionOrOneLine(String typed, String told) throws IOException {
    String printed = play(typed + "\n");
    String line = printed.lines().skip(4).findFirst().orElseThrow();
    assertTrue(line.startsWith(told), printed);
    boolean asked = line.startsWith("reward") || line.contains("(also: hint, say");
    assertTrue(asked, printed);
    assertEquals(
        line.startsWith("reward"), printed.endsWith("after 1 turn, score -0.1\n"), printed);
  }

  @Test
  void tabCompletesOnATerminal() throws IOException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    byte[] typed = "Do\t\r".getBytes(StandardCharsets.UTF_8);
    try (Terminal terminal =
            new DumbTerminal(
                "test", "ansi", new ByteArrayInputStream(typed), shown, StandardCharsets.UTF_8);
        Gogo gogo = new Gogo(command, "env")) {
      gogo.session().put(".terminal", terminal);
      gogo.call(command, "play", "stairs");
      assertTrue(gogo.printed().contains("no success after 1 turn"), gogo.printed());
    }
    String screen = shown.toString(StandardCharsets.UTF_8);
    assertTrue(screen.contains("Tab completes"), screen);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "play | env: play needs an <id>",
        "play stair | env: no environment 'stair' (registered: stairs); did you mean 'stairs'?",
        "play stairs top | env: expected key=value, found 'top'",
        "play stairs =3 | env: expected key=value, found '=3'",
        "play stairs top=0 | env_config.top: expected an integer from 1 to 9, found '0'",
        "play stairs top=high | env_config.top: expected integer, found 'high'",
        "play stairs tops=3 | env_config: unknown key 'tops' (allowed: top, blind, names)",
        "play stairs seed=-1 | env: seed: expected an integer of at least 0, found '-1'",
        "play stairs seed=x | env: seed: expected an integer of at least 0, found 'x'",
        "play stairs blind=1 | env_config.blind: expected boolean, found '1'",
        "play stairs --seed 3 | env: unknown option --seed",
        "show stairs top=3 | env: 'top=3' is one argument too many",
        "list stairs | env: 'stairs' is one argument too many",
      })
  void mistakesAreOneLine(String words, String told) {
    try (Gogo gogo = new Gogo(command, "env")) {
      UserException e =
          assertThrows(UserException.class, () -> gogo.call(command, words.split(" ", -1)));
      assertTrue(e.getMessage().startsWith(told), e.getMessage());
      assertFalse(e.getMessage().contains("\n"), e.getMessage());
      assertEquals("", gogo.printed());
    }
  }
}
