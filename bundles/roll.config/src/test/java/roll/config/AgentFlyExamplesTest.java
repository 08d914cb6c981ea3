package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossSettings.Aggregation;
import roll.runtime.config.CheckpointConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;
import roll.runtime.config.ValidationConfig;

/**
 * The three example commands of AgentFly's training guide, word by word as a shell passes them on;
 * only the model and the data are somewhere else.
 */
class AgentFlyExamplesTest {
  private static final String MODEL = "Qwen/Qwen2.5-3B-Instruct";

  private static final String MATH =
      """
      algorithm.adv_estimator=grpo
      data.train_files=./data/rlhf/math/gsm8k_train.json
      data.val_files=./data/rlhf/math/gsm8k_test.json
      data.train_batch_size=64
      agent.agent_type=hf
      agent.tools=[calculator]
      agent.template=qwen2.5
      agent.model_name_or_path=Qwen/Qwen2.5-3B-Instruct
      agent.max_turns=3
      agent.reward_name=math_reward_string_equal
      agent.num_chains=8
      agent.use_agent=True
      actor_rollout_ref.actor.optim.lr=5e-7
      actor_rollout_ref.model.path=Qwen/Qwen2.5-3B-Instruct
      actor_rollout_ref.actor.ppo_mini_batch_size=64
      actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
      actor_rollout_ref.actor.use_kl_loss=True
      actor_rollout_ref.actor.kl_loss_coef=0.001
      actor_rollout_ref.actor.kl_loss_type=mse
      actor_rollout_ref.actor.entropy_coeff=0.001
      actor_rollout_ref.rollout.name=vllm
      actor_rollout_ref.rollout.response_length=256
      actor_rollout_ref.rollout.tensor_model_parallel_size=1
      actor_rollout_ref.rollout.gpu_memory_utilization=0.5
      critic.model.path=Qwen/Qwen2.5-3B-Instruct
      algorithm.kl_ctrl.kl_coef=0.001
      trainer.logger=[console,wandb]
      trainer.project_name=AgentRL
      trainer.experiment_name=test_gsm8k
      trainer.n_gpus_per_node=1
      trainer.nnodes=1
      trainer.save_freq=50
      trainer.test_freq=10
      trainer.total_training_steps=100
      """;

  private static final String SEARCH =
      """
      algorithm.adv_estimator=reinforce_plus_plus
      data.train_files=./data/rlhf/qa/train_random_8000.json
      data.val_files=./data/rlhf/qa/dev_random_500.json
      data.train_batch_size=128
      data.val_batch_size=512
      agent.agent_type=react
      agent.tools=[google_search,answer]
      agent.model_name_or_path=Qwen/Qwen2.5-3B-Instruct
      agent.max_turns=4
      agent.reward_name=qa_f1_reward
      agent.num_chains=1
      agent.use_agent=True
      actor_rollout_ref.actor.optim.lr=5e-7
      actor_rollout_ref.model.path=Qwen/Qwen2.5-3B-Instruct
      actor_rollout_ref.actor.ppo_mini_batch_size=128
      actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2
      actor_rollout_ref.actor.use_kl_loss=True
      actor_rollout_ref.actor.kl_loss_coef=0.001
      actor_rollout_ref.actor.kl_loss_type=mse
      actor_rollout_ref.actor.entropy_coeff=0.001
      actor_rollout_ref.rollout.name=vllm
      actor_rollout_ref.rollout.response_length=512
      actor_rollout_ref.rollout.tensor_model_parallel_size=2
      actor_rollout_ref.rollout.gpu_memory_utilization=0.5
      critic.model.path=Qwen/Qwen2.5-3B-Instruct
      critic.ppo_mini_batch_size=32
      algorithm.kl_ctrl.kl_coef=0.001
      trainer.logger=[console,wandb]
      trainer.project_name=AgentRL
      trainer.experiment_name=react_search_agent
      trainer.n_gpus_per_node=8
      trainer.nnodes=1
      trainer.save_freq=50
      trainer.test_freq=10
      trainer.total_training_steps=200
      trainer.val_before_train=True
      """;

