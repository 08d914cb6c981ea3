package roll.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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

class EnvBenchTest {
  private static final Map<String, Environment> COUNTDOWN = Map.of("countdown", new Countdown());

  @Test
  void playsWhatIsNamedWithItsOptions() {
    List<String> row = row("countdown", "from=[4]");
    assertEquals("countdown", row.getFirst());
    assertTrue(Double.parseDouble(row.get(1).replace(",", "")) > 0);
    assertEquals(List.of("4.00", "100.0", "%"), row.subList(3, 6));
    assertEquals("2.00", row().get(3));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertEquals(
        "bench env: no environment 'countdwn' (registered: countdown); did you mean 'countdown'?",
        refusal("countdwn"));
    assertEquals(
        "bench env: options such as 'from=[4]' need exactly one environment before them",
        refusal("from=[4]"));
    assertEquals(
        "bench env: 'from=[4': expected a JSON value after =", refusal("countdown", "from=[4"));
    assertEquals(
        "bench env: 'from=': expected a JSON value after =", refusal("countdown", "from="));
    assertEquals("bench env.from: expected list, found '4'", refusal("countdown", "from=4"));
  }

  @Test
  void readsTheLine() {
    BenchArguments call = BenchTest.read("env", "sokoban", "num_boxes=1", "--quick");
    assertEquals(List.of("env"), call.parts());
    assertEquals(List.of("sokoban", "num_boxes=1"), call.further());
    assertTrue(call.quick());
    assertEquals(
        "bench: env cannot be combined with gemm",
        assertThrows(UserException.class, () -> BenchTest.read("gemm", "env")).getMessage());
    assertEquals(List.of("turns=3"), BenchTest.read("rollout", "turns=3").further());
    assertEquals(
        "bench: rollout cannot be combined with gemm",
        assertThrows(UserException.class, () -> BenchTest.read("gemm", "rollout")).getMessage());
  }

  private static List<String> row(String... words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    new EnvBench(out, 0.01).run(COUNTDOWN, List.of(words));
    String last = bytes.toString(StandardCharsets.UTF_8).lines().toList().getLast();
    return List.of(last.split(" +"));
  }

  private static String refusal(String... words) {
    return String.valueOf(assertThrows(UserException.class, () -> row(words)).getMessage());
  }

  /** Any step counts down; zero is success. */
  private static final class Countdown implements Environment {
    private static final Option<List<String>> FROM =
        Option.list("from", "where it begins").withDefault(List.of("2"));

    @Override
    public String description() {
      return "Count down to zero.";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(FROM);
    }

    @Override
    public Scenario configure(Options options) {
      int from = Integer.parseInt(options.get(FROM).getFirst());
      return new Scenario() {
        @Override
        public String instruction() {
          return "";
        }

        @Override
        public Episode reset(long seed) {
          return new Count(from);
        }

        @Override
        public Map<String, Aggregation> aggregations() {
          return Map.of("success", Aggregation.LAST);
        }
      };
    }
  }

  private static final class Count implements Episode {
    private int left;

    Count(int from) {
      left = from;
    }

    @Override
    public String observation() {
      return "" + left;
    }

    @Override
    public List<String> actions() {
      return List.of("down");
    }

    @Override
    public String respond(String action) {
      return action;
    }

    @Override
    public Step step(String response) {
      left -= response.equals("down") ? 1 : 0;
      return new Step("" + left, 0, left == 0, false, Map.of("success", left == 0 ? 1.0 : 0.0));
    }
  }
}
