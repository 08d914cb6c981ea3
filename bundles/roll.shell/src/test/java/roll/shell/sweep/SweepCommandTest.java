package roll.shell.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.sweep.SeedGroup;
import roll.runtime.sweep.SeedGroup.Spread;
import roll.runtime.sweep.SweepRequest;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweepRun;
import roll.runtime.sweep.Sweeper;
import roll.runtime.sweep.SweptRun;
import roll.runtime.sweep.SweptRun.CurvePoint;
import roll.runtime.sweep.SweptRun.State;
import roll.shell.Gogo;

/** {@code sweep} on a service that only notes what it is asked. */
class SweepCommandTest {
  private final List<String> asked = new ArrayList<>();

  private static SweptRun run(String seed, State state, @Nullable String problem) {
    boolean done = state == State.FINISHED;
    return new SweptRun(
        "seed=" + seed,
        Map.of("seed", seed),
        "s/lake_seed=" + seed,
        state,
        problem,
        done ? 2 : 0,
        done ? List.of(new CurvePoint(0, 0.25), new CurvePoint(30, 0.5)) : List.of(),
        done ? 0.5 : null,
        done ? 0.5 : null,
        done ? 30 : null);
  }

  private static SweepResult result(SweptRun... runs) {
    Spread half = new Spread(0.5, null, 0.5, 0.5);
    SeedGroup group =
        new SeedGroup(
            "all seeds",
            Map.of(),
            runs.length,
            1,
            half,
            new Spread(0.6, 0.125, 0.5, 0.7),
            List.of(30, 60),
            List.of(),
            List.of(),
            List.of());
    return new SweepResult(
        "s",
        "train",
        "val/score/mean",
        false,
        List.of(runs),
        List.of(group),
        "s/sweep.png",
        List.of());
  }

  private Sweeper sweeper(SweepResult result) {
    return new Sweeper() {
      @Override
      public SweepRun start(SweepRequest order, Consumer<String> lines) {
        asked.add(order.toString());
        return new SweepRun() {
          @Override
          public List<String> notices() {
            return List.of("2 runs");
          }

          @Override
          public Path folder() {
            return Path.of("s");
          }

          @Override
          public void stop() {
            asked.add("stop");
          }

          @Override
          public CompletableFuture<SweepResult> outcome() {
            return CompletableFuture.completedFuture(result);
          }
        };
      }

      @Override
      public SweepResult show(Path folder, @Nullable String metric) {
        asked.add("show " + folder + " " + metric);
        return result;
      }
    };
  }

  private String run(SweepResult result, String line) throws Exception {
    SweepCommand command = new SweepCommand(sweeper(result), null);
    try (Gogo gogo = new Gogo(command, "sweep")) {
      return gogo.run(line);
    }
  }

  @Test
  void aFinishedSweepIsATable() throws Exception {
    String said =
        run(
            result(run("1", State.FINISHED, null)),
            "sweep lake.yaml max_steps=3 'seed=[1,2]' --jobs 2 --metric val/score/mean");
    assertEquals(
        """
        notice: 2 runs
        writing to s

        val/score/mean (higher is better)

        combination  runs    last   min    max    best           min    max    at step
        all seeds    1 of 1  0.500  0.500  0.500  0.600 ± 0.125  0.500  0.700  30–60

        run     state     last   best   at step  folder
        seed=1  finished  0.500  0.500  30       s/lake_seed=1
        picture: s/sweep.png
        """,
        said);
    assertEquals(
        List.of(
            "SweepRequest[file=lake.yaml, keys=[max_steps=3, seed=[1,2]], sft=false, jobs=2,"
                + " metric=val/score/mean]"),
        asked);
  }

  /** A failed run is shown in the table and the status, and the others are still reported. */
  @Test
  void aFailedRunIsTold() {
    SweepResult result =
        result(run("1", State.FINISHED, null), run("2", State.FAILED, "no space left"));
    SweepCommand command = new SweepCommand(sweeper(result), null);
    try (Gogo gogo = new Gogo(command, "sweep")) {
      RunFailure e =
          assertThrows(RunFailure.class, () -> gogo.call(command, "lake.yaml", "seed=[1,2]"));
      assertEquals("1 of 2 runs failed: repeat the command to retry them", e.getMessage());
      assertTrue(gogo.printed().contains("seed=2  failed    –      –      –        s/lake_seed=2"));
      assertTrue(gogo.printed().contains("seed=2: no space left\n"), gogo.printed());
    }
  }

  @Test
  void whatIsNotFinishedEndsAsAnInterruptDoes() {
    SweepCommand command = new SweepCommand(sweeper(result(run("1", State.STOPPED, null))), null);
    try (Gogo gogo = new Gogo(command, "sweep")) {
      gogo.call(command, "lake.yaml", "seed=[1,2]");
      assertEquals(130, gogo.session().get("exit"));
      assertTrue(
          gogo.printed().endsWith("1 runs are not finished: repeat the command to continue them\n"),
          gogo.printed());
    }
  }

  @Test
  void jsonIsOneLineAndNothingElse() throws Exception {
    String said = run(result(run("1", State.FINISHED, null)), "sweep show s --json --metric loss");
    assertEquals(List.of("show s loss"), asked);
    assertEquals(1, said.strip().lines().count(), said);
    assertTrue(said.contains("\"curve\":[{\"step\":0,\"value\":0.25},"), said);
    assertTrue(said.contains("\"deviation\":null"), said);
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "sweep: this distribution lacks the bundle roll.sweep, which the command needs",
        complaint(new SweepCommand(null, null), "lake.yaml", "seed=[1]"));
    SweepCommand command = new SweepCommand(sweeper(result()), null);
    assertTrue(complaint(command, "lake.yaml", "--jobs", "x").contains("expected an integer"));
    assertTrue(complaint(command, "show").contains("show takes a sweep folder"));
    assertTrue(complaint(command, "show", "s", "--sft").contains("show takes a sweep folder"));
    assertTrue(complaint(command).startsWith("sweep: <config.yaml> is missing"));
  }

  private static String complaint(SweepCommand command, String... arguments) {
    try (Gogo gogo = new Gogo(command, "sweep")) {
      return assertThrows(UserException.class, () -> gogo.call(command, arguments)).getMessage();
    }
  }
}
