package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.ProxyConfig;

/** Agents in place of the policy, and rollouts without a model. */
@NullMarked
class AgentsTest extends SmallConfigFixture {
  private static final String ENVIRONMENTS =
      """
      custom_envs:
        A: {env_type: frozen_lake, max_steps: 5}
        B: {env_type: sokoban, max_steps: 7}
      train_env_manager: {tags: [A, B], llm_proxy: {proxy_type: random}}
      """;
  private static final String OPENAI = "val_env_manager.llm_proxy.proxy_type=openai";
  private static final String KEY = "val_env_manager.llm_proxy.proxy_config.api_key=";

  private LoadedConfig rollout(String text, String... overrides) {
    Path file = files().write("envs.yaml", text);
    return new YamlConfigLoader(Map.<String, String>of()::get)
        .loadForRollout(file, List.of(overrides));
  }

  @Test
  void thePolicyPlaysUnlessAnAgentIsNamed() {
    LoadedConfig loaded =
        load(OPENAI, "val_env_manager.llm_proxy.proxy_config={base_url: u, timeout: 3}");
    assertEquals(ProxyConfig.POLICY, loaded.run().rollout().trainEnvs().proxy());
    assertEquals(
        new ProxyConfig("openai", Map.of("base_url", "u", "timeout", 3)),
        loaded.run().rollout().valEnvs().proxy());
    assertEquals(loaded.run(), files().load(loaded.effectiveYaml()).run());
    assertEquals(List.of(), loaded.notices());
  }

  @Test
  void thePolicyHasNoOptions() {
    LoadedConfig loaded =
        load("train_env_manager.llm_proxy={proxy_type: policy, proxy_config: {base_url: u}}");
    assertEquals(
        List.of(
            "key 'train_env_manager.llm_proxy.proxy_config' has no effect here: proxy_type is"
                + " policy"),
        loaded.notices());
    assertEquals(ProxyConfig.POLICY, loaded.run().rollout().trainEnvs().proxy());
  }

  @Test
  void aKeyFromTheEnvironmentIsWrittenAsWhereItCameFrom() {
    ConfigFiles files = new ConfigFiles(folder, Map.of("MY_KEY", "sk-very-secret"));
    for (String written : List.of("${oc.env:MY_KEY}", "${oc.env:MY_KEY,sk-very-default}")) {
      LoadedConfig loaded = files.load(ConfigFiles.SMALL, OPENAI, KEY + written);
      assertEquals(
          "sk-very-secret", loaded.run().rollout().valEnvs().proxy().options().get("api_key"));
      assertFalse(loaded.effectiveYaml().contains("sk-very"), loaded.effectiveYaml());
      assertTrue(loaded.effectiveYaml().contains("api_key: ${oc.env:MY_KEY}"));
      assertFalse(loaded.run().toString().contains("sk-very"));
      assertEquals(loaded.run(), files.load(loaded.effectiveYaml()).run());
    }
  }

  @Test
  void aKeyThatWasWrittenOutIsLeftOut() {
    LoadedConfig loaded = load(OPENAI, KEY + "sk-very-secret");
    assertEquals(
        "sk-very-secret", loaded.run().rollout().valEnvs().proxy().options().get("api_key"));
    assertFalse(loaded.effectiveYaml().contains("api_key"), loaded.effectiveYaml());
  }

  @Test
  void noMessageHasAKey() {
    String complaint = complaint(KEY + "sk-1", KEY + "[sk-2");
    assertTrue(
        complaint.startsWith("override 'val_env_manager.llm_proxy.proxy_config.api_key=…'"),
        complaint);
    assertFalse(complaint.contains("sk-"), complaint);
  }

  @Test
  void aRolloutNeedsEnvironmentsOnly() {
    LoadedConfig loaded = rollout(ENVIRONMENTS);
    assertEquals("", loaded.run().roles().pretrain().toString());
    assertEquals("", loaded.run().roles().actorInfer().model().folder().toString());
    assertEquals(new ProxyConfig("random", Map.of()), loaded.run().rollout().trainEnvs().proxy());
    assertEquals(List.of(64, 64), loaded.run().rollout().trainEnvs().groupsByTag());
    assertEquals(
        7,
        Objects.requireNonNull(loaded.run().rollout().customEnvs().get("B")).limits().maxSteps());
    assertEquals(loaded.run(), rollout(loaded.effectiveYaml()).run());
    String message = userError(() -> files().load(ENVIRONMENTS));
    assertTrue(message.endsWith("sequence_length or response_length"), message);
  }

  @Test
  void sizesOfARolloutNeedNotFitAnOptimizer() {
    LoadedConfig loaded =
        rollout(ConfigFiles.SMALL, "rollout_batch_size=7", "train_env_manager.num_env_groups=3");
    assertEquals(7, loaded.run().schedule().rolloutBatchSize());
    assertEquals(List.of(), loaded.notices());
  }

  /** Keys that are present are checked as in training. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pretrain=nowhere | 'envs.yaml: sequence_length is missing: give sequence_length or"
            + " response_length'",
        "custom_envs.A.env_type=~ | override 'custom_envs.A.env_type=~': custom_envs.A.env_type is"
            + " missing",
        "custom_envs.A.max_steps=0 | override 'custom_envs.A.max_steps=0': custom_envs.A.max_steps:"
            + " expected an integer of at least 1, found '0'",
        "custom_envs={} | 'envs.yaml:4: train_env_manager.tags: ''A'' is not in custom_envs"
            + " (allowed: )'",
        "train_env_manager.tags=[C] | override 'train_env_manager.tags=[C]':"
            + " train_env_manager.tags: 'C' is not in custom_envs (allowed: A, B);"
            + " did you mean 'A'?",
        "train_env_manager.tags=~ | 'override ''train_env_manager.tags=~'': train_env_manager.tags"
            + " is missing (custom_envs has A, B)'",
        "train_env_manager.num_groups_partition=[1] | override"
            + " 'train_env_manager.num_groups_partition=[1]':"
            + " train_env_manager.num_groups_partition: expected a number for each of 2 tags, found"
            + " '[1]'",
        "train_env_manager.generating_args={max_new_tokens: 9000} | override"
            + " 'train_env_manager.generating_args={max_new_tokens: 9000}':"
            + " train_env_manager.generating_args.max_new_tokens: expected at most sequence_length"
            + " = 8192, found '9000'",
        "train_env_manager.llm_proxy.proxy_type=3 | override"
            + " 'train_env_manager.llm_proxy.proxy_type=3': train_env_manager.llm_proxy.proxy_type:"
            + " expected text, found '3'",
        "train_env_manager.llm_proxy.proxy_config=3 | override"
            + " 'train_env_manager.llm_proxy.proxy_config=3':"
            + " train_env_manager.llm_proxy.proxy_config: expected a mapping, found '3'",
      })
  void aMistakeIsNamed(String override, String message) {
    assertEquals(
        message, userError(() -> rollout(ENVIRONMENTS, override)).replace(folder + "/", ""));
  }
}
