package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.RewardConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.runtime.config.LoadedConfig;

/** Options as verl has them in August 2026. */
class VerlNewestTest {
  private static final String ACTOR = "actor_rollout_ref.actor.";
  private static final String TRANSFORMER = "+" + ACTOR + "megatron.override_transformer_config.";

  private final VerlFiles verl;

  VerlNewestTest(@TempDir Path folder) {
    this.verl = new VerlFiles(folder);
  }

  private List<RewardConfig> rewards(String... overrides) {
    return Objects.requireNonNull(verl.run(overrides).rollout().customEnvs().get("Dataset"))
        .rewards();
  }

  /** Without a configured reward, verl grades by the data source of a row. */
  @Test
  void rowsAreGradedByTheirDataSet() {
    assertEquals(
        List.of(new RewardConfig("data_source", 1, Map.of())), rewards("data.train_files=f"));
    assertEquals(
        List.of(new RewardConfig("data_source", 1, Map.of("key", "origin"))),
        rewards("data.train_files=f", "data.reward_fn_key=origin"));
    assertEquals(
        List.of(),
        rewards("data.train_files=f", "+custom_envs.Dataset.no_reward=true"),
        "it is said to be wanted");
  }

  /** ROLL has a section of this name, by which nothing of verl's is passed over. */
  @Test
  void rewardsOfTheNewestNamesAreRead() {
    List<RewardConfig> given =
        rewards(
            "data.train_files=f",
            "reward.custom_reward_function.path=reward.py",
            "reward.custom_reward_function.name=score",
            "+reward.custom_reward_function.reward_kwargs.strict=True",
            "reward.reward_manager.name=dapo",
            "reward.num_workers=8",
            "+reward.reward_kwargs.overlong_buffer_cfg.enable=True",
            "+reward.reward_kwargs.overlong_buffer_cfg.len=8",
            "+reward.reward_kwargs.overlong_buffer_cfg.penalty_factor=0.5",
            "+reward.reward_kwargs.overlong_buffer_cfg.log=False",
            "+reward.reward_kwargs.max_resp_len=28");
    assertEquals(
        List.of(
            new RewardConfig(
                "python",
                1,
                Map.of(
                    "path", "reward.py", "name", "score", "reward_kwargs", Map.of("strict", true))),
            new RewardConfig("overlong", 0.5, Map.of("max_length", 28, "buffer", 8))),
        given);
  }

  /** A role of ROLL's that nothing asks, and beside it what is verl's. */
  @Test
  void theSectionOfBothIsShared() {
    LoadedConfig loaded =
        verl.load(
            "reward.reward_manager.name=naive",
            "reward.device_mapping=[0]",
            "reward.worker_cls=roll.pipeline.X");
    assertTrue(
        loaded.notices().stream().anyMatch(line -> line.startsWith("key 'reward' has no effect")),
        () -> loaded.notices().toString());
  }

  @Test
  void megatronIsAnEngine() {
    WorkerConfig trained =
        verl.run(
                "model_engine=megatron",
                "trainer.n_gpus_per_node=2",
                ACTOR + "megatron.tensor_model_parallel_size=2",
                TRANSFORMER + "use_flash_attn=True",
                "+actor_rollout_ref.rollout.moe_tensor_parallel_size=2")
            .roles()
            .actorTrain();
    assertEquals("megatron_train", trained.strategy());
    assertEquals(2, trained.strategyOptions().values().get("tensor_model_parallel_size"));
    assertEquals(
        "local_train",
        verl.run("model_engine=megatron", ACTOR + "strategy=fsdp").roles().actorTrain().strategy());
  }

  @Test
  void aCriticHasItsOwnEngine() {
    WorkerConfig critic =
        Objects.requireNonNull(
                verl.run(
                        "algorithm.adv_estimator=gae",
                        "trainer.n_gpus_per_node=2",
                        ACTOR + "fsdp_config.param_offload=True",
                        "critic.fsdp.model_dtype=bf16",
                        "critic.fsdp.reshard_after_forward=False",
                        "critic.fsdp.fsdp_size=-1")
                    .roles()
                    .critic())
            .worker();
    assertEquals(Dtype.BF16, critic.model().dtype());
    assertEquals(Map.of("reshard_after_forward", false), critic.strategyOptions().values());
  }

  /** A critic is trained if verl's configuration enables it, with any estimator. */
  @ParameterizedTest
  @CsvSource({"grpo, True", "gae, True", "gae,"})
  void aCriticThatIsAskedForHasItsOptions(String estimator, @Nullable String enabled) {
    List<String> overrides = new ArrayList<>();
    overrides.add("algorithm.adv_estimator=" + estimator);
    overrides.add("critic.optim.lr=1e-3");
    if (enabled != null) {
      overrides.add("critic.enable=" + enabled);
    }
    WorkerConfig critic =
        Objects.requireNonNull(verl.run(overrides.toArray(String[]::new)).roles().critic())
            .worker();
    assertEquals(1e-3, critic.training().learningRate());
  }

