package roll.shell.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.listing.ListedRun;
import roll.runtime.listing.RunListing;
import roll.runtime.listing.RunQuery;
import roll.runtime.nodes.Nodes;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.shell.Gogo;
import roll.shell.NotingRun;
import roll.shell.http.ComponentKeepAlive;
import roll.shell.page.OpenPages;
import roll.testkit.ExampleRunConfigs;

/** {@code train} and {@code check} on services that only note what they are asked. */
class RunCommandsTest {
  private final List<String> calls = new ArrayList<>();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final List<TrainingRun> runs = new ArrayList<>();
  private final OpenPages pages = new OpenPages(ComponentKeepAlive.NONE);

  @Test
  void trainSaysWhatItDoesAndWhereItWrites() throws Exception {
    outcome.complete(new Outcome(3, false, Map.of("val/score/mean", 0.75)));
    try (Gogo gogo = new Gogo(train(), "train")) {
      String printed = gogo.run("train lake.yaml max_steps=3 'exp_name=a b'");
      assertEquals(List.of("load lake.yaml [max_steps=3, exp_name=a b]", "check", "start"), calls);
      assertEquals(
          """
          notice: save_hf_model does nothing
          mini_batch     64
          total_updates  600
          notice: lambd is not read
          writing to output/lake
          finished 3 steps, val/score/mean 0.750, in output/lake
          """,
          printed.replace(System.lineSeparator(), "\n"));
      assertEquals(0, gogo.session().get("exit"));
    }
  }

  @Test
  void aFolderThatIsTakenIsSaidBeforeNodesAreWaitedFor() {
    Trainer refusing =
        new NotingTrainer() {
          @Override
          public void requireStart(LoadedConfig config) {
            throw new UserException("the folder is taken");
          }
        };
    Nodes unused =
        (Nodes)
            Proxy.newProxyInstance(
                Nodes.class.getClassLoader(),
                new Class<?>[] {Nodes.class},
                (_, method, _) -> {
                  throw new AssertionError(method.getName());
                });
    try (Gogo gogo =
        new Gogo(new TrainCommand(this::load, refusing, pages, unused, null, null), "train")) {
      UserException e =
          assertThrows(UserException.class, () -> gogo.run("train lake.yaml --listen 127.0.0.1"));
      assertEquals("the folder is taken", e.getMessage());
      assertEquals("", gogo.printed(), "no derived numbers before a refusal");
    }
  }

  @Test
  void keysAloneNeedNoFile() throws Exception {
    outcome.complete(new Outcome(3, false, Map.of()));
    try (Gogo gogo = new Gogo(train(), "train")) {
      gogo.run("train trainer.nnodes=1 'agent.tools=[a,b]' \"trainer.logger=['console']\"");
      assertEquals(
          List.of(
              "load  [trainer.nnodes=1, agent.tools=[a,b], trainer.logger=['console']]",
              "check",
              "start"),
          calls);
    }
  }

  @Test
  void anInterruptSavesAndSaysHowToContinue() {
    try (Gogo gogo = new Gogo(train(), "train")) {
      Thread.currentThread().interrupt(); // found by the wait for the run's end
      gogo.call(
          train(), "lake.yaml", "exp_name=a b", "v.api_key=sk", "resume_from_checkpoint=false");
      assertEquals(List.of("stop"), calls.subList(3, calls.size()));
      assertTrue(
          gogo.printed()
              .contains(
                  "to continue: ./roll train lake.yaml 'exp_name=a b' 'v.api_key=…'"
                      + " resume_from_checkpoint=true"),
          gogo.printed());
      assertTrue(gogo.printed().contains("stopped after 1 step, saved in output/lake"));
      assertEquals(130, gogo.session().get("exit"));
    }
  }

  @Test
  void aFailureOfTheRunIsThrownAsItWas() {
    try (Gogo gogo = new Gogo(train(), "train")) {
      outcome.completeExceptionally(new UserException("no estimator 'grop'"));
      UserException e = assertThrows(UserException.class, () -> gogo.run("train lake.yaml"));
      assertEquals("no estimator 'grop'", e.getMessage());
      assertEquals("roll: no estimator 'grop'", e.toString()); // as the interactive shell prints it
    }
  }

