package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** The typed configuration of environment managers and their sampling. */
class EnvManagerKeysTest extends SmallConfigFixture {
  @Test
  void aManagersOwnSamplingWins() {
    String infer = "actor_infer.generating_args={temperature: 0.5, max_new_tokens: 7}";
    RunConfig own = run(infer, "val_env_manager.generating_args={do_sample: false, top_k: -1}");
    Sampling standard = Sampling.of(16).withTemperature(1).withTopP(0.7).withTopK(50);
    assertEquals(standard, own.rollout().trainEnvs().sampling());
    assertEquals(Sampling.greedy(128).withTopP(0.7), own.rollout().valEnvs().sampling());

    RunConfig shared = run(infer, "train_env_manager.generating_args=~");
    Sampling theirs = standard.withTemperature(0.5).withMaxNewTokens(7);
    assertEquals(theirs, shared.rollout().trainEnvs().sampling());
    assertEquals(theirs, shared.rollout().valEnvs().sampling());
    assertEquals(run().rollout().trainEnvs().sampling(), run().rollout().valEnvs().sampling());

    LoadedConfig idle = load(infer, "val_env_manager.generating_args={}");
    assertEquals(
        List.of(
            "key 'actor_infer.generating_args' has no effect here: both environment managers have"
                + " their own"),
        idle.notices());
  }

  /** Training has log-probs of temperature 1, which is not ROLL's default, or the scaled ones. */
  @Test
  void anotherTemperatureThanOneIsNoticed() {
    LoadedConfig standard = load("train_env_manager.generating_args={max_new_tokens: 16}");
    assertEquals(0.95, standard.run().rollout().trainEnvs().sampling().temperature());
    assertEquals(
        List.of(
            "train_env_manager.generating_args.temperature is 0.95: log-probs, ratios, KL terms and"
                + " entropies are those of temperature 1, as in ROLL; with"
                + " scale_logits_by_temperature: true they are of logits divided by it, as in verl"
                + " and TRL"),
        standard.notices());
    assertEquals(
        List.of(
            "train_env_manager.generating_args.temperature is 0.95: log-probs, ratios, KL terms and"
                + " entropies are of logits divided by it, as in verl and TRL"
                + " (scale_logits_by_temperature: true)"),
        load(
                "train_env_manager.generating_args={max_new_tokens: 16}",
                "scale_logits_by_temperature=true")
            .notices());
    assertEquals(List.of(), load().notices());
    assertEquals(List.of(), load("train_env_manager.llm_proxy={proxy_type: random}").notices());
  }

  /** Policy and reference have one distribution, all others that of their logits. */
  @Test
  void policiesAreScaledByTheTemperatureOfTraining() {
    String hot = "train_env_manager.generating_args.temperature=0.7";
    String critic = "adv_estimator=gae";
    String reference = "enable_reference=true";
    String scaled = "scale_logits_by_temperature=true";
    Map<String, WorkerConfig> plain = run(hot, critic, reference).roles().byName();
    plain.values().forEach(worker -> assertEquals(1, worker.model().temperature(), worker.role()));
    Map<String, WorkerConfig> all = run(hot, critic, reference, scaled).roles().byName();
    assertEquals(Set.of("actor_train", "actor_infer", "reference", "critic"), all.keySet());
    all.forEach(
        (role, worker) ->
            assertEquals(role.equals("critic") ? 1 : 0.7, worker.model().temperature(), role));
    for (String greedy : List.of("temperature=0", "do_sample=false")) {
      assertEquals(
          "override 'scale_logits_by_temperature=true': scale_logits_by_temperature: expected"
              + " false where training samples at temperature 0, found 'true'",
          userError(() -> load("train_env_manager.generating_args." + greedy, scaled)));
    }
  }

  /** Policy and reference are comparable to the bit, the critic is not compared. */
  @Test
  void policiesAreBatchInvariant() {
    String critic = "adv_estimator=gae";
    String reference = "enable_reference=true";
    run(critic, reference)
        .roles()
        .byName()
        .values()
        .forEach(worker -> assertFalse(worker.model().batchInvariant(), worker.role()));
    run(critic, reference, "batch_invariant=true")
        .roles()
        .byName()
        .forEach(
            (role, worker) ->
                assertEquals(!role.equals("critic"), worker.model().batchInvariant(), role));
  }

