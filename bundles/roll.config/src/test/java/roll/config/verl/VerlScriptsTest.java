package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.ModelConfig;
import roll.api.config.RewardConfig;
import roll.api.config.WorkerConfig;
import roll.runtime.config.LoadedConfig;

/** Options that verl's example scripts give. */
class VerlScriptsTest {
  private static final String ACTOR = "actor_rollout_ref.actor.";
  private static final String MEGATRON = ACTOR + "megatron.";
  private static final String TRANSFORMER = "+" + MEGATRON + "override_transformer_config.";
  private static final String MODEL = "actor_rollout_ref.model.";
  private static final String BUFFER = "+reward_model.reward_kwargs.overlong_buffer_cfg.";

  private final VerlFiles verl;

  VerlScriptsTest(@TempDir Path folder) {
    this.verl = new VerlFiles(folder);
  }

  private WorkerConfig trained(String... overrides) {
    return verl.run(overrides).roles().actorTrain();
  }

  @Test
  void megatronsLayoutIsOurs() {
    LoadedConfig loaded =
        verl.load(
            ACTOR + "strategy=megatron",
            "trainer.n_gpus_per_node=4",
            MEGATRON + "tensor_model_parallel_size=2",
            MEGATRON + "sequence_parallel=True",
            MEGATRON + "context_parallel_size=2",
            MEGATRON + "use_mbridge=True",
            MEGATRON + "virtual_pipeline_model_parallel_size=2",
            TRANSFORMER + "recompute_granularity=full",
            TRANSFORMER + "recompute_num_layers=1",
            TRANSFORMER + "moe_router_dtype=fp32",
            "+" + ACTOR + "optim.override_optimizer_config.optimizer_cpu_offload=True",
            "+" + MODEL + "torch_dtype=bfloat16");
    Map<String, Object> layout = loaded.run().roles().actorTrain().strategyOptions().values();
    assertEquals(2, layout.get("tensor_model_parallel_size"));
    assertEquals(true, layout.get("sequence_parallel"));
    assertEquals("full", layout.get("recompute_granularity"));
    assertFalse(layout.containsKey("recompute_num_layers"));
    String notices = String.join("\n", loaded.notices());
    for (String idle :
        List.of(
            "use_mbridge' has no effect here: a model folder is read",
            "context_parallel_size' has no effect here: each device has whole sequences",
            "virtual_pipeline_model_parallel_size' has no effect here: stages are not",
            "moe_router_dtype' has no effect here: routers are computed in f32",
            "optimizer_cpu_offload' has no effect here: moments lie",
            "torch_dtype' has no effect here: fsdp_config.model_dtype")) {
      assertTrue(notices.contains(idle), idle + "\n" + notices);
    }
  }

  @Test
  void theManagerDapoIsTheRewardOverlong() {
    RewardConfig overlong =
        rewards("reward_model.reward_manager=dapo", BUFFER + "penalty_factor=0.5").getLast();
    assertEquals("overlong", overlong.reward());
    assertEquals(0.5, overlong.weight());
    assertEquals(Map.of("max_length", 28, "buffer", 8), overlong.options());
    assertEquals(
        List.of(new RewardConfig("data_source", 1, Map.of())),
        rewards("reward_model.reward_manager=naive"));
  }

  @Test
  void exactMatchReadsTheTagOfAgentFlys() {
    RewardConfig exact =
        Objects.requireNonNull(
                verl.run("data.train_files=f", "agent.init_config.reward_name=qa_em_reward")
                    .rollout()
                    .customEnvs()
                    .get("Dataset"))
            .rewards()
            .getFirst();
    assertEquals(new RewardConfig("em", 1, Map.of("answer_tag", "answer")), exact);
  }

  /** DAPO's data has questions to spare; verl's trainer takes all that it is given at once. */
  @Test
  void aStepHasTheQuestionsThatAreGenerated() {
    LoadedConfig same = verl.load("+data.gen_batch_size=8");
    assertEquals(16, same.run().schedule().rolloutBatchSize());
    assertTrue(same.notices().stream().noneMatch(line -> line.contains("gen_batch_size")));
    LoadedConfig more = verl.load("+data.gen_batch_size=12");
    assertEquals(24, more.run().schedule().rolloutBatchSize());
    assertTrue(
        more.notices()
            .contains(
                "key 'data.gen_batch_size' is how many questions a step has, before"
                    + " data.train_batch_size"));
    LoadedConfig filtered =
        verl.load("+data.gen_batch_size=12", "+algorithm.filter_groups.enable=True");
    assertEquals(16, filtered.run().schedule().rolloutBatchSize());
    assertEquals("equal_scores", filtered.run().rollout().trainEnvs().groupFilter());
    assertTrue(
        filtered.notices().stream()
            .anyMatch(line -> line.startsWith("key 'data.gen_batch_size' has no effect here")));
    assertTrue(
        verl.complaint("+data.gen_batch_size=2")
            .contains("4 questions of a mini-batch, and a step has only data.gen_batch_size = 2"));
  }