  private CheckCommand check() {
    return new CheckCommand(this::load, new NotingTrainer(), PlanCommandTest.planner(null));
  }

  @Test
  void checkSaysTheVerdictAndTheNumbersFirst() throws Exception {
    try (Gogo gogo = new Gogo(check(), "check")) {
      assertEquals(
          """
          lake.yaml is valid

          mini_batch     64
          total_updates  600

          notice: save_hf_model does nothing
          notice: lambd is not read
          (--full prints the effective configuration)\
          """,
          gogo.run("check lake.yaml"));
      assertEquals(List.of("load lake.yaml []", "check"), calls);
    }
  }

  @Test
  void checkPrintsYamlThatLoadsAgain() throws Exception {
    try (Gogo gogo = new Gogo(check(), "check")) {
      assertEquals(
          """
          # lake.yaml is valid
          #
          # mini_batch     64
          # total_updates  600
          #
          # notice: save_hf_model does nothing
          # notice: lambd is not read
          exp_name: lake\
          """,
          gogo.run("check lake.yaml --full"));
    }
  }

  @Test
  void filesAreRelativeToTheFolderOfTheSession() throws Exception {
    try (Gogo gogo = new Gogo(check(), "check")) {
      Path elsewhere = Path.of("src").toAbsolutePath();
      gogo.session().currentDir(elsewhere);
      gogo.run("check lake.yaml");
      assertEquals("load " + elsewhere.resolve("lake.yaml") + " []", calls.getFirst());
    }
  }

  @Test
  void withoutAFileTheUsageIsPrinted() throws Exception {
    try (Gogo gogo = new Gogo(train(), "train")) {
      UserException e = assertThrows(UserException.class, () -> gogo.run("train"));
      assertEquals(
          "train: <config.yaml> is missing; usage: train <config.yaml> [key=value …]"
              + " [--option …]",
          e.getMessage());
      assertTrue(gogo.run("train --help").contains("usage: train <config.yaml>"));
      assertEquals(List.of(), calls);
    }
  }

  /** The shell says `done` of a job when its command returns. */
  @Test
  @Timeout(30)
  void aJobInTheBackgroundLastsAsLongAsItsRun() throws Exception {
    try (Gogo gogo = new Gogo(train(), "train")) {
      gogo.run("train lake.yaml &");
      await().until(() -> gogo.printed().contains("run 1 writes to output/lake"));
      assertEquals(1, gogo.session().jobs().size());
      outcome.complete(new Outcome(3, false, Map.of("val/score/mean", 0.75)));
      await().until(() -> gogo.session().jobs().isEmpty());
      assertTrue(
          gogo.printed()
              .endsWith(
                  "run 1: finished 3 steps, val/score/mean 0.750, in output/lake"
                      + System.lineSeparator()),
          gogo.printed());
      assertEquals(List.of("load lake.yaml []", "check", "start"), calls);
    }
  }

  /** Without {@code &} or the option there is no job. */
  @Test
  void theOptionReturnsAtOnce() throws Exception {
    try (Gogo gogo = new Gogo(train(), "train")) {
      assertTrue(gogo.run("train lake.yaml --background").contains("run 1 writes to"));
      assertFalse(outcome.isDone());
    }
  }

