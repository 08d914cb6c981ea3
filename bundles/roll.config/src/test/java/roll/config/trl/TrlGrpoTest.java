package roll.config.trl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.config.TrainingConfig;
import roll.runtime.config.RunConfig;

/** Files of trl grpo and rloo train as there. */
class TrlGrpoTest {
  private final TrlFiles trl;

  TrlGrpoTest(@TempDir Path folder) {
    trl = new TrlFiles(folder);
  }

  private String yaml(String... overrides) {
    return trl.load(TrlFiles.GRPO, overrides).effectiveYaml();
  }

  private EnvConfig environment(String... overrides) {
    return Objects.requireNonNull(trl.run(overrides).rollout().customEnvs().get("Trl"));
  }

  /** The defaults of TRL 1.13's GRPOConfig. */
  @Test
  void defaultsAreThoseOfTrl() {
    RunConfig run = trl.run();
    TrainingConfig training = run.roles().actorTrain().training();
    assertEquals(1e-6, training.learningRate());
    assertEquals(8, training.effectiveBatch());
    assertEquals(8, run.rollout().trainEnvs().groupSize());
    assertEquals(1, run.rollout().trainEnvs().sampling().temperature());
    String yaml = yaml();
    for (String line :
        List.of(
            "loss_agg_mode: token-mean",
            "adv_estimator: grpo",
            "epsilon: 1.0E-4",
            "pg_clip: 0.2",
            "max_grad_norm: 1.0",
            "lr_scheduler_type: linear",
            "max_new_tokens: 512",
            "rollout_batch_size: 8",
            "ppo_epochs: 1",
            "seed: 42",
            "max_steps: 10")) {
      assertTrue(yaml.contains(line), () -> line + " in\n" + yaml);
    }
    assertNull(run.roles().reference());
  }

