package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.CheckpointConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;
import roll.runtime.config.ValidationConfig;

/** The typed configuration of single keys. */
class TypedValuesTest extends SmallConfigFixture {
  /** A critic exists with adv_estimator gae only, as in ROLL. */
  @ParameterizedTest
  @CsvSource({"copy, 2", "delete, 1", "auto, 1", "random_sample, 1"})
  void aRolloutThatDoesNotFillTheOptimizerBatchIsNoticed(String mode, long updates) {
    LoadedConfig loaded =
        load(
            "actor_train.training_args.per_device_train_batch_size=5",
            "max_steps=5",
            "batch_adjust_mode=" + mode);
    assertEquals(updates, loaded.derived().get("updates_per_step"));
    assertEquals(
        List.of(
            "rollout_batch_size 8 is no multiple of per_device_train_batch_size ×"
                + " gradient_accumulation_steps × replicas = 5 × 1 × 1 = 5: batch_adjust_mode "
                + mode
                + " decides what happens to the last 3"),
        loaded.notices());
    assertEquals(mode.toUpperCase(Locale.ROOT), loaded.run().algorithm().adjustment().toString());
  }

  @Test
  void trackersAndTheirOptions() {
    RunConfig one = run("track_with=tensorboard", "tracker_kwargs={log_dir: x}");
    assertEquals(List.of("tensorboard"), one.tracking().trackers());
    assertEquals(Map.of("tensorboard", Map.of("log_dir", "x")), one.tracking().options());

    RunConfig two = run("track_with=[stdout, jsonl]", "tracker_kwargs.console.color=true");
    assertEquals(List.of("console", "jsonl"), two.tracking().trackers());
    assertEquals(Map.of("console", Map.of("color", true)), two.tracking().options());
    assertEquals(List.of(), run("track_with=[]").tracking().trackers());
  }

  @Test
  void schedulesAndResuming() {
    assertEquals(
        new ScheduleConfig(
            10,
            new CheckpointConfig(5, 2, false, true, null),
            0,
            new ValidationConfig(0, false, -1),
            3,
            8,
            0),
        run(
                "save_steps=5",
                "max_ckpt_to_keep=2",
                "async_save_ckpt=false",
                "logging_steps=0",
                "eval_steps=-1",
                "val_batch_size=-1",
                "resume_from_checkpoint=true")
            .schedule());
    ScheduleConfig named = run("resume_from_checkpoint=" + folder).schedule();
    assertTrue(named.checkpoints().resume());
    assertEquals(folder, named.checkpoints().resumeFrom());
  }

  @Test
  void rolloutsMayBeWrittenOrRead() {
    assertNull(run().rollout().mock());
    assertEquals(
        new RolloutMockConfig(
            RolloutMockConfig.Mode.DUMP,
            Path.of("rollout_mock_dumps").toAbsolutePath().normalize()),
        run("rollout_mock.enable=true").rollout().mock());
    assertEquals(
        new RolloutMockConfig(RolloutMockConfig.Mode.MOCK, folder.resolve("dumps")),
        run("rollout_mock={enable: true, mode: mock, dump_dir: " + folder + "/x/../dumps}")
            .rollout()
            .mock());
    LoadedConfig off = load("rollout_mock={enable: false, mode: mock}");
    assertNull(off.run().rollout().mock());
    assertEquals(
        List.of("key 'rollout_mock' has no effect here: rollout_mock.enable is false"),
        off.notices());
  }

  @Test
  void lengthsAddUp() {
    assertEquals(1536, run("sequence_length=~", "response_length=512").sequenceLength());
    LoadedConfig both = load("response_length=512");
    assertEquals(128, both.run().sequenceLength());
    assertEquals(
        List.of("key 'response_length' has no effect here: sequence_length is given"),
        both.notices());
  }

  @Test
  void derivedNumbersAreThoseOfTheClickAndReadRun() {
    LoadedConfig loaded =
        load(
            "max_steps=1024",
            "rollout_batch_size=512",
            "val_batch_size=512",
            "train_env_manager.num_env_groups=64",
            "train_env_manager.group_size=8",
            "actor_train.device_mapping=list(range(0,8))",
            "actor_train.training_args.per_device_train_batch_size=2",
            "actor_train.training_args.gradient_accumulation_steps=16");
    assertEquals(
        "{train_env_groups=64, train_envs=512, episodes_per_train_env=1, val_env_groups=512,"
            + " mini_batch=16, effective_batch=256, samples_sharing_a_prompt=4, updates_per_step=2,"
            + " total_updates=2048, total_trajectories=524288, evaluations=104,"
            + " total_eval_trajectories=53248, checkpoints=21, actor_train_replicas=8}",
        loaded.derived().toString());
  }
}
