package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;

/** A file of ROLL's RLVR pipeline with two domains is trained. */
@Tag("framework")
@Timeout(240)
class RlvrTest {
  private static final String FILE =
      """
      exp_name: rlvr
      max_steps: 2
      save_steps: 100
      logging_steps: 1
      eval_steps: 1
      rollout_batch_size: 4
      prompt_length: 64
      response_length: 16
      num_return_sequences_in_group: 4
      adv_estimator: reinforce
      reward_clip: 10
      advantage_clip: 2.0
      norm_mean_type: batch
      norm_std_type: batch
      whiten_advantages: true
      track_with: [jsonl]
      validation:
        data_args: {template: native, file_name: [val.jsonl]}
        generating_args: {temperature: 0.6, num_return_sequences: 1}
      actor_train:
        training_args:
          {learning_rate: 1.0e-3, per_device_train_batch_size: 4, gradient_accumulation_steps: 4}
        data_args:
          template: native
          file_name: [train.jsonl]
          domain_interleave_probs: {crossthinkqa: 0.75, ifeval: 0.25}
          messages: messages
        strategy_args: {strategy_name: local_train}
      actor_infer:
        generating_args: {temperature: 1.0, top_k: 0, top_p: 1.0}
        data_args: {template: native}
        strategy_args: {strategy_name: hf_infer}
      rewards:
        crossthinkqa:
          worker_cls: roll.pipeline.rlvr.rewards.crossthinkqa_rule_reward_worker.CrossThinkQARuleRewardWorker
          reward_type: soft
          tag_included: [choice]
        ifeval:
          worker_cls: roll.pipeline.rlvr.rewards.ifeval_rule_reward_worker.GeneralRuleRewardWorker
          tag_included: [ifeval]
      """;

  private static final String CHOICE =
      """
      {"messages": "[{\\"role\\": \\"user\\", \\"content\\": \\"%d + 1\\"}]", "ground_truth": "A", "tag": "choice"}
      """;

  private final Path folder;

  RlvrTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static String instruction(int number) {
    return """
    {"messages": "[{\\"role\\": \\"user\\", \\"content\\": \\"%d + 2\\"}]", \
    "ground_truth": "{\\"func_name\\": \\"verify_letter_frequency\\", \\"letter\\": \\"1\\", \\"N\\": 0}", \
    "tag": "ifeval"}
    """
        .formatted(number);
  }

  @Test
  void eachDomainHasItsShareRewardsAndStatistics() throws Exception {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      rows.append(CHOICE.formatted(i)).append(instruction(i));
    }
    Files.writeString(folder.resolve("train.jsonl"), rows);
    Files.writeString(folder.resolve("val.jsonl"), CHOICE.formatted(9));
    Path file = Files.writeString(folder.resolve("rlvr.yaml"), FILE);
    LoadedConfig loaded =
        SmallRuns.service(ConfigLoader.class)
            .load(
                file,
                List.of(
                    "output_dir=" + folder,
                    "random_weights=true",
                    "pretrain=" + SmallRuns.config("models/arithmetic-tiny")));
    assertTrue(
        loaded.notices().getFirst().startsWith("a file of ROLL's RLVR pipeline: ./roll train"));
    Path run = SmallRuns.finish(SmallRuns.service(Trainer.class).start(loaded));
    List<Map<String, String>> trained =
        RunAssertions.metrics(run).values().stream()
            .filter(step -> step.containsKey("actor_train/grad_norm"))
            .toList();
    assertEquals(2, trained.size());
    for (Map<String, String> step : trained) {
      assertTrue(step.containsKey("env/crossthinkqa/reward/multiple_choice/acc"), step.toString());
      assertTrue(step.containsKey("env/crossthinkqa/reward/repetition"), step.toString());
      assertTrue(step.containsKey("env/ifeval/reward/ifeval/acc"), step.toString());
    }
    assertTrue(
        trained.stream()
            .anyMatch(
                step -> Double.parseDouble(step.getOrDefault("actor_train/grad_norm", "0")) > 0),
        trained.toString());
  }
}
