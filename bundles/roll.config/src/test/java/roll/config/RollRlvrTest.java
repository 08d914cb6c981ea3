package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.algorithm.AdvantageConfig;
import roll.runtime.config.algorithm.SampleMaskConfig;

/** A file of ROLL's RLVR pipeline with one domain is a data set with a reward. */
class RollRlvrTest {
  /** The keys of {@code alibaba/ROLL@8eb27cc2:examples/qwen2.5-7B-rlvr_megatron} that matter. */
  static final String RLVR =
      """
      exp_name: rlvr
      max_steps: 20
      eval_steps: 10
      rollout_batch_size: 8
      prompt_length: 100
      response_length: 200
      num_return_sequences_in_group: 4
      adv_estimator: reinforce
      reward_clip: 10
      advantage_clip: 2.0
      norm_mean_type: ~
      norm_std_type: ~
      max_len_mask: true
      difficulty_mask: true
      difficulty_low_threshold: 0.1
      difficulty_high_threshold: 0.95
      error_max_len_clip: false
      difficulty_loss_weight: false
      whiten_advantages: true
      reward_shift: false
      pretrain: model
      actor_train:
        training_args: {per_device_train_batch_size: 1, gradient_accumulation_steps: 32}
        data_args:
          template: qwen2_5
          file_name: [data/a.jsonl, data/b.jsonl]
          domain_interleave_probs: {math_rule: 1.0}
          dataset_dir: data
          messages: messages
          interleave_probs: "1.0"
      actor_infer:
        generating_args:
          max_new_tokens: ${response_length}
          temperature: 0.99
          num_return_sequences: ${num_return_sequences_in_group}
        data_args: {template: qwen2_5}
      rewards:
        math_rule:
          worker_cls: roll.pipeline.rlvr.rewards.math_rule_reward_worker.MathRuleRewardWorker
          model_args: {model_name_or_path: model}
          tag_included: [deepmath_103k]
          world_size: 8
      """;

  private final ConfigFiles files;

  RollRlvrTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  @Test
  void theQuestionsAreThoseOfADataSet() {
    LoadedConfig loaded = files.load(RLVR);
    RunConfig run = loaded.run();
    EnvConfig dataset = Objects.requireNonNull(run.rollout().customEnvs().get("Rlvr"));
    assertEquals("dataset", dataset.envType());
    assertEquals(
        Map.of(
            "train_files",
            List.of("data/a.jsonl", "data/b.jsonl"),
            "prompt_key",
            "messages",
            "filter_overlong_prompts",
            true),
        dataset.options());
    assertEquals(100, dataset.prompts().limit().most());
    assertEquals(
        List.of(
            new RewardConfig(
                "math_verify", 1, Map.of("part", "conclusion", "answer_key", "ground_truth"))),
        dataset.rewards());
    assertEquals(32, run.schedule().rolloutBatchSize());
    assertEquals(4, run.rollout().trainEnvs().groupSize());
    assertEquals(300, run.sequenceLength());
    assertEquals(200, run.rollout().trainEnvs().sampling().maxNewTokens());
    assertEquals("native", run.roles().actorInfer().template());
    assertEquals(Map.of(), run.roles().actorInfer().chatTemplateKwargs());
    assertEquals(0, run.schedule().validation().evalSteps());
    String first = loaded.notices().getFirst();
    assertTrue(first.startsWith("a file of ROLL's RLVR pipeline: ./roll train runs it"), first);
  }

  @Test
  void masksNormalizationAndWhiteningAreThose() {
    RunConfig run = files.load(RLVR).run();
    assertEquals(new SampleMaskConfig(true, true, 0.1, 0.95), run.algorithm().masks());
    assertEquals(new AdvantageConfig(true, 2.0), run.algorithm().advantages());
    assertEquals(Scope.NONE, run.algorithm().rewards().normalization().mean());
    assertEquals("reinforce", run.algorithm().estimator().name());
    RewardNormalization batch =
        normalization(RLVR.replace("norm_mean_type: ~", "norm_mean_type: batch"));
    assertEquals(new RewardNormalization("traj_group_id", Scope.BATCH, Scope.NONE, false), batch);
    RewardNormalization grouped =
        normalization(RLVR.replace("estimator: reinforce", "estimator: grpo"));
    assertEquals(
        new RewardNormalization("traj_group_id", Scope.GROUP, Scope.GROUP, false), grouped);
    String unwhitened = RLVR.replace("whiten_advantages: true\n", "");
    assertEquals(
        new AdvantageConfig(false, 2.0), files.load(unwhitened).run().algorithm().advantages());
    assertEquals(
        SampleMaskConfig.NONE,
        files
            .load(RLVR.replaceAll("(?m)^(max_len|difficulty)_.*\n", ""))
            .run()
            .algorithm()
            .masks());
  }

  private RewardNormalization normalization(String text) {
    RunConfig run = files.load(text).run();
    assertEquals("reinforce", run.algorithm().estimator().name());
    return run.algorithm().rewards().normalization();
  }

