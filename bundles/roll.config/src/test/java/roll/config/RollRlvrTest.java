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
import roll.api.dataset.Row;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.loss.LossSettings.RatioType;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.algorithm.AdvantageConfig;
import roll.runtime.config.algorithm.SampleMaskConfig;

/** A file of ROLL's RLVR pipeline is a data set with rewards for each domain. */
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
    EnvConfig dataset = Objects.requireNonNull(run.rollout().customEnvs().get("math_rule"));
    assertEquals("dataset", dataset.envType());
    assertEquals(
        Map.of(
            "train_files",
            List.of("data/a.jsonl", "data/b.jsonl"),
            "prompt_key",
            "messages",
            "filter_overlong_prompts",
            true,
            "domain",
            "math_rule",
            "domain_tags",
            Map.of("deepmath_103k", "math_rule")),
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
    assertEquals(new AdvantageConfig(true, true, 2.0), run.algorithm().advantages());
    assertEquals(Scope.NONE, run.algorithm().rewards().normalization().mean());
    assertEquals("reinforce", run.algorithm().estimator().name());
    RewardNormalization batch =
        normalization(RLVR.replace("norm_mean_type: ~", "norm_mean_type: batch"));
    assertEquals(new RewardNormalization("tags", Scope.GROUP, Scope.NONE, false), batch);
    RewardNormalization grouped =
        normalization(RLVR.replace("estimator: reinforce", "estimator: grpo"));
    assertEquals(
        new RewardNormalization("traj_group_id", Scope.GROUP, Scope.GROUP, false), grouped);
    String unwhitened = RLVR.replace("whiten_advantages: true\n", "");
    assertEquals(
        new AdvantageConfig(false, true, 2.0),
        files.load(unwhitened).run().algorithm().advantages());
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
    assertEquals(
        2,
        files
            .load(
                RLVR.replace("actor_train:\n", sixteen)
                    .replace("gradient_accumulation_steps: 32", "gradient_accumulation_steps: 2"))
            .run()
            .devices()
            .nodes());
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

  /** A response is one turn, so that its ratio is the sequence's. */
  @Test
  void theRatioOfASequenceIsThatOfItsTurn() {
    String text = RLVR.replace("reward_shift: false", "importance_sampling: seq");
    assertEquals(RatioType.SEGMENT, files.load(text).run().algorithm().loss().ratio());
    assertEquals(RatioType.TOKEN, files.load(RLVR).run().algorithm().loss().ratio());
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
        "MathRuleR | VideoR1R | ROLL's VideoR1RewardWorker: videos are not read",
        "MathRuleR | CrossThinkQARuleR | reward_type is missing",
        "MathRuleR | LLMJudgeR | judge_prompt is missing",
        "MathRuleR | OwnR | ROLL's OwnRewardWorker: a worker in Python is not run",
        "{math_rule: 1.0} | {math_rule: 0.5, code: 0.5} | rewards.code.worker_cls is missing",
        "{math_rule: 1.0} | {code: 0.01, math_rule: 0.99} | leaves 0 of rollout_batch_size 8",
        "{math_rule: 1.0} | {math_rule: 2, code: 0.5} | leaves -8 of rollout_batch_size 8",
        "{math_rule: 1.0} | {} | domain_interleave_probs is missing",
        "difficulty_loss_weight: false | difficulty_loss_weight: true | losses are not weighted by",
        "error_max_len_clip: false | error_max_len_clip: true | wrong responses are not masked",
        "reward_shift: false | rl_loss_coef: 0.5 | rl_loss_coef: '0.5' is not supported: the"
            + " policy",
        "reward_shift: false | importance_sampling: all | expected token or seq, found 'all'",
        "reward_shift: false | tag_to_template: {a: qwen3} | one chat template renders",
        "norm_std_type: ~ | norm_std_type: group | norm_std_type: group needs norm_mean_type:"
            + " group",
        "'norm_mean_type: ~\nnorm_std_type: ~' | 'norm_mean_type: group\nnorm_std_type: batch' |"
            + " 'norm_std_type: batch with norm_mean_type: group is not by domain here'",
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

  /** Four more workers, each with its own share of 8 prompts; one judges on its own devices. */
  private static final String DOMAINS =
      RLVR.replace("{math_rule: 1.0}", "{math_rule: 0.4, code: 0.3, qa: 0.15, if: 0.1, judge: 0.1}")
              .replace("batch_size: 8", "batch_size: 16")
          + """
            code: {worker_cls: a.CodeSandboxRewardWorker, use_local: true, tag_included: [KodCode]}
            qa:
              worker_cls: a.CrossThinkQARuleRewardWorker
              reward_type: soft
              response_length_penalty_coef: 0.0
              tag_included: [crossthinkqa]
            if: {worker_cls: a.GeneralRuleRewardWorker, tag_included: [ifeval]}
            judge:
              worker_cls: a.LLMJudgeRewardWorker
              judge_prompt: Qwen2.5-7B-Instruct-RLVR-prompt
              judge_model_type: inference
              tag_included: [RLVR]
              model_args: {model_name_or_path: model, dtype: bf16, model_type: trl}
              generating_args: {max_new_tokens: 100, temperature: 0.8}
              data_args: {template: qwen3}
              strategy_args: {strategy_name: hf_infer, strategy_config: null}
              device_mapping: list(range(2,4))
              infer_batch_size: 4
          """;

  @Test
  void eachDomainIsAnEnvironment() {
    RunConfig run = files.load(DOMAINS).run();
    assertEquals(
        List.of("math_rule", "code", "qa", "if", "judge"), run.rollout().trainEnvs().tags());
    assertEquals(List.of(6, 4, 2, 1, 3), run.rollout().trainEnvs().groupsByTag());
    assertEquals(
        List.of(new RewardConfig("code_sandbox", 1, Map.of("time_limit", 20))),
        rewards(run, "code"));
    RewardConfig repetition = new RewardConfig("repetition", 0.5, Map.of("ngram_size", 3));
    assertEquals(
        List.of(
            new RewardConfig(
                "multiple_choice", 1, Map.of("answer_key", "ground_truth", "reward_type", "soft")),
            repetition),
        rewards(run, "qa"));
    assertEquals(
        List.of(new RewardConfig("ifeval", 1, Map.of("answer_key", "ground_truth")), repetition),
        rewards(run, "if"));
    RewardConfig judge = rewards(run, "judge").getFirst();
    assertEquals("judge", judge.options().get("model"));
    assertEquals("yes", judge.options().get("accept"));
    assertTrue(String.valueOf(judge.options().get("prompt")).contains("{answer}"));
    assertEquals(
        1324, Objects.requireNonNull(run.roles().rewardModels().get("judge")).sequenceLength());
  }

  private static List<RewardConfig> rewards(RunConfig run, String tag) {
    return Objects.requireNonNull(run.rollout().customEnvs().get(tag)).rewards();
  }

  @Test
  void aJudgeBehindAnEndpointIsAsked() {
    String api =
        DOMAINS
            .replace("judge_model_type: inference", "judge_model_type: api")
            .replace("    judge_prompt", "    judge_api_url: http://a/v1\n    judge_prompt")
            .replace("    judge_prompt", "    judge_model_name: big\n    judge_prompt");
    assertTrue(files.complaint(api).contains("judge_api_key is missing"), files.complaint(api));
    RewardConfig judge =
        rewards(
                files
                    .load(
                        api.replace("    judge_prompt", "    judge_api_key: key\n    judge_prompt"))
                    .run(),
                "judge")
            .getFirst();
    assertEquals("http://a/v1", judge.options().get("base_url"));
    assertTrue(
        files
            .complaint(DOMAINS.replace("type: inference", "type: other"))
            .contains("expected api, cluster or inference, found 'other'"));
  }

  /** Rows of two domains are validated, each by its own; a domain without rows is not. */
  @Test
  void validationHasTheRowsOfEachDomain() {
    files.write("val.jsonl", "KodCode\ndeepmath_103k\naime\n");
    String text = DOMAINS + "validation: {data_args: {file_name: [val.jsonl]}}\n";
    YamlConfigLoader loader =
        new YamlConfigLoader(
            name -> null,
            names ->
                ConfigFiles.LINES.read("val_files", names).stream()
                    .map(
                        row ->
                            new Row(
                                row.file(),
                                1,
                                Map.of("tag", String.valueOf(row.fields().get("q")))))
                    .toList());
    RunConfig run = loader.load(files.write("run.yaml", text), List.of()).run();
    assertEquals(List.of("math_rule", "code"), run.rollout().valEnvs().tags());
    assertEquals(List.of(2, 1), run.rollout().valEnvs().groupsByTag());
    assertEquals(3, run.schedule().validation().batchSize());
  }

  /** ROLL samples on the devices that its judge leaves; here they take turns. */
  @Test
  void overlappingDevicesAreThoseOfTraining() {
    String text =
        RLVR.replace("actor_train:\n", "actor_train:\n  device_mapping: list(range(0,4))\n")
                .replace("actor_infer:\n", "actor_infer:\n  device_mapping: list([0,1])\n")
                .replace("gradient_accumulation_steps: 32", "gradient_accumulation_steps: 8")
            + "num_gpus_per_node: 4\n";
    LoadedConfig loaded = files.load(text);
    assertEquals(
        List.of(0, 1, 2, 3),
        loaded.run().roles().actorInfer().devices().stream().sorted().toList());
    assertTrue(
        loaded.notices().stream()
            .anyMatch(line -> line.startsWith("actor_infer.device_mapping is that of")));
  }
}