  private static final String CODE =
      """
      algorithm.adv_estimator=grpo
      data.train_files=./data/rlhf/code/train.json
      data.val_files=./data/rlhf/code/val.json
      data.train_batch_size=64
      agent.agent_type=code
      agent.tools=[python_executor]
      agent.model_name_or_path=Qwen/Qwen2.5-3B-Instruct
      agent.max_turns=5
      agent.reward_name=code_reward
      agent.num_chains=4
      agent.use_agent=True
      actor_rollout_ref.actor.optim.lr=4e-7
      actor_rollout_ref.model.path=Qwen/Qwen2.5-3B-Instruct
      actor_rollout_ref.actor.ppo_mini_batch_size=64
      actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4
      actor_rollout_ref.actor.use_kl_loss=True
      actor_rollout_ref.actor.kl_loss_coef=0.001
      actor_rollout_ref.actor.kl_loss_type=mse
      actor_rollout_ref.actor.entropy_coeff=0.001
      actor_rollout_ref.rollout.name=vllm
      actor_rollout_ref.rollout.response_length=512
      actor_rollout_ref.rollout.tensor_model_parallel_size=1
      actor_rollout_ref.rollout.gpu_memory_utilization=0.5
      critic.model.path=Qwen/Qwen2.5-3B-Instruct
      algorithm.kl_ctrl.kl_coef=0.001
      trainer.logger=[console,wandb]
      trainer.project_name=AgentRL
      trainer.experiment_name=code_agent
      trainer.n_gpus_per_node=4
      trainer.nnodes=1
      trainer.save_freq=50
      trainer.test_freq=10
      trainer.total_training_steps=300
      """;

  @TempDir Path folder = Path.of("");

  /** Data sets with the number of rows in their file's name, or 20. */
  private static final DataSetReader DATA =
      files -> {
        List<Row> rows = new ArrayList<>();
        for (Path file : files) {
          String digits = file.toString().replaceAll(".*_(\\d+)\\.json$", "$1");
          int count = digits.matches("\\d+") ? Integer.parseInt(digits) : 20;
          for (int i = 1; i <= count; i++) {
            rows.add(new Row(file, i, Map.of("question", "1 + 1?", "answer", "2")));
          }
        }
        return rows;
      };

  private LoadedConfig load(String command) {
    new ConfigFiles(folder);
    return new YamlConfigLoader(Map.of("RETRIEVER_API_URL", "http://far:1/")::get, DATA)
        .load(
            Path.of(""),
            command.replace(MODEL, folder.resolve("model").toString()).lines().toList());
  }

  private static EnvConfig questions(RunConfig run) {
    return Objects.requireNonNull(run.rollout().customEnvs().get("Dataset"));
  }

