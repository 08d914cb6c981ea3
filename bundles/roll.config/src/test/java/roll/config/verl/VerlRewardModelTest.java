package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.RewardConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RunConfig;

/**
 * Options of verl's scripts with a reward model (examples/ppo_trainer/run_qwen2-7b_rm_legacy.sh).
 */
@NullMarked
class VerlRewardModelTest {
  private final VerlFiles verl;

  VerlRewardModelTest(@TempDir Path folder) {
    this.verl = new VerlFiles(folder);
  }

  private LoadedConfig load(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.train_files=f",
                "data.return_raw_chat=True",
                "reward_model.enable=True",
                "reward_model.model.path=model",
                "reward_model.use_reward_loop=False",
                "reward_model.model.use_remove_padding=True",
                "reward_model.model.fsdp_config.param_offload=True",
                "reward_model.micro_batch_size_per_gpu=32"));
    all.addAll(List.of(more));
    return verl.load(all.toArray(String[]::new));
  }

  private static RewardModelConfig model(RunConfig run) {
    return Objects.requireNonNull(run.roles().rewardModels().get("rm"));
  }

  private static List<RewardConfig> rewards(RunConfig run) {
    return Objects.requireNonNull(run.rollout().customEnvs().get("Dataset")).rewards();
  }

  @Test
  void itsScoreIsTheReward() {
    RunConfig run = load("trainer.n_gpus_per_node=2").run();
    WorkerConfig worker = model(run).worker();
    assertTrue(model(run).scores());
    assertEquals("hf_infer", worker.strategy());
    assertEquals("native", worker.template());
    assertEquals(List.of(0, 1), worker.devices());
    assertEquals(32, worker.inferBatchSize());
    assertEquals(Dtype.BF16, worker.model().dtype());
    assertEquals(128, model(run).sequenceLength());
    assertEquals(List.of(new RewardConfig("model", 1, Map.of("model", "rm"))), rewards(run));
  }

  @Test
  void lengthAndBatchesAreOurs() {
    RunConfig run =
        load(
                "reward_model.max_length=64",
                "reward_model.use_dynamic_bsz=True",
                "reward_model.forward_max_token_len_per_gpu=500")
            .run();
    assertEquals(64, model(run).sequenceLength());
    assertEquals(500, model(run).worker().budgets().infer());
  }

  @Test
  void whatHasNoEffectIsSaid() {
    List<String> notices =
        load(
                "custom_reward_function.path=reward.py",
                "reward_model.model.input_tokenizer=model",
                "reward_model.rollout.name=vllm")
            .notices();
    for (String line :
        List.of(
            "key 'custom_reward_function.path' has no effect here: with reward_model.enable the"
                + " model's score is the whole reward",
            "key 'reward_model.model.input_tokenizer' has no effect here: a conversation is text,"
                + " rendered in the reward model's own chat template",
            "key 'reward_model.rollout' has no effect here: no engine serves a reward model that"
                + " scores, and a conversation is as long as reward_model.max_length or the run"
                + " allows")) {
      assertTrue(notices.contains(line), () -> line + " is not among " + notices);
    }
  }

  /** The function asks the model over verl's router, which is not here. */
  @Test
  void aFunctionThatAsksTheModelIsRefused() {
    assertEquals(
        "override 'reward.custom_reward_function.path=reward.py':"
            + " reward.custom_reward_function.path: not together with reward.reward_model.enable:"
            + " in verl the function asks the model, over a server that is not here; a reward of"
            + " either alone is read",
        verl.complaint(
            "data.train_files=f",
            "reward.reward_model.enable=True",
            "reward.reward_model.model_path=model",
            "reward.custom_reward_function.path=reward.py"));
  }

  @Test
  void withoutItThereIsNone() {
    LoadedConfig loaded = verl.load("data.train_files=f", "reward_model.model.path=model");
    assertEquals(Map.of(), loaded.run().roles().rewardModels());
    assertFalse(rewards(loaded.run()).stream().anyMatch(r -> r.reward().equals("model")));
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'reward_model.model.path' has no effect here: reward_model.enable is false"));
  }
}
