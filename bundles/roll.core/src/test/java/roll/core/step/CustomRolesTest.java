package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.core.check.ByteTokenizer;
import roll.core.output.RunLog;
import roll.core.report.PhaseTimer;
import roll.core.report.RunProgress;
import roll.core.role.WorkerGroup;
import roll.runtime.config.Extensions;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RoleConfig.Position;
import roll.runtime.config.RunConfig;
import roll.runtime.trace.Tracer;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.WorkerRole;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Valid and invalid replies of custom roles. */
class CustomRolesTest {
  private final Path folder;
  private final Map<String, Double> metrics = new HashMap<>();

  CustomRolesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static Trajectory trajectory(int member, double reward) {
    Sequence sequence =
        new Sequence(
            new int[] {7, 8, 9},
            new int[] {-1, 0, 0},
            new double[] {0, -1, -2},
            new long[] {-1, 0, 0});
    return new Trajectory(
        new TrajectoryKey("Game", 0, 0, member, 3),
        List.of(sequence),
        new double[] {reward},
        new long[] {1},
        List.of(),
        Map.of(),
        "terminated");
  }

  private static final List<Trajectory> PLAYED = List.of(trajectory(0, 1), trajectory(1, 0.5));

  private static final Batch SCORED =
      Batch.of(new int[] {0, 2, 4}, new int[] {7, 8, 7, 9}, new int[] {-1, 0, -1, 0})
          .withColumn(Batch.SCORES, new double[] {1, 0.5})
          .withColumn(Batch.TAGS, List.of("Game", "Game"));

  private static WorkerRole trajectories(UnaryOperator<List<Trajectory>> edit) {
    return role(
        new TaskHandlers("mine")
            .at(
                Task.EditTrajectories.class,
                task -> new TaskReply<>(edit.apply(task.trajectories()), Map.of("mine", 1.0))));
  }

  private static WorkerRole batches(UnaryOperator<Batch> edit) {
    return role(
        new TaskHandlers("mine")
            .at(Task.EditBatch.class, task -> TaskReply.of(edit.apply(task.batch()))));
  }

  private static WorkerRole role(TaskHandlers handlers) {
    return context -> CompletableFuture.completedFuture(handlers.worker(() -> {}));
  }

  /** An operation on the roles of a run. */
  private interface Work<T> {
    T of(CustomRoles roles) throws InterruptedException;
  }

  /** The roles {@code workers}, in order, at {@code place}. */
  private <T> T run(Position place, Work<T> work, WorkerRole... workers) throws Exception {
    InMemoryPluginRegistry shelf = new InMemoryPluginRegistry();
    List<RoleConfig> roles = new java.util.ArrayList<>();
    Set<String> names = new java.util.LinkedHashSet<>();
    for (WorkerRole worker : workers) {
      String name = "role" + roles.size();
      shelf.with("roll.worker", name, worker);
      roles.add(new RoleConfig(name, name, place, Map.of()));
      names.add("roles." + name);
    }
    RunConfig config =
        ExampleRunConfigs.with(
            ExampleRunConfigs.small(folder, 1), new Extensions(List.of(), roles));
    try (RunLog log = new RunLog(folder);
        WorkerGroup group =
            WorkerGroup.open(names, () -> config, shelf, null, model -> new ByteTokenizer())) {
      PhaseTimer phases = new PhaseTimer(metrics, log, new RunProgress(3), Tracer.NONE);
      return work.of(new CustomRoles(config, group, phases, metrics, 0));
    }
  }

  private List<Trajectory> edited(WorkerRole... workers) throws Exception {
    return run(Position.ROLLOUT, roles -> roles.edit(PLAYED), workers);
  }

  private String refused(UnaryOperator<List<Trajectory>> edit) {
    return message(() -> edited(trajectories(edit)));
  }

  private String refusedBatch(UnaryOperator<Batch> edit) {
    return message(
        () ->
            run(
                Position.LOG_PROBS,
                roles -> roles.edit(Position.LOG_PROBS, SCORED),
                batches(edit)));
  }

  private static String message(org.junit.jupiter.api.function.Executable work) {
    return userError(work).replace("'role0' (shelf 1.0.0)", "it");
  }

  @Test
  void rolesWorkOneAfterTheOtherAtTheirPlace() throws Exception {
    WorkerRole doubles =
        trajectories(
            all ->
                all.stream()
                    .map(t -> t.withRewards(new double[] {2 * t.rewards()[0]}, t.metrics()))
                    .toList());
    WorkerRole last = trajectories(all -> all.subList(1, 2));
    List<Trajectory> given = edited(doubles, last, doubles);
    assertEquals(1, given.size());
    assertEquals(PLAYED.get(1).id(), given.getFirst().id());
    assertArrayEquals(new double[] {2}, given.getFirst().rewards());
    assertEquals(1, metrics.get("mine"));
    assertTrue(metrics.containsKey("time/step_roles.role1"), metrics::toString);
    assertTrue(metrics.containsKey("time/roles.role1/edit/total"), metrics::toString);
    Batch batch =
        run(
            Position.LOG_PROBS,
            roles -> roles.edit(Position.ADVANTAGES, roles.edit(Position.LOG_PROBS, SCORED)),
            batches(asked -> asked.select(new int[] {1})));
    assertArrayEquals(new double[] {0.5}, batch.column(Batch.SCORES));
  }

  @Test
  void whatCannotBeTrainedOnIsRefused() {
    assertEquals("roles.role0 it: edit gave no trajectory to train on", refused(all -> List.of()));
    assertEquals(
        "roles.role0 it: edit gave trajectory Game_0_0_3_2, which it was not asked",
        refused(all -> List.of(trajectory(2, 1))));
    assertEquals(
        "roles.role0 it: edit gave trajectory Game_0_0_3_0 twice",
        refused(all -> List.of(PLAYED.get(0), PLAYED.get(0))));
    assertEquals(
        "roles.role0 it: edit gave trajectory Game_0_0_3_0 with a reward that is not finite",
        refused(all -> List.of(trajectory(0, Double.NaN))));
    assertEquals(
        "roles.role0 it: edit gave trajectory Game_0_0_3_0 with other tokens or turns",
        refused(all -> List.of(all.getFirst().withRewards(new double[] {1, 2}, Map.of()))));
    assertEquals(
        "roles.role0 it: edit threw java.lang.IllegalStateException: lost",
        refused(
            all -> {
              throw new IllegalStateException("lost");
            }));
    assertEquals(
        "roles.role0 it: edit gave a batch without the column tags",
        refusedBatch(
            batch ->
                new Batch(batch.layout(), batch.tokens(), batch.columns().only(List.of()))
                    .withColumn(Batch.SCORES, new double[] {1, 1})));
    assertEquals(
        "roles.role0 it: edit gave a score that is not finite",
        refusedBatch(batch -> batch.withColumn(Batch.SCORES, new double[] {1, Double.NaN})));
    assertEquals(
        "roles.role0 it: edit gave no sample to train on",
        refusedBatch(batch -> batch.keeping(new boolean[4])));
  }

  @Test
  void aWorkerWithoutTheHandlerIsRefusedWhenItIsOpened() {
    assertEquals(
        "roles.role0: shelf 1.0.0 has no handler for EditBatch, which this role is asked",
        message(() -> run(Position.ADVANTAGES, roles -> roles, trajectories(all -> all))));
    assertEquals(
        "roles.role0: shelf 1.0.0 has no handler for EditTrajectories, which this role is asked",
        message(() -> run(Position.ROLLOUT, roles -> roles, batches(batch -> batch))));
  }
}