  @Test
  void allRunsOfAFolderAreListed() throws Exception {
    List<RunQuery> asked = new ArrayList<>();
    Map<String, @Nullable Object> columns = new HashMap<>();
    columns.put("lr", "1e-3");
    columns.put("max(a/b)", 0.123456);
    columns.put("none", null);
    RunListing listing =
        (place, query) -> {
          assertEquals(Path.of("runs"), place);
          asked.add(query);
          return List.of(
              new ListedRun(
                  "lake",
                  "/elsewhere/lake",
                  "interrupted",
                  3,
                  9,
                  1L,
                  2L,
                  Map.of("rollout/score/mean", 0.25),
                  "too slow",
                  List.of("old", "bad"),
                  false,
                  columns));
        };
    try (Gogo gogo = new Gogo(new RunsCommand(new NotingTrainer(), listing), "runs")) {
      assertEquals(
          """
          name  state        step  score  lr    max(a/b)  none  tags     folder
          lake  interrupted  3/9   0.250  1e-3  0.1235    –     old bad  /elsewhere/lake\
          """,
          gogo.run(
              "runs --all runs --columns 'lr,max(a/b),none' --filter 'a>1 b=c'"
                  + " --sort='-max(a/b)'"));
      assertEquals(
          new RunQuery("a>1 b=c", "-max(a/b)", List.of("lr", "max(a/b)", "none"), false),
          asked.getLast());
      String json = gogo.run("runs --all runs --columns none --json --archived");
      assertTrue(json.contains("\"state\":\"interrupted\",\"step\":3"), json);
      assertTrue(json.contains("\"none\":null"), json);
      assertTrue(asked.getLast().archived());
      UserException alone = assertThrows(UserException.class, () -> gogo.run("runs --json"));
      assertTrue(alone.getMessage().startsWith("runs: --json needs --all <folder>"));
      assertThrows(UserException.class, () -> gogo.run("runs 1 --all runs"));
    }
  }

  @Test
  void runsAreListedAndTakeOrders() throws Exception {
    Trainer trainer = new NotingTrainer();
    try (Gogo gogo = new Gogo(new RunsCommand(trainer, null), "runs")) {
      assertEquals("no runs yet", gogo.run("runs"));
      runs.add(new NotingRun(1, calls, outcome));
      assertEquals(
          """
          run  name  state    step   phase    score  time
          1    lake  waiting  7/300  rollout  0.250  1m 05s\
          """,
          RunReport.list(trainer.runs()));
      String described = gogo.run("runs 1");
      assertTrue(described.contains("no service roll.env=maze"), described);
      assertTrue(described.contains("cpu 40%: tool 30%, weights 8%"), described);
      UserException none = assertThrows(UserException.class, () -> gogo.run("runs 2"));
      assertEquals("no run '2' (known: 1)", none.getMessage());
    }
    try (Gogo gogo = new Gogo(new PauseCommand(trainer), "pause")) {
      assertEquals(
          "run 1 pauses after the current step; resume it with `resume 1`", gogo.run("pause"));
    }
    try (Gogo gogo = new Gogo(new ResumeCommand(trainer), "resume")) {
      assertEquals("run 1 continues", gogo.run("resume 1"));
    }
    try (Gogo gogo = new Gogo(new SwapCommand(trainer), "swap")) {
      assertEquals(
          "notice: x: left out"
              + System.lineSeparator()
              + "run 1: estimator grpo → rloo from the next step on",
          gogo.run("swap estimator grpo rloo gamma=1"));
    }
    runs.add(new NotingRun(2, calls, outcome));
    try (Gogo gogo = new Gogo(new StopCommand(trainer), "stop")) {
      UserException which = assertThrows(UserException.class, () -> gogo.run("stop"));
      assertEquals("several runs are active: select one (1, 2)", which.getMessage());
      gogo.run("stop 2");
    }
    assertEquals(List.of("pause", "resume", "swap estimator grpo rloo [gamma=1]", "stop"), calls);
  }

  private TrainCommand train() {
    ConfigLoader loader = this::load;
    return new TrainCommand(loader, new NotingTrainer(), pages, null, null, null);
  }

  private LoadedConfig load(Path file, List<String> overrides) {
    calls.add("load " + file + " " + overrides);
    return new LoadedConfig(
        file,
        ExampleRunConfigs.small(Path.of("model"), 1),
        "exp_name: lake\n",
        List.of("save_hf_model does nothing"),
        Set.of(),
        new TreeMap<>(Map.of("mini_batch", 64L, "total_updates", 600L)));
  }

  private class NotingTrainer implements Trainer {
    @Override
    public List<String> check(LoadedConfig config) {
      calls.add("check");
      return List.of("lambd is not read");
    }

    @Override
    public TrainingRun start(LoadedConfig config) {
      calls.add("start");
      return new NotingRun(1, calls, outcome);
    }

    @Override
    public List<TrainingRun> runs() {
      return runs;
    }
  }
}