  @Test
  void everySettingOfSamplingIsRead() {
    String args =
        "{temperature: 0.8, top_k: 7, top_p: 0.9, min_p: 0.05, repetition_penalty: 1.2,"
            + " max_new_tokens: 32, min_new_tokens: 4, stop_strings: [</answer>, stop],"
            + " num_return_sequences: 1}";
    assertEquals(
        new Sampling(0.8, 7, 0.9, 0.05, 1.2, 32, 4, List.of("</answer>", "stop"), List.of()),
        run("train_env_manager.generating_args=" + args).rollout().trainEnvs().sampling());
    assertEquals(
        List.of("Up", "Down"),
        run("train_env_manager.generating_args.guided_choice=[Up, Down]")
            .rollout()
            .trainEnvs()
            .sampling()
            .choices());
    String kinds = "train_env_manager.generating_args.structured_outputs=";
    assertEquals(
        List.of(
            new StructuredOutput.Regex("[ab]"),
            new StructuredOutput.Json("{\"enum\":[1,\"a\\u0022\",null,true,[],{}]}"),
            new StructuredOutput.Json("true"),
            StructuredOutput.Json.OBJECT),
        Stream.of(
                "{regex: '[ab]'}",
                "{json: {enum: [1, 'a\"', ~, true, [], {}]}}",
                "{json: 'true'}",
                "{json_object: true}")
            .map(kind -> run(kinds + kind).rollout().trainEnvs().sampling().structuredOutput())
            .toList());
    assertEquals(
        List.of("Up"), run(kinds + "{choice: [Up]}").rollout().trainEnvs().sampling().choices());
    Sampling named =
        run("train_env_manager.generating_args={logit_bias: {3: -100, '5': 1.5},"
                + " allowed_token_ids: [0, 3, 5]}")
            .rollout()
            .trainEnvs()
            .sampling();
    assertEquals(Map.of(3, -100.0, 5, 1.5), named.logitBias());
    assertEquals(List.of(0, 3, 5), named.allowedTokenIds());
    assertEquals(
        List.of("</answer>"),
        run("train_env_manager.generating_args.stop_strings=</answer>")
            .rollout()
            .trainEnvs()
            .sampling()
            .stopStrings());
  }

  @Test
  void groupsAreSplitEqually() {
    String[] tags = {
      "custom_envs.B={env_type: b, env_config: {max_steps: 3}}",
      "custom_envs.C={env_type: c, max_steps: 2}",
      "train_env_manager.tags=[C, B, FrozenLake]",
      "train_env_manager.num_env_groups=8",
      "rollout_batch_size=32",
      "val_batch_size=3",
    };
    RunConfig run = run(tags);
    assertEquals(List.of(3, 3, 2), run.rollout().trainEnvs().groupsByTag());
    assertEquals(List.of(1, 1, 1), run.rollout().valEnvs().groupsByTag());
    assertEquals(List.of("C", "B", "FrozenLake"), run.rollout().valEnvs().tags());
    assertEquals(
        3, Objects.requireNonNull(run.rollout().customEnvs().get("B")).limits().maxSteps());
  }

  /** ROLL's bounds on environments: one that holds, one that has no meaning in one process. */
  @Test
  void boundsOnEnvironments() {
    for (int most : List.of(-1, 2, 7)) {
      LoadedConfig loaded =
          load(
              "train_env_manager.num_env_groups=1",
              "rollout_batch_size=8",
              "train_env_manager.max_traj_per_env=" + most);
      assertEquals(List.of(), loaded.notices());
      assertEquals(2, loaded.derived().get("episodes_per_train_env"));
    }
    assertEquals(
        List.of(
            "key 'val_env_manager.max_env_num_per_worker' has no effect here: all environments run"
                + " in one process, where max_env_step_concurrent of a tag bounds how many work at"
                + " once"),
        load("val_env_manager.max_env_num_per_worker=1").notices());
  }

  @ParameterizedTest
  @CsvSource({
    "roll.pipeline.agentic.env_manager.traj_env_manager.TrajEnvManager, trajectory",
    "roll.pipeline.agentic.env_manager.step_env_manager.StepEnvManager, step",
    "my_manager, my_manager",
  })
  void environmentManagersHaveIds(String written, String id) {
    RunConfig run = run("custom_envs.FrozenLake.env_manager_cls=" + written);
    assertEquals(
        id, Objects.requireNonNull(run.rollout().customEnvs().get("FrozenLake")).manager());
  }
}
