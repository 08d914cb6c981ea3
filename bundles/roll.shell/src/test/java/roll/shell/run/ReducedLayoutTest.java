package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.OptimizerName;
import roll.api.config.SchedulerArgs;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.runtime.config.DevicesConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;

class ReducedLayoutTest {
  /**
   * A run on {@code nodes} nodes of two devices; an optimizer step is {@code accumulation} each.
   */
  private static RunConfig run(int nodes, int replicas, int accumulation, int inferDevices) {
    RunConfig small = ExampleRunConfigs.small(Path.of("folder"), 1);
    ModelRoles was = small.roles();
    ModelRoles roles =
        new ModelRoles(
            was.pretrain(),
            on(2 * nodes, replicas, accumulation, was.actorTrain()),
            on(inferDevices, 1, 1, was.actorInfer()),
            null,
            null,
            Map.of());
    return new RunConfig(
        small.expName(),
        small.seed(),
        small.outputDir(),
        small.schedule(),
        small.sequenceLength(),
        new DevicesConfig(2 * nodes, 0, false, nodes),
        small.algorithm(),
        roles,
        small.rollout(),
        small.tracking(),
        small.extensions());
  }

  private static WorkerConfig on(int devices, int replicas, int accumulation, WorkerConfig worker) {
    TrainingConfig training =
        new TrainingConfig(
            1e-3,
            0,
            0.9,
            0.999,
            2,
            accumulation,
            replicas,
            "constant",
            0,
            10,
            SchedulerArgs.STANDARD,
            OptimizerName.ADAMW);
    return new WorkerConfig(
        worker.role(),
        worker.model(),
        worker.template(),
        worker.strategy(),
        worker.strategyOptions(),
        training,
        IntStream.range(0, devices).boxed().toList(),
        worker.inferBatchSize());
  }

  @Test
  void ranksThatAreLeftTakeTheOthersShare() {
    assertEquals(
        List.of(
            "num_nodes=1",
            "actor_train.device_mapping=[0, 1]",
            "actor_train.training_args.gradient_accumulation_steps=6",
            "actor_infer.device_mapping=[0, 1]"),
        ReducedLayout.overrides(run(2, 4, 3, 4), 1));
  }

  @Test
  void rolesThatLoseNothingStayAsTheyAre() {
    assertEquals(
        List.of(
            "num_nodes=2",
            "actor_train.device_mapping=[0, 1, 2, 3]",
            "actor_train.training_args.gradient_accumulation_steps=3"),
        ReducedLayout.overrides(run(3, 6, 2, 2), 2));
  }

  @Test
  void copiesOfSeveralDevicesStayWhole() {
    assertEquals(
        "actor_train.training_args.gradient_accumulation_steps=2",
        ReducedLayout.overrides(run(2, 2, 1, 1), 1).get(2));
    assertEquals(
        "actor_train: a replica of the model needs 4 devices, 2 are left",
        assertThrows(UserException.class, () -> ReducedLayout.overrides(run(2, 1, 1, 1), 1))
            .getMessage());
  }

  @Test
  void aStepThatDoesNotDivideIsRefused() {
    assertEquals(
        "actor_train: 6 micro-batches per step cannot be divided among 4 remaining replicas",
        assertThrows(UserException.class, () -> ReducedLayout.overrides(run(3, 6, 1, 1), 2))
            .getMessage());
  }
}
