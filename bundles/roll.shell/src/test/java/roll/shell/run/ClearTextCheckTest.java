package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.runtime.config.DevicesConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestOptions;

class ClearTextCheckTest {
  private static final String FAR = "192.0.2.5:7800";

  /** A run on two nodes of two devices, all of them trained on by {@code strategy}. */
  private static RunConfig run(String strategy, int devices, Map<String, Object> options) {
    RunConfig small = ExampleRunConfigs.small(Path.of("folder"), 1);
    ModelRoles was = small.roles();
    ModelRoles roles =
        new ModelRoles(
            was.pretrain(),
            on(strategy, devices, options, was.actorTrain()),
            on("vllm", 4, Map.of(), was.actorInfer()),
            null,
            null,
            Map.of());
    return new RunConfig(
        small.expName(),
        small.seed(),
        small.outputDir(),
        small.schedule(),
        small.sequenceLength(),
        new DevicesConfig(4, 0, false, 2),
        small.algorithm(),
        roles,
        small.rollout(),
        small.tracking(),
        small.extensions());
  }

  private static WorkerConfig on(
      String strategy, int devices, Map<String, Object> options, WorkerConfig worker) {
    return new WorkerConfig(
        worker.role(),
        worker.model(),
        worker.template(),
        strategy,
        TestOptions.strategy("actor_train", options),
        worker.training(),
        IntStream.range(0, devices).boxed().toList(),
        worker.inferBatchSize());
  }

  @Test
  void ranksBeyondThisMachineMustAskForClearText() {
    for (String strategy : List.of("deepspeed_train", "fsdp2_train", "megatron_train")) {
      UserException refused =
          assertThrows(
              UserException.class,
              () -> ClearTextCheck.require(run(strategy, 4, Map.of()), FAR, null, null));
      assertEquals(
          "actor_train.strategy_args.strategy_config.plain_collectives: missing: device 2 is on"
              + " node 1, and ranks communicate in clear text; true allows this for the role,"
              + " --plain for all roles",
          refused.getMessage());
    }
  }

  @Test
  void whoAsksForItOrStaysHereMay() {
    Map<String, Object> asked = Map.of("plain_collectives", true);
    assertDoesNotThrow(
        () -> ClearTextCheck.require(run("deepspeed_train", 4, asked), FAR, null, null));
    assertDoesNotThrow(
        () -> ClearTextCheck.require(run("deepspeed_train", 2, Map.of()), FAR, null, null));
    assertDoesNotThrow(
        () -> ClearTextCheck.require(run("local_train", 4, Map.of()), FAR, null, null));
    for (String here : List.of("127.0.0.1", "127.0.0.1:7900", "[::1]:7900", "localhost")) {
      assertDoesNotThrow(
          () -> ClearTextCheck.require(run("deepspeed_train", 4, Map.of()), here, null, null));
    }
  }

  /** Configurations that the collectives accept are not refused. */
  @Test
  void thePropertyOfTheCollectivesAllowsItForAll() {
    RunConfig run = run("deepspeed_train", 4, Map.of());
    assertDoesNotThrow(() -> ClearTextCheck.require(run, FAR, null, "allowed"));
    assertThrows(UserException.class, () -> ClearTextCheck.require(run, FAR, null, "true"));
  }
}