  @Test
  void theMathAgentWithItsCalculator() {
    LoadedConfig loaded = load(MATH);
    RunConfig run = loaded.run();
    EnvConfig env = questions(run);

    assertEquals("dataset", env.envType());
    assertEquals("./data/rlhf/math/gsm8k_train.json", env.options().get("train_files"));
    assertEquals("./data/rlhf/math/gsm8k_test.json", env.options().get("val_files"));
    assertEquals(3, env.limits().maxSteps());
    AgentConfig agent = Objects.requireNonNull(env.agent());
    assertEquals("hf", agent.type());
    assertEquals(Map.of("calculator", Map.of()), agent.tools());
    assertEquals(List.of(new RewardConfig("math_reward_string_equal", 1, Map.of())), env.rewards());

    assertEquals(List.of(64), run.rollout().trainEnvs().groupsByTag());
    assertEquals(8, run.rollout().trainEnvs().groupSize());
    assertEquals(1, run.rollout().trainEnvs().sampling().temperature());
    assertEquals(256, run.rollout().trainEnvs().sampling().maxNewTokens());
    assertEquals(1, run.rollout().valEnvs().groupSize());
    assertEquals(0, run.rollout().valEnvs().sampling().temperature());
    assertEquals(512 + 256, run.sequenceLength());
    assertEquals(
        new ScheduleConfig(
            100,
            new CheckpointConfig(50, 0, true, true, null),
            1,
            new ValidationConfig(10, true, 20),
            3,
            512,
            0),
        run.schedule());

    assertEquals("grpo", run.algorithm().estimator().name());
    assertTrue(run.algorithm().rewards().normalization().isIdentity());
    assertFalse(run.algorithm().kl().inReward());
    assertEquals(0.001, run.algorithm().loss().klCoefficient());
    assertEquals(KlPenalty.of("", "mse"), run.algorithm().loss().klPenalty());
    assertEquals(0.001, run.algorithm().loss().entropyCoefficient());
    assertEquals(Aggregation.TOKEN_MEAN, run.algorithm().loss().aggregation());
    assertEquals(Map.of("clip_ratio_c", 3.0), run.algorithm().loss().args());

    assertEquals("local_train", run.roles().actorTrain().strategy());
    assertEquals("vllm", run.roles().actorInfer().strategy());
    assertEquals(
        Map.of("tensor_parallel_size", 1, "gpu_memory_utilization", 0.5),
        run.roles().actorInfer().strategyOptions().values());
    assertEquals(5e-7, run.roles().actorTrain().training().learningRate());
    assertEquals(8, run.roles().actorTrain().training().microBatch());
    assertEquals(512, run.roles().actorTrain().training().effectiveBatch());
    assertEquals("constant", run.roles().actorTrain().training().scheduler());
    assertFalse(run.roles().actorTrain().model().checkpointing(), "the guide's default");
    assertEquals(1L, loaded.derived().get("updates_per_step"));

    assertNull(run.roles().critic());
    assertEquals("test_gsm8k", run.expName());
    assertEquals(Path.of("output/test_gsm8k"), run.outputDir().normalize());
    assertEquals(List.of("console", "wandb"), run.tracking().trackers());
    assertEquals(Map.of("wandb", Map.of("project", "AgentRL")), run.tracking().options());
    assertEquals(
        List.of(
            "read as a run of AgentFly's, since options of agent are given; not given, so:"
                + " model.enable_gradient_checkpointing false",
            "key 'algorithm.kl_ctrl.kl_coef' has no effect here: add_token_level_kl is false",
            "key 'critic' has no effect here: adv_estimator grpo needs no critic"),
        loaded.notices());
  }

  @Test
  void theReactAgentThatSearches() {
    LoadedConfig loaded = load(SEARCH);
    RunConfig run = loaded.run();

    assertEquals(
        List.of("google_search", "answer"),
        List.copyOf(Objects.requireNonNull(questions(run).agent()).tools().keySet()));
    assertEquals(8, run.devices().count());
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), run.roles().actorInfer().devices());
    assertEquals("fsdp2_train", run.roles().actorTrain().strategy());
    assertEquals(
        2, run.roles().actorInfer().strategyOptions().values().get("tensor_parallel_size"));
    assertEquals(2, run.roles().actorTrain().training().microBatch());
    assertEquals(8, run.roles().actorTrain().training().accumulation());
    assertEquals(128, run.roles().actorTrain().training().effectiveBatch());
    assertEquals(500, run.schedule().validation().batchSize(), "no more than there are");
    assertEquals(128, run.schedule().rolloutBatchSize());
    assertTrue(
        loaded
            .notices()
            .contains("val_batch_size is 500: val_files has no more than that, 512 were asked for"),
        loaded.notices().toString());
  }

  @Test
  void theCodeAgent() {
    LoadedConfig loaded = load(CODE);
    RunConfig run = loaded.run();

    assertEquals("code", Objects.requireNonNull(questions(run).agent()).type());
    assertEquals(256, run.schedule().rolloutBatchSize());
    assertEquals(16, run.roles().actorTrain().training().accumulation());
    assertEquals(256, run.roles().actorTrain().training().effectiveBatch());
    assertEquals(300, run.schedule().maxSteps());
  }

  @Test
  void whatTheyComeToLoadsAgain() {
    for (String command : List.of(MATH, SEARCH, CODE)) {
      LoadedConfig loaded = load(command);
      assertEquals(loaded.run(), new ConfigFiles(folder).load(loaded.effectiveYaml()).run());
    }
  }

  @Test
  void theServerThatSearchesIsTheOneOfItsVariable() {
    LoadedConfig loaded = load(SEARCH.replace("[google_search,answer]", "[search]"));
    AgentConfig agent = Objects.requireNonNull(questions(loaded.run()).agent());
    assertEquals(Map.of("search", Map.of("url", "http://far:1/search")), agent.tools());
  }
}
