package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.dataset.DataSetReader;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.ScheduleConfig;

/** The steps at which a run validates, saves and ends; epochs of a data set. */
class ScheduleTest extends SmallConfigFixture {
  private static final String QUESTIONS =
      ConfigFiles.SMALL
          .replace("max_steps: 10\n", "")
          .replace("env_config: {size: 4}", "env_config: {train_files: [a, b], val_files: v}");

  private LoadedConfig counted(String text, String... overrides) {
    ConfigFiles files = files();
    files.write("a", "1\n2\n3\n4\n5\n");
    files.write("b", "6\n7\n");
    files.write("v", "1\n2\n3\n");
    return new YamlConfigLoader(Map.<String, String>of()::get, ConfigFiles.LINES)
        .load(files.write("run.yaml", text), List.of(overrides));
  }

  private ScheduleConfig schedule(String... overrides) {
    return run(overrides).schedule();
  }

  @Test
  void theFirstValidationMayBeLeftOutOrBeTheOnlyOne() {
    assertTrue(schedule().validation().beforeTrain());
    assertFalse(schedule("eval_steps=0").validation().beforeTrain());
    ScheduleConfig later = schedule("eval_steps=5", "val_before_train=false");
    assertFalse(later.validatesAfter(0));
    assertTrue(later.validatesAfter(5));
    ScheduleConfig only = schedule("eval_steps=-1", "val_before_train=true");
    assertTrue(only.validatesAfter(0));
    assertFalse(only.validatesAfter(10));
  }

  /**
   * The evaluations before steps and the one after the last step, which follows if there are
   * others.
   */
  @Test
  void asManyEvaluationsAreToldAsARunMakes() {
    assertEquals(3, evaluations("eval_steps=5")); // after 0, 5 and 10 steps
    assertEquals(2, evaluations("eval_steps=5", "val_before_train=false"));
    assertEquals(5, evaluations("eval_steps=3")); // after 0, 3, 6, 9 and 10 steps
    assertEquals(2, evaluations("eval_steps=99"));
    assertEquals(1, evaluations("eval_steps=-1", "val_before_train=true"));
    assertEquals(0, evaluations("eval_steps=0"));
  }

  private long evaluations(String... overrides) {
    return derived("evaluations", overrides);
  }

  private long derived(String name, String... overrides) {
    return Objects.requireNonNull(load(overrides).derived().get(name));
  }

  /** 8 episodes of 5 turns in batches of 4; each turn is a sample where the manager says so. */
  @Test
  void updatesAreToldAsRangesWhereAnEpisodeIsSeveralSamples() {
    assertEquals(2, derived("updates_per_step"));
    assertEquals(20, derived("total_updates"));
    for (String manager : List.of("step", "step_concat", "agent_native_step")) {
      String chosen = "custom_envs.FrozenLake.env_manager_cls=" + manager;
      assertEquals(2, derived("updates_per_step_least", chosen));
      assertEquals(10, derived("updates_per_step_most", chosen));
      assertEquals(20, derived("total_updates_least", chosen));
      assertEquals(300, derived("total_updates_most", chosen, "ppo_epochs=3"));
      var all = load(chosen).derived();
      assertFalse(all.containsKey("updates_per_step") || all.containsKey("total_updates"));
    }
  }

  /** Optimizer steps of half of the rollout have half of each group. */
  @Test
  void samplesThatShareAPromptAreCounted() {
    String group = "train_env_manager.group_size=4";
    String groups = "train_env_manager.num_env_groups=2";
    assertEquals(2, derived("samples_sharing_a_prompt", group, groups));
    String whole = "actor_train.training_args.gradient_accumulation_steps=8";
    assertEquals(4, derived("samples_sharing_a_prompt", group, groups, whole));
    var without = load("actor_train.sequence_sharing=false").derived();
    assertFalse(without.containsKey("samples_sharing_a_prompt"));
  }

  /** 4 in each evaluation. */
  @Test
  void episodesOfAllEvaluationsAreCounted() {
    assertEquals(3 * 4, derived("total_eval_trajectories", "eval_steps=5"));
    assertEquals(0, derived("total_eval_trajectories", "eval_steps=0", "val_batch_size=-1"));
  }

  /** After 4, 8 and 10 steps; after 5 and 10. */
  @Test
  void asManyCheckpointsAreToldAsARunWrites() {
    assertEquals(3, derived("checkpoints", "save_steps=4"));
    assertEquals(2, derived("checkpoints", "save_steps=5"));
    assertEquals(1, derived("checkpoints", "save_steps=99"));
    assertEquals(0, derived("checkpoints", "save_steps=-1"));
  }

