package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Environment;
import roll.api.option.UserException;
import roll.itests.FaultyEnvironment.Fault;
import roll.runtime.pipeline.TrainingRun;

/** Faulty environments: a run continues without them, or reports why it cannot. */
@Tag("framework")
@Timeout(240)
class SupervisionTest {
  private static final int STEPS = 3;
  private static final int GROUPS = 16;
  private static final Pattern NOTICE =
      Pattern.compile(
          "\\S+ step (\\d+): episode of FrozenLake \\(group \\d+, episode \\d+, member \\d+, seed"
              + " (\\d+)\\): (.*)");

  private final Path folder;

  SupervisionTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** A run continues with five faulty environments in sixteen, each with another fault. */
  @Test
  void aRunContinuesWithoutFaultyEnvironments() throws Exception {
    try (Offered sick = new Offered(seed -> sickness((int) (seed / 2 % 16)))) {
      Path run = train("sick");
      Map<String, Double> sums = new TreeMap<>();
      List<String> steps = Files.readAllLines(run.resolve("metrics.jsonl"));
      assertEquals(STEPS, steps.size());
      for (String step : steps) {
        JsonObject metrics = json(step).getAsJsonObject("metrics");
        metrics
            .asMap()
            .forEach((name, value) -> sums.merge(name, value.getAsDouble(), Double::sum));
      }
      wholeGroups(run, sick.environment());
      counted(sums, sick.environment());
      told(Files.readAllLines(run.resolve("run.log")), sick.environment().seeds());
    }
  }

  private static Fault sickness(int number) {
    Fault[] kinds = Fault.values();
    return number + 1 < kinds.length ? kinds[number + 1] : Fault.NONE;
  }

  /** Every step has sixteen complete groups of two without a faulty environment. */
  private static void wholeGroups(Path run, FaultyEnvironment environment) throws Exception {
    for (int step = 0; step < STEPS; step++) {
      Map<Long, Integer> members = new TreeMap<>();
      for (String line : Files.readAllLines(run.resolve("trajectories/step-" + step + ".jsonl"))) {
        members.merge(json(line).get("seed").getAsLong(), 1, Integer::sum);
      }
      assertEquals(GROUPS, members.size());
      assertEquals(Set.of(2), new HashSet<>(members.values()));
      for (long seed : environment.seeds()) {
        assertTrue(!members.containsKey(seed), () -> "seed " + seed);
      }
    }
  }

  /**
   * Failures are counted: each lost group fails twice for two members; on a loaded machine some are
   * timeouts.
   */
  private static void counted(Map<String, Double> sums, FaultyEnvironment environment) {
    Map<Fault, Integer> happened = environment.happened();
    int hung = happened.getOrDefault(Fault.HANGS, 0);
    int other = happened.values().stream().mapToInt(n -> n).sum() - hung;
    double failures = sums.getOrDefault("env/FrozenLake/failures", 0.0);
    double timeouts = sums.getOrDefault("env/FrozenLake/timeouts", 0.0);
    double lost = sums.getOrDefault("scheduler/lost_groups", 0.0);
    assertTrue(failures <= other, () -> failures + " failures, " + other + " did fail");
    assertTrue(
        failures + timeouts >= other + hung,
        () -> failures + " + " + timeouts + " timeouts, " + hung + " hung");
    assertEquals(failures + timeouts, sums.get("scheduler/failed_episodes"));
    assertTrue(lost >= environment.seeds().size(), () -> lost + " lost, " + environment.seeds());
    assertTrue(failures + timeouts >= 4 * environment.seeds().size());
  }

  /** Each kind of failure is logged once per step, with a faulty seed and the stack trace. */
  private static void told(List<String> log, Set<Long> seeds) {
    Set<String> once = new HashSet<>();
    Set<String> problems = new TreeSet<>();
    for (int i = 0; i < log.size(); i++) {
      var notice = NOTICE.matcher(log.get(i));
      if (!notice.matches()) {
        continue;
      }
      String problem = notice.group(3);
      assertTrue(once.add(notice.group(1) + problem), () -> "told twice: " + notice.group());
      problems.add(problem);
      if (!problem.contains("longer")) {
        assertTrue(seeds.contains(Long.parseLong(notice.group(2))), notice.group());
      }
      List<String> stack = log.subList(i + 1, Math.min(i + 4, log.size()));
      assertTrue(stack.stream().anyMatch(line -> line.contains("\tat ")), () -> stack.toString());
    }
    assertTrue(
        problems.containsAll(
            Set.of(
                "step threw java.lang.IllegalStateException: it broke",
                "step took longer than 0.5 s",
                "step returned null",
                "step returned the reward NaN",
                "step returned 2,097,152 characters; at most 1,048,576 are allowed")),
        problems::toString);
  }

  @Test
  void aRunThatCanPlayNothingEndsWithOneLine() throws Exception {
    try (Offered sick = new Offered(seed -> sickness((int) (seed / 2 % 5)))) {
      ExecutionException end = assertThrows(ExecutionException.class, () -> train("hopeless"));
      // a command that throws this exception ends with status 2
      UserException reason = (UserException) Objects.requireNonNull(end.getCause());
      String message = reason.getMessage();
      assertTrue(
          message.startsWith(
              "all environments are quarantined, groups of FrozenLake were lost"
                  + " repeatedly; episode of FrozenLake (group "),
          message);
      assertEquals(1, message.lines().count());
      List<String> log = Files.readAllLines(folder.resolve("hopeless/run.log"));
      assertTrue(log.getLast().endsWith(" refused: " + message), log.getLast());
      assertTrue(sick.environment().seeds().size() > 2);
    }
  }

  private static JsonObject json(String line) {
    JsonElement element = JsonParser.parseString(line);
    return element.getAsJsonObject();
  }

  private Path train(String name) throws Exception {
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "exp_name=" + name,
                "max_steps=" + STEPS,
                "eval_steps=0",
                "save_steps=100",
                "logging_steps=1",
                "train_env_manager.num_env_groups=" + GROUPS,
                "train_env_manager.group_size=2",
                "env_monitor.hung_timeout=0.5",
                "custom_envs.FrozenLake.env_type=sick"));
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    run.outcome().get();
    return run.folder();
  }

  /** FrozenLake with faults, registered as {@code sick}. */
  private record Offered(FaultyEnvironment environment, RegisteredService service)
      implements AutoCloseable {
    Offered(LongFunction<Fault> sickness) throws Exception {
      this(
          new FaultyEnvironment(
              SmallRuns.service(Environment.class, "(roll.env=frozen_lake)"), sickness));
    }

    private Offered(FaultyEnvironment environment) {
      this(environment, RegisteredService.of(Environment.class, environment, "roll.env", "sick"));
    }

    @Override
    public void close() {
      service.close();
      environment.close();
    }
  }
}