  @Test
  void aCriticThatTheEstimatorNeedsCannotBeLeftOut() {
    assertEquals(
        "override 'critic.enable=False': critic.enable: expected true with adv_estimator gae,"
            + " found 'false'",
        verl.complaint("algorithm.adv_estimator=gae", "critic.enable=False"));
  }

  /** Keys of verl's trainer files that have no effect here. */
  @Test
  void whatHasNoEffectHereIsNoReasonToRefuse() {
    LoadedConfig loaded =
        verl.load(
            "model_engine=megatron",
            "critic.enable=False",
            "trainer.n_gpus_per_node=2",
            ACTOR + "optim.optimizer=adam",
            ACTOR + "optim.use_precision_aware_optimizer=True",
            ACTOR + "optim.muon_momentum=0.95",
            TRANSFORMER + "pipeline_model_parallel_layout=Et*2|t*2L",
            "actor_rollout_ref.ref.veomni.param_offload=True",
            "critic.model.lora.dropout=0.1",
            "critic.model.mtp.method=mtp",
            "skip.rollout.dump_dir=dumped");
    assertEquals("megatron_train", loaded.run().roles().actorTrain().strategy());
    assertTrue(
        loaded.notices().stream()
            .anyMatch(line -> line.contains("pipeline_model_parallel_layout'")),
        () -> loaded.notices().toString());
  }

  @Test
  void softGatesHaveTheirTemperatures() {
    assertEquals(
        Map.of("tau_pos", 1.0, "tau_neg", 1.2),
        verl.run(
                ACTOR + "policy_loss.loss_mode=sapo",
                "+" + ACTOR + "policy_loss.tau_pos=1.0",
                "+" + ACTOR + "policy_loss.tau_neg=1.2")
            .algorithm()
            .loss()
            .args());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model_engine=veomni | model_engine: expected one of dp, megatron, found 'veomni'",
        "reward.rewards_manager=x | unknown option 'reward.rewards_manager'; did you mean"
            + " 'reward.reward_manager'?",
        "reward.judge=x | unknown key 'reward.judge'",
        "reward.reward_manager.name=gdpo | reward.reward_manager.name: expected one of naive,"
            + " batch, prime, dapo, remote, rate_limited, found 'gdpo'",
        "reward.reward_manager.source=importlib | 'reward.reward_manager.source' is not supported:"
            + " a manager that is made by code is a bundle, as a reward",
        "actor_rollout_ref.rollout.agent.agent_loop_config_path=loops.yaml |"
            + " 'actor_rollout_ref.rollout.agent.agent_loop_config_path' is not supported: loops"
            + " that this file names are Python in verl's process; a loop of one's own is a"
            + " program, env_manager_cls: program",
        "actor_rollout_ref.rollout.agent.default_agent_loop=tool_agent |"
            + " 'actor_rollout_ref.rollout.agent.default_agent_loop' is not supported:"
            + " agent.max_turns and agent.tools say how an episode is played; a loop of one's own"
            + " is a program, env_manager_cls: program",
        "actor_rollout_ref.actor.router_replay.mode=R2 |"
            + " 'actor_rollout_ref.actor.router_replay.mode' is not supported: routers choose in"
            + " training as they do then",
        "trainer.v1.trainer_mode=separate_async | 'trainer.v1.trainer_mode' is not supported:"
            + " async_generation_ratio says how many steps rollouts may run ahead",
        "actor_rollout_ref.actor.veomni.param_offload=True | 'actor_rollout_ref.actor.veomni' is"
            + " not supported: the engines are dp and megatron",
        "+actor_rollout_ref.actor.engine.tp=1 | 'actor_rollout_ref.actor.engine' is not supported:"
            + " the engines are dp and megatron",
        "actor_rollout_ref.actor.fsdp_config.turbo_config.memory.recompute=True |"
            + " 'actor_rollout_ref.actor.fsdp_config.turbo_config' is not supported: the strategies"
            + " are fsdp, fsdp2 and megatron",
        "+algorithm.gdpo_reward_keys=[a] | 'algorithm.gdpo_reward_keys' is not supported: rewards"
            + " are added, each with its weight",
        "critic.model.lora.rank=8 | 'critic.model.lora.rank' is not supported: a critic has no"
            + " adapters",
        "skip.rollout.enable=True | 'skip.rollout.enable' is not supported: rollout_mock reads"
            + " rollouts instead of playing",
        "actor_rollout_ref.actor.fsdp_config.qat.enable=True |"
            + " 'actor_rollout_ref.actor.fsdp_config.qat.enable' is not supported: weights are not"
            + " quantized",
      })
  void whatIsNotHereIsNamed(String override, String message) {
    assertEquals("override '" + override + "': " + message, verl.complaint(override));
  }
}
