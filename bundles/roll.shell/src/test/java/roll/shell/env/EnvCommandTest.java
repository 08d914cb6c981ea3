package roll.shell.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.shell.Gogo;

class EnvCommandTest {
  private final EnvCommand command =
      new EnvCommand(
          List.of(
              Map.entry(Map.of("roll.env", "coin"), new Coin(List.of())),
              Map.entry(Map.of("roll.env", new String[] {"quiz", "qa"}), new Coin(required()))),
          null);

  @Test
  void listIsSortedAndKnowsOtherNames() throws Exception {
    try (Gogo gogo = new Gogo(command, "env")) {
      assertEquals(
          """
          id    task                                           also called
          coin  Guess the side of a coin; one point if right.
          quiz  Guess the side of a coin; one point if right.  qa\
          """,
          gogo.run("env list"));
    }
  }

  @Test
  void showHasOptionsAndAnExample() throws Exception {
    try (Gogo gogo = new Gogo(command, "env")) {
      assertEquals(
          """
          coin: Guess the side of a coin; one point if right.

          options:
            sides: How many sides it has.
              integer, default 2

          instruction:
            Say heads or tails.

          first observation with seed 0:
            A coin
            lies hidden.

          actions:
            heads, tails

          example response:
            <answer>heads</answer>\
          """,
          gogo.run("env show coin"));
    }
  }

  @Test
  void anEnvironmentThatNeedsOptionsSaysWhich() throws Exception {
    try (Gogo gogo = new Gogo(command, "env")) {
      String page = gogo.run("env show qa");
      assertTrue(page.contains("an example needs options:\n  env_config.file is required"), page);
    }
  }

  @Test
  void mistakesAreOneLine() {
    try (Gogo gogo = new Gogo(command, "env")) {
      assertEquals(
          "env: no environment 'coyn' (registered: coin, qa, quiz); did you mean 'coin'?",
          mistake(gogo, "env show coyn"));
      assertTrue(mistake(gogo, "env show").startsWith("env: show needs an <id>; usage: env "));
      assertTrue(mistake(gogo, "env").startsWith("env: <list|show|play> is missing; usage: env "));
      assertTrue(
          mistake(gogo, "env lst").startsWith("env: expected list, show or play, found 'lst'"));
    }
    try (Gogo gogo = new Gogo(new EnvCommand(List.of(), null), "env")) {
      assertEquals("env: no environment 'coin' (registered: none)", mistake(gogo, "env show coin"));
    }
  }

  private static String mistake(Gogo gogo, String line) {
    return assertThrows(UserException.class, () -> gogo.run(line)).getMessage();
  }

  private static List<Option<?>> required() {
    return List.of(Option.text("file", "Where the questions are."));
  }

  /** A small world. */
  private record Coin(List<Option<?>> more) implements Environment {
    @Override
    public String description() {
      return "Guess the side of a coin; one point if right.";
    }

    @Override
    public List<Option<?>> options() {
      Option<Integer> sides = Option.integer("sides", "How many sides it has.").withDefault(2);
      return more.isEmpty() ? List.of(sides) : more;
    }

    @Override
    public Scenario configure(Options options) {
      more.forEach(option -> options.get(option));
      return new Scenario() {
        @Override
        public String instruction() {
          return "Say heads or tails.";
        }

        @Override
        public Episode reset(long seed) {
          return new Hidden(seed % 2 == 0 ? "heads" : "tails");
        }

        @Override
        public Map<String, Aggregation> aggregations() {
          return Map.of();
        }
      };
    }
  }

  private record Hidden(String side) implements Episode {
    @Override
    public String observation() {
      return "A coin\nlies hidden.\n";
    }

    @Override
    public List<String> actions() {
      return List.of("heads", "tails");
    }

    @Override
    public String respond(String action) {
      return "<answer>" + action + "</answer>";
    }

    @Override
    public Step step(String response) {
      return new Step(side, response.equals(respond(side)) ? 1 : 0, true, false, Map.of());
    }
  }
}
