package roll.core.step;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.core.plugin.PluginGuard;
import roll.core.report.PhaseTimer;
import roll.core.role.WorkerGroup;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RoleConfig.Position;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;

/**
 * Runs custom roles at their positions between two phases, in the order written, and checks that
 * their results can be trained on.
 *
 * @param phases times each of them as a phase of its name
 * @param metrics metrics of the step, added to
 * @param step number of the step
 */
record CustomRoles(
    RunConfig run, WorkerGroup workers, PhaseTimer phases, Map<String, Double> metrics, int step) {
  private static final String EDIT = "edit";

  /**
   * Runs the roles after the rollout on {@code played}.
   *
   * @throws UserException naming a role with an invalid result
   */
  List<Trajectory> edit(List<Trajectory> played) throws InterruptedException {
    List<Trajectory> trajectories = played;
    for (RoleConfig own : at(Position.ROLLOUT)) {
      List<Trajectory> given = ask(own, new Task.EditTrajectories(trajectories, step));
      check(guard(own), trajectories, given);
      trajectories = given;
    }
    return trajectories;
  }

  /**
   * Runs the custom roles at {@code place} on the batch {@code scored}.
   *
   * @throws UserException naming a role with an invalid result
   */
  Batch edit(Position place, Batch scored) throws InterruptedException {
    Batch batch = scored;
    for (RoleConfig own : at(place)) {
      Batch given = ask(own, new Task.EditBatch(batch, step));
      check(guard(own), batch, given);
      batch = given;
    }
    return batch;
  }

  private <R> R ask(RoleConfig own, Task<R> task) throws InterruptedException {
    try {
      return phases.run(own.role(), () -> workers.perform(own.role(), task, metrics));
    } catch (UserException e) {
      throw e;
    } catch (RuntimeException e) {
      throw guard(own).threw(EDIT, e);
    }
  }

  private PluginGuard guard(RoleConfig own) {
    return PluginGuard.of(own.role(), own.worker(), workers.bundle(own.role()));
  }

  private List<RoleConfig> at(Position place) {
    return run.extensions().roles().stream().filter(own -> own.after() == place).toList();
  }

  private static void check(PluginGuard own, List<Trajectory> asked, List<Trajectory> given) {
    Map<String, Trajectory> before = new HashMap<>();
    asked.forEach(trajectory -> before.put(trajectory.id(), trajectory));
    Set<String> seen = new HashSet<>();
    for (Trajectory trajectory : given) {
      String id = trajectory.id();
      Trajectory was = before.get(id);
      if (was == null || !seen.add(id)) {
        throw own.gave(
            EDIT, "trajectory " + id + (was == null ? ", which it was not asked" : " twice"));
      }
      if (!sameTokens(was.sequences(), trajectory.sequences())
          || was.rewards().length != trajectory.rewards().length) {
        throw own.gave(EDIT, "trajectory " + id + " with other tokens or turns");
      }
      if (!Arrays.stream(trajectory.rewards()).allMatch(Double::isFinite)) {
        throw own.gave(EDIT, "trajectory " + id + " with a reward that is not finite");
      }
    }
    if (given.stream().noneMatch(trajectory -> trajectory.written() > 0)) {
      throw own.gave(EDIT, "no trajectory to train on");
    }
  }

  private static boolean sameTokens(List<Sequence> before, List<Sequence> after) {
    return before.size() == after.size()
        && IntStream.range(0, before.size())
            .allMatch(
                i ->
                    Arrays.equals(before.get(i).tokens(), after.get(i).tokens())
                        && Arrays.equals(before.get(i).turns(), after.get(i).turns()));
  }

  private static void check(PluginGuard own, Batch asked, Batch given) {
    for (ColumnKey<?> key : asked.columns().cells().keySet()) {
      if (!given.columns().has(key)) {
        throw own.gave(EDIT, "a batch without the column " + key.name());
      }
    }
    if (!Arrays.stream(given.column(Batch.SCORES)).allMatch(Double::isFinite)) {
      throw own.gave(EDIT, "a score that is not finite");
    }
    if (IntStream.range(0, given.size()).noneMatch(t -> given.layout().mask()[t])) {
      throw own.gave(EDIT, "no sample to train on");
    }
  }
}
