package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.RewardConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RunConfig;

/** Models that judge and devices that roles share in files of ROLL's RLVR pipeline. */
class RollRlvrRolesTest {
  private static final String JUDGED =
      RollRlvrTest.RLVR
              .replace(
                  "roll.pipeline.rlvr.rewards.math_rule_reward_worker.MathRuleRewardWorker",
                  "a.LLMJudgeRewardWorker\n    judge_model_type: cluster\n"
                      + "    judge_prompt: Qwen2.5-7B-Instruct-RLVR-prompt")
              .replace("{math_rule: 1.0}", "{math_rule: 0.5, other: 0.5}")
          + """
            other:
              worker_cls: a.LLMJudgeRewardWorker
              judge_model_type: cluster
              judge_prompt: Qwen2.5-7B-Instruct-RLVR-prompt
              tag_included: [RLVR]
          reward_model:
            name: reward_llm
            worker_cls: roll.pipeline.base_worker.InferWorker
            model_args: {model_name_or_path: model}
            generating_args: {max_new_tokens: 64, temperature: 0.3, num_return_sequences: 1}
            data_args: {template: native}
            strategy_args: {strategy_name: hf_infer, strategy_config: null}
            infer_batch_size: 4
          """;

  private final ConfigFiles files;

  RollRlvrRolesTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  @Test
  void severalWorkersAskOneModel() {
    RunConfig run = files.load(JUDGED).run();
    assertEquals(List.of("reward_model"), List.copyOf(run.roles().rewardModels().keySet()));
    RewardModelConfig judge =
        Objects.requireNonNull(run.roles().rewardModels().get("reward_model"));
    assertEquals(1324, judge.sequenceLength());
    for (String domain : List.of("math_rule", "other")) {
      RewardConfig reward =
          Objects.requireNonNull(run.rollout().customEnvs().get(domain)).rewards().getFirst();
      assertEquals("llm_judge", reward.reward());
      assertEquals("reward_model", reward.options().get("model"));
    }
    String without = JUDGED.substring(0, JUDGED.indexOf("reward_model:\n"));
    assertTrue(
        files
            .complaint(without)
            .contains("reward_model: model_args are missing: they name the model that judges"),
        files.complaint(without));
  }

  @Test
  void aModelThatNoWorkerAsksIsIdle() {
    assertTrue(
        files.load(RollRlvrTest.RLVR + "reward_model: {name: x}\n").notices().stream()
            .anyMatch(
                line ->
                    line.equals(
                        "key 'reward_model' has no effect here: no worker that is read asks it")));
  }

  /** ROLL scores on devices of two nodes, of which one trains. */
  @Test
  void aReferenceThatOverlapsTakesTurns() {
    String text =
        RollRlvrTest.RLVR
                .replace("actor_train:\n", "actor_train:\n  device_mapping: list(range(0,4))\n")
                .replace("actor_infer:\n", "actor_infer:\n  device_mapping: list(range(0,4))\n")
                .replace("gradient_accumulation_steps: 32", "gradient_accumulation_steps: 8")
            + """
            use_kl_loss: true
            reference: {device_mapping: "list(range(0,8))"}
            num_gpus_per_node: 4
            """;
    LoadedConfig loaded = files.load(text);
    assertEquals(
        List.of(0, 1, 2, 3), Objects.requireNonNull(loaded.run().roles().reference()).devices());
    assertTrue(
        loaded
            .notices()
            .contains(
                "reference.device_mapping is that of actor_train: the roles take turns on it"));
  }
}