  @Test
  void questionsAndRewardsAreTheUsers() {
    EnvConfig environment = environment("+eval_strategy=steps", "+reward_weights=[0.5]");
    assertEquals("dataset", environment.envType());
    assertEquals(List.of(trl.data("train").toString()), environment.options().get("train_files"));
    assertEquals(List.of(trl.data("test").toString()), environment.options().get("val_files"));
    assertEquals(
        Map.of("reward_funcs", List.of("my_rewards.brevity"), "reward_weights", List.of(0.5)),
        environment.rewards().getFirst().options());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "loss_type=grpo | loss_agg_mode: seq-mean-token-mean",
        "loss_type=dr_grpo | loss_scale_factor: 512",
        "loss_type=sapo | tau_neg: 1.05",
        "scale_rewards=none | norm_adv_by_std_in_grpo: false",
        "scale_rewards=batch | norm_std_type: batch",
        "epsilon_high=0.28 | pg_clip_high: 0.28",
        "delta=2.0 | clip_ratio_c: 2.0",
        "beta=0.04 | kl_loss_type: k3+",
        "temperature=0.7 | scale_logits_by_temperature: true",
        "mask_truncated_completions=true | cut_responses: mask",
        "use_vllm=true | lower_bound: 0.0",
        "use_vllm=true | upper_bound: 3.0",
        "use_peft=true | lora_rank: 16",
        "steps_per_generation=4 | rollout_batch_size: 32",
        "generation_batch_size=16 | rollout_batch_size: 16",
        "gradient_accumulation_steps=2 | rollout_batch_size: 16",
        "num_processes=2 | rollout_batch_size: 16",
        "warmup_steps=0.1 | warmup_ratio: 0.1",
        "report_to=wandb | - wandb",
        "output_dir=out/first | exp_name: first",
        "learning_rate=\"1e-5\" | learning_rate: 1.0E-5",
        "generation_kwargs={stop: [x]} | stop_strings:",
      })
  void aKeyBecomesOurs(String override, String line) {
    String yaml = yaml("++" + override);
    assertTrue(yaml.contains(line), () -> line + " in\n" + yaml);
  }

  /** TRL counts optimizer steps. */
  @Test
  void aGenerationUsedSeveralTimesIsOneStep() {
    String text = TrlFiles.GRPO + "num_iterations: 2\nsteps_per_generation: 2\nsave_steps: 8\n";
    String yaml = trl.load(text).effectiveYaml();
    assertTrue(yaml.contains("max_steps: 3"), yaml);
    assertTrue(yaml.contains("save_steps: 2"), yaml);
    assertTrue(
        trl.notices(text)
            .contains(
                "key 'max_steps' counts optimizer steps, of which a step has 4: it is read as 3"));
  }

  @Test
  void theCispoBoundIsTheLargestWeight() {
    String yaml = yaml("++loss_type=cispo", "++epsilon_high=5.0");
    assertTrue(yaml.contains("cispo_epsilon_high: 4.0"), yaml);
    assertTrue(
        trl.complaint(TrlFiles.GRPO, "++loss_type=cispo").contains("the largest weight (5.0)"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "num_iterations=2 beta=0.1 | write use_bias_correction_kl: false",
        "steps_per_generation=3 gradient_accumulation_steps=2 | a multiple of"
            + " gradient_accumulation_steps 2",
        "num_generations=5 | num_generations: expected a divisor of the 8 responses",
        "loss_type=bnpo gradient_accumulation_steps=2 | dapo is that over all",
        "importance_sampling_level=sequence | with loss_type grpo it is gspo",
        "eval_strategy=epoch | write steps, with eval_steps",
        "reward_funcs=[nothing] | module.function or file.py:function",
        "reward_weights=[1,2] | a weight for each of 1 rewards",
        "rollout_func=my_module.play | tools and environment_factory are played",
        "reward_funcs=[] tools=[my_tools.add] | no reward grades the responses",
        "entropy_coef=0.1 loss_type=grpo | the bonus is no mean over tokens",
        "generation_kwargs.num_beams=2 | responses are sampled without it",
        "per_device_train_batch_size=2147483647 num_processes=2 | come to more than 2147483647",
        "tools=[my_tools.add] max_tool_calling_iterations=2147483647 | come to more than"
            + " 2147483647",
        "dataset_train_split=validation | is named for the split 'validation'",
      })
  void othersAreRefused(String overrides, String message) {
    String[] each =
        List.of(overrides.split(" ")).stream().map(o -> "++" + o).toArray(String[]::new);
    String told = trl.complaint(TrlFiles.GRPO, each);
    assertTrue(told.contains(message), told);
  }

  @Test
  void leaveOneOutPenalizesTheReward() {
    String yaml =
        trl.load(TrlFiles.GRPO.replace("scale_rewards: group", "trl: rloo")).effectiveYaml();
    for (String line :
        List.of(
            "adv_estimator: rloo",
            "init_kl_coef: 0.05",
            "kl_penalty: k1",
            "loss_agg_mode: seq-mean-token-sum",
            "group_size: 2")) {
      assertTrue(yaml.contains(line), () -> line + " in\n" + yaml);
    }
  }

  /** Functions and an environment class of the user's are tools, its methods too. */
  @Test
  void agentsPlayWithTools() {
    EnvConfig environment =
        environment(
            "+tools=[my_tools.add]",
            "+environment_factory=games.Counter",
            "+max_tool_calling_iterations=3",
            "reward_funcs=[]");
    assertEquals(
        Map.of(
            "tools",
            List.of("my_tools.add"),
            "environment_factory",
            "games.Counter",
            "get_reward",
            true),
        environment.options().get("python"));
    assertEquals(4, environment.limits().maxSteps());
    assertEquals("hf", Objects.requireNonNull(environment.agent()).type());
    environment = environment("+tools=my_tools.add");
    assertEquals(Map.of("tools", List.of("my_tools.add")), environment.options().get("python"));
    assertEquals(512, environment.limits().maxSteps());
    assertEquals(1, environment("+max_tool_calling_iterations=3").limits().maxSteps());
  }

  /** TRL's own functions run in the user's Python, the penalty of long answers here. */
  @Test
  void functionsOfTheLibraryAreNamedInFull() {
    EnvConfig environment =
        environment(
            "++reward_funcs=[think_format_reward,get_soft_overlong_punishment]",
            "++reward_weights=[1.0,0.5]");
    assertEquals(
        List.of("overlong", "python"),
        environment.rewards().stream().map(RewardConfig::reward).toList());
    assertEquals(0.5, environment.rewards().getFirst().weight());
    assertEquals(
        List.of("trl.rewards.think_format_reward"),
        Objects.requireNonNull(environment.rewards().getLast().options().get("reward_funcs")));
  }
}