  /** The number of copies of a role is its number of devices divided by that of a copy. */
  @Test
  void copiesOfARoleAreItsDevicesByThoseOfACopy() {
    String engine =
        "actor_infer={device_mapping: 'list(range(0,8))', strategy_args: {strategy_name: vllm,"
            + " strategy_config: {tensor_parallel_size: %d}}}";
    assertEquals(8, derived("actor_infer_replicas", "num_gpus_per_node=8", engine.formatted(1)));
    assertEquals(4, derived("actor_infer_replicas", "num_gpus_per_node=8", engine.formatted(2)));
    assertFalse(load().derived().containsKey("actor_infer_replicas"), "it has the whole machine");
  }

  @Test
  void checkpointsAreSavedEverySoManyStepsAndAfterTheLastOrNever() {
    ScheduleConfig four = schedule("save_steps=4");
    assertEquals(List.of(4, 8, 10), saves(four));
    for (String never : List.of("save_steps=0", "save_steps=-1")) {
      assertEquals(List.of(), saves(schedule(never)));
    }
  }

  private static List<Integer> saves(ScheduleConfig schedule) {
    List<Integer> steps = new ArrayList<>();
    for (int done = 1; done <= 10; done++) {
      if (schedule.savesAfter(done)) {
        steps.add(done);
      }
    }
    return steps;
  }

  @Test
  void autoGoesOnWhereThereIsACheckpoint() {
    ScheduleConfig auto = schedule("resume_from_checkpoint=auto");
    assertTrue(auto.checkpoints().resume());
    assertNull(auto.checkpoints().resumeFrom());
    LoadedConfig rollout =
        new YamlConfigLoader(Map.<String, String>of()::get)
            .loadForRollout(
                files().write("run.yaml", ConfigFiles.SMALL),
                List.of("resume_from_checkpoint=auto"));
    assertFalse(rollout.run().schedule().checkpoints().resume(), "a rollout has no checkpoints");
  }

  /** 7 questions, 2 a step: 3 whole steps an epoch. */
  @Test
  void epochsAndStepsWhicheverEndFirst() {
    assertEquals(6, counted(QUESTIONS, "num_train_epochs=2").run().schedule().maxSteps());
    assertEquals(
        5, counted(QUESTIONS, "num_train_epochs=2", "max_steps=5").run().schedule().maxSteps());
    assertEquals(
        6, counted(QUESTIONS, "num_train_epochs=2", "max_steps=9").run().schedule().maxSteps());
    LoadedConfig loaded = counted(QUESTIONS, "num_train_epochs=2");
    assertEquals(loaded.run(), files().load(loaded.effectiveYaml()).run());
  }

  @Test
  void aValidationOnAllQuestionsIsAsLargeAsTheFile() {
    LoadedConfig whole = counted(QUESTIONS, "val_batch_size=-1", "val_env_manager.group_size=2");
    assertEquals(6, whole.run().schedule().validation().batchSize());
    assertEquals(List.of(3), whole.run().rollout().valEnvs().groupsByTag());
    LoadedConfig more = counted(QUESTIONS, "val_batch_size=50");
    assertEquals(3, more.run().schedule().validation().batchSize());
    assertEquals(
        List.of("val_batch_size is 3: val_files has no more than that, 50 were asked for"),
        more.notices());
  }

  /** A plan needs no data; the environment refuses its files when it is configured. */
  @Test
  void filesThatCannotBeReadMatterOnlyWhereTheyAreCounted() {
    DataSetReader none =
        _ -> {
          throw new UserException("no.jsonl: there is no such file");
        };
    YamlConfigLoader loader = new YamlConfigLoader(Map.<String, String>of()::get, none);
    Path file = files().write("run.yaml", QUESTIONS);
    assertEquals(
        50,
        loader.load(file, List.of("val_batch_size=50")).run().schedule().validation().batchSize());
    String files = "custom_envs.FrozenLake.env_config.val_files";
    assertEquals(
        "override '%1$s=[no.jsonl]': %1$s: no.jsonl: there is no such file".formatted(files),
        userError(() -> loader.load(file, List.of("val_batch_size=-1", files + "=[no.jsonl]"))));
  }

  @Test
  void whatCannotBeCountedIsRefused() {
    ConfigFiles files = files();
    assertEquals(
        "override 'num_train_epochs=2': num_train_epochs: no environment that is trained on has"
            + " train_files to count",
        files.complaint(ConfigFiles.SMALL, "num_train_epochs=2"));
    assertEquals(
        "override 'num_train_epochs=2': num_train_epochs: what counts the rows of train_files is"
            + " not here: it takes a bundle that reads data sets, such as roll.dataset",
        files.complaint(QUESTIONS, "num_train_epochs=2"));
    assertEquals(
        "override 'num_train_epochs=2': num_train_epochs: train_files has 7 rows, fewer than the 8"
            + " questions of a step (rollout_batch_size / group_size = 32 / 4)",
        userError(() -> counted(QUESTIONS, "num_train_epochs=2", "rollout_batch_size=32")));
  }
}
