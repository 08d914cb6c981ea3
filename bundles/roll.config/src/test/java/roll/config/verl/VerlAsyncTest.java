package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** verl's trainers whose rollouts have devices of their own are asynchronous runs. */
class VerlAsyncTest {
  private final VerlFiles verl;

  VerlAsyncTest(@TempDir Path folder) {
    verl = new VerlFiles(folder);
  }

  @Test
  void oneStepOffIsOneStepAhead() {
    RunConfig run = verl.run("trainer.n_gpus_per_node=2", "+rollout.n_gpus_per_node=1");
    assertEquals(1.0, run.schedule().asyncRatio());
    assertEquals(List.of(0, 1), run.roles().actorTrain().devices());
    assertEquals(List.of(2), run.roles().actorInfer().devices());
    assertEquals(16, run.schedule().rolloutBatchSize(), "8 questions, 2 samples of each");
  }

  @Test
  void rolloutsMayHaveNodesOfTheirOwn() {
    RunConfig run = verl.run("+rollout.nnodes=2", "+rollout.n_gpus_per_node=1");
    assertEquals(List.of(0), run.roles().actorTrain().devices());
    assertEquals(List.of(1, 2), run.roles().actorInfer().devices());
  }

  /** A step is 3 mini-batches of 4 questions, 4 steps are between two of verl's versions. */
  @Test
  void fullyAsyncStepsAreMiniBatches() {
    LoadedConfig loaded =
        verl.load(
            "data.train_batch_size=0",
            "+data.gen_batch_size=1",
            "trainer.total_training_steps=null",
            "trainer.save_freq=2",
            "+rollout.n_gpus_per_node=1",
            "+rollout.total_rollout_steps=125",
            "+async_training.staleness_threshold=0.5",
            "+async_training.trigger_parameter_sync_step=4",
            "+async_training.require_batches=3",
            "+async_training.partial_rollout=False",
            "+actor_rollout_ref.actor.optim.lr_decay_steps=51200",
            "+actor_rollout_ref.model.override_config.max_position_embeddings=32768");
    RunConfig run = loaded.run();
    assertEquals(24, run.schedule().rolloutBatchSize(), "3 × 4 questions, 2 samples of each");
    assertEquals(10, run.schedule().maxSteps(), "125 questions are 10 steps of 12");
    assertEquals(5.0, run.schedule().asyncRatio(), "1.5 × 4 − 1");
    assertEquals(8, run.schedule().checkpoints().saveSteps());
    assertEquals(List.of(1), run.roles().actorInfer().devices());
    assertTrue(
        loaded.notices().stream()
            .anyMatch(
                line ->
                    line.contains(
                        "rollouts run up to (1 + async_training.staleness_threshold) ×"
                            + " async_training.trigger_parameter_sync_step − 1 = 5.0 steps ahead")),
        () -> String.join("\n", loaded.notices()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "+async_training.use_dynamic_resource_scheduling=True | 'async_training.use_dynamic_"
            + "resource_scheduling' is not supported: device_mapping is fixed for a run",
        "+async_training.require_batches=2147483647 | run.yaml: batch sizes, passes or steps"
            + " come to more than 2147483647",
        "+rollout.nnodes=2 | rollout.nnodes: expected trainer.nnodes, 1, or as many devices of each"
            + " node as trainer.n_gpus_per_node, found '2'",
        "+actor_rollout_ref.model.override_config.vocab_size=9 | actor_rollout_ref.model.override_"
            + "config: expected max_position_embeddings, attn_implementation: the config is that of"
            + " the model folder, found 'vocab_size'",
        "actor_rollout_ref.actor.optim={lr_decay_steps: 9, lr_decay_style: cosine} | actor_rollout_"
            + "ref.actor.optim.lr_decay_steps: expected none: the schedule is as long as the run,"
            + " found '9'",
        "data.train_batch_size=0 | data.train_batch_size: expected at least 1, found '0'",
      })
  void theRestIsRefused(String override, String complaint) {
    String found = verl.complaint(override);
    assertTrue(found.endsWith(complaint), found);
  }
}