  /** ROLL overwrites the number that a file gives. */
  @Test
  void nodesFollowFromTheDevices() {
    String sixteen = "actor_train:\n  device_mapping: list(range(0,16))\n";
    LoadedConfig loaded =
        files.load(
            RLVR.replace("actor_train:\n", sixteen)
                    .replace("gradient_accumulation_steps: 32", "gradient_accumulation_steps: 2")
                + "num_nodes: 1\nnum_gpus_per_node: 8\n");
    assertEquals(2, loaded.run().devices().nodes());
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'num_nodes' has no effect here: it follows from the devices of the roles, as"
                    + " in ROLL"));
  }

  @Test
  void theWorkerSaysWhichLoss() {
    assertEquals("ppo", loss("pg_variant: topr"));
    assertEquals("topr", loss("worker_cls: a.b.ActorPGWorker, pg_variant: topr"));
    assertEquals("vanilla", loss("worker_cls: a.b.ActorPGWorker"));
  }

  private String loss(String keys) {
    String lines = "actor_train:\n  " + keys.replace(", ", "\n  ") + "\n";
    return files.load(RLVR.replace("actor_train:\n", lines)).run().algorithm().loss().loss();
  }

  @Test
  void validationHasItsOwnSampling() {
    files.write("val.jsonl", "{}\n{}\n");
    String text =
        RLVR
            + """
            validation:
              data_args: {file_name: [val.jsonl], template: qwen2_5}
              generating_args: {temperature: 0.6, top_p: 0.6, num_return_sequences: 1}
            """;
    YamlConfigLoader loader = new YamlConfigLoader(name -> null, ConfigFiles.LINES);
    RunConfig run = loader.load(files.write("run.yaml", text), List.of()).run();
    assertEquals(10, run.schedule().validation().evalSteps());
    assertEquals(2, run.schedule().validation().batchSize());
    assertEquals(0.6, run.rollout().valEnvs().sampling().temperature());
    assertEquals(200, run.rollout().valEnvs().sampling().maxNewTokens());
    assertEquals(0.99, run.rollout().trainEnvs().sampling().temperature());
    assertNull(run.roles().critic());
  }

  /** Each refusal names what is missing with its key. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MathRuleR | CodeSandboxR | rewards.math_rule.worker_cls: ROLL's CodeSandboxRewardWorker: ",
        "rewards: | 'rewards:\n"
            + "  qa: {worker_cls: a.CrossThinkQARuleRewardWorker}\n"
            + "  if: {worker_cls: a.GeneralRuleRewardWorker}' | 'rewards.qa.worker_cls: ROLL''s"
            + " CrossThinkQARuleRewardWorker: its multiple-choice rule is not built;"
            + " GeneralRuleRewardWorker: the checks of IFEval''s instructions are not built'",
        "MathRuleR | GeneralRuleR | the checks of IFEval's instructions are not built",
        "MathRuleR | LLMJudgeR | ROLL's LLMJudgeRewardWorker: ",
        "MathRuleR | OwnR | ROLL's OwnRewardWorker: a worker in Python is not run",
        "{math_rule: 1.0} | {math_rule: 0.5, code: 0.5} | rewards.code.worker_cls is missing",
        "{math_rule: 1.0} | {} | domain_interleave_probs is missing",
        "difficulty_loss_weight: false | difficulty_loss_weight: true | losses are not weighted by",
        "error_max_len_clip: false | error_max_len_clip: true | wrong responses are not masked",
        "reward_shift: false | rl_loss_coef: 0.5 | rl_loss_coef: '0.5' is not supported: the"
            + " policy",
        "reward_shift: false | importance_sampling: seq | pg_variant: gspo is the nearest loss",
        "reward_shift: false | reward_model: {name: x} | a model that several rewards ask is not"
            + " built",
        "reward_shift: false | tag_to_template: {a: qwen3} | one chat template renders",
        "norm_std_type: ~ | norm_std_type: group | norm_std_type: group needs norm_mean_type:"
            + " group",
        "norm_mean_type: ~ | norm_mean_type: running | expected one of batch, group, found"
            + " 'running'",
        "estimator: reinforce | estimator: gigpo | adv_estimator: expected gae, reinforce or grpo",
        "response_length: 200 | reward_norm: ~ | leaves nothing of sequence_length 100",
        "world_size: 8 | query_filter_config: {type: mean_filter} | group_filter_cls: dapo",
        "world_size: 8 | format_pattern: a | ",
        "group: 4 | group: 0 | num_return_sequences_in_group: expected an integer of at least 1",
      })
  void whatIsMissingIsNamed(String from, String to, @Nullable String message) {
    String text = RLVR.replaceAll("(?m)^ *(max_new_tokens|num_return_sequences): .*\n", "");
    assertTrue(text.contains(from), from);
    String changed = text.replace(from, to);
    if (message == null) {
      assertTrue(
          files.load(changed).notices().stream()
              .anyMatch(
                  notice ->
                      notice.startsWith("key 'rewards.math_rule.format_pattern' has no effect")));
      return;
    }
    String complaint = files.complaint(changed);
    assertTrue(complaint.contains(message), complaint);
    assertEquals(1, complaint.lines().count());
  }

  @Test
  void severalDomainsAreRefused() {
    String second =
        RLVR.substring(RLVR.indexOf("  math_rule:\n")).replace("math_rule:\n", "math:\n");
    String complaint = files.complaint(RLVR + second);
    assertTrue(
        complaint.contains("rewards: math_rule, math: rewards and advantages of several"),
        complaint);
    String other = files.complaint(RLVR.replace("math_rule:", "math:"));
    assertTrue(other.contains("rewards.math: rows without a tag of it"), other);
  }
}