  @Test
  void ofCispoTheBoundsMayBeAnything() {
    assertEquals(
        Map.of("cispo_epsilon_low", 10, "cispo_epsilon_high", 0.2),
        verl.run(
                ACTOR + "policy_loss.loss_mode=cispo",
                ACTOR + "clip_ratio_low=10",
                ACTOR + "clip_ratio_high=0.2")
            .algorithm()
            .loss()
            .args());
  }

  @ParameterizedTest
  @CsvSource({"Qwen/Qwen2.5-3B, Qwen_Qwen2.5-3B", "../../x, .._.._x", "/, _", "a, a"})
  void anExperimentsFolderIsOne(String written, String folder) {
    LoadedConfig loaded = verl.load("trainer.experiment_name=" + written);
    assertEquals(folder, loaded.run().expName());
    assertEquals(folder, loaded.run().outputDir().getFileName().toString());
    assertEquals(
        written.equals(folder) ? 0 : 1,
        loaded.notices().stream()
            .filter(line -> line.contains("experiment_name' is read as " + folder))
            .count());
  }

  private List<RewardConfig> rewards(String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(
        List.of(
            "data.train_files=f",
            BUFFER + "enable=True",
            BUFFER + "len=8",
            "+reward_model.reward_kwargs.max_resp_len=28"));
    return Objects.requireNonNull(
            verl.run(all.toArray(String[]::new)).rollout().customEnvs().get("Dataset"))
        .rewards();
  }

  @Test
  void adaptersHaveBothOfTheirNames() {
    ModelConfig model =
        trained(
                "+" + MODEL + "lora.rank=8",
                "+" + MODEL + "lora.alpha=24",
                MODEL + "exclude_modules=.*visual.*")
            .model();
    assertEquals(8, Objects.requireNonNull(model.lora()).rank());
    assertEquals(24, Objects.requireNonNull(model.lora()).alpha());
    assertEquals(List.of("visual"), trained(ACTOR + "freeze_vision_tower=True").model().frozen());
  }

  @Test
  void tensorrtsEngineIsOurs() {
    assertEquals(
        "vllm", verl.run("actor_rollout_ref.rollout.name=trtllm").roles().actorInfer().strategy());
  }

  /** With 8 questions and 2 chains of each: ppo_mini_batch_size × rollout.n chains. */
  @ParameterizedTest
  @CsvSource({"16, 1, 16", "8, 2, 16", "4, 1, 4", "4, 4, 16"})
  void aMiniBatchOfAgentFlysIsInChains(int mini, int n, int samples) {
    WorkerConfig actor =
        trained(
            "data.train_files=f",
            "agent.num_chains=2",
            "actor_rollout_ref.rollout.n=" + n,
            ACTOR + "ppo_mini_batch_size=" + mini,
            ACTOR + "ppo_micro_batch_size_per_gpu=2");
    assertEquals(samples, actor.training().effectiveBatch());
  }

  /** A micro-batch of 8 samples that two devices share is one of 4 on each. */
  @Test
  void devicesThatShareSequencesShareMicroBatches() {
    WorkerConfig actor =
        trained(
            "trainer.n_gpus_per_node=2",
            ACTOR + "ppo_micro_batch_size_per_gpu=8",
            ACTOR + "ulysses_sequence_parallel_size=2");
    assertEquals(4, actor.training().microBatch());
    assertEquals(8, actor.training().effectiveBatch());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "actor_rollout_ref.actor.megatron.router_replay.mode=R2 |"
            + " 'actor_rollout_ref.actor.megatron.router_replay.mode' is not supported: routers"
            + " choose in training as they do then",
        "agent.train_on_last_turn=True | 'agent.train_on_last_turn' is not supported: every turn"
            + " is trained",
        "actor_rollout_ref.model.exclude_modules=lm_head actor_rollout_ref.model.lora_rank=4 |"
            + " actor_rollout_ref.model.exclude_modules: expected names of a vision tower:"
            + " target_modules says what has adapters, found 'lm_head'",
      })
  void whatIsNotHereIsNamed(String overrides, String message) {
    String[] given = overrides.split(" ", -1);
    assertEquals("override '" + given[0] + "': " + message, verl.complaint(given));
  }
}
