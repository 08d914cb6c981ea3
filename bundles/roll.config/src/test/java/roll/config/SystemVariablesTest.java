package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.EnvConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** The programs that receive {@code system_envs}, and the notice if there are none. */
class SystemVariablesTest {
  private static final String REMOTE =
      ConfigFiles.SMALL
          .replace("env_type: frozen_lake", "env_type: remote")
          .replace("env_config: {size: 4}", "env_config: {gym: 'lake:Lake', env: {LEVEL: 3}}");

  @TempDir Path folder = Path.of("");

  private LoadedConfig load(String text, String... overrides) {
    return new ConfigFiles(folder, Map.of("OMP_NUM_THREADS", "2")).load(text, overrides);
  }

  private static EnvConfig lake(RunConfig run) {
    return Objects.requireNonNull(run.rollout().customEnvs().get("FrozenLake"));
  }

  @Test
  void programsOfEnvironmentsGetThemBesideTheirOwn() {
    LoadedConfig loaded = load(REMOTE, "system_envs={SEED: 7, LEVEL: 1, DEBUG: true}");
    assertEquals(
        Map.of("SEED", "7", "LEVEL", 3, "DEBUG", "true"), lake(loaded.run()).options().get("env"));
    assertEquals(List.of(), loaded.notices());
  }

  @Test
  void soDoRewardsInPythonAndPrograms() {
    RunConfig run =
        load(
                ConfigFiles.SMALL,
                "system_envs.A=x",
                "custom_envs.FrozenLake.rewards={python: {path: r.py}}",
                "custom_envs.FrozenLake.env_manager_cls=program",
                "custom_envs.FrozenLake.agent_runner={command: [python3], environment: {A: y, B:"
                    + " z}}")
            .run();
    assertEquals(Map.of("A", "x"), lake(run).rewards().getFirst().options().get("env"));
    assertEquals(
        Map.of("A", "y", "B", "z"), Objects.requireNonNull(lake(run).runner()).environment());
    assertFalse(lake(run).options().containsKey("env"), "a lake is no program");
  }

  /** A server named by an address receives none, since no program is started. */
  @Test
  void aServerGetsNone() {
    String served = REMOTE.replace("gym: 'lake:Lake', env: {LEVEL: 3}", "url: 'http://localhost'");
    LoadedConfig loaded = load(served, "system_envs.A=x");
    assertEquals(Map.of("url", "http://localhost"), lake(loaded.run()).options());
    assertEquals(
        List.of(
            "key 'system_envs' has no effect here: no environment, reward or agent of this run is a"
                + " program"),
        loaded.notices());
    assertEquals(1, loaded.unneeded().size());
  }

  @Test
  void whatThisProcessHasReadItSays() {
    assertEquals(
        List.of(
            "system_envs: this process read NCCL_DEBUG, OMP_NUM_THREADS when it was started, which"
                + " cannot be changed any more: set them in the shell that starts roll"),
        load(ConfigFiles.SMALL, "system_envs={NCCL_DEBUG: INFO, OMP_NUM_THREADS: 4}").notices());
    assertEquals(
        List.of(
            "system_envs: this process read OMP_NUM_THREADS when it was started, which cannot be"
                + " changed any more: set it in the shell that starts roll; programs that the run"
                + " starts get what is written here"),
        load(REMOTE, "system_envs.OMP_NUM_THREADS=4").notices());
    assertEquals(List.of(), load(REMOTE, "system_envs.OMP_NUM_THREADS=2").notices());
  }

  /** The file holds no secret; with those that were left out it is the same configuration. */
  @Test
  void theEffectiveConfigurationKeepsThemButForSecrets() {
    LoadedConfig loaded = load(REMOTE, "system_envs={SEED: 7, JUDGE_API_KEY: s3cret}");
    assertTrue(loaded.effectiveYaml().contains("SEED: '7'"), loaded.effectiveYaml());
    assertFalse(loaded.effectiveYaml().contains("s3cret"), loaded.effectiveYaml());
    List<String> secrets = new ArrayList<>();
    loaded.secrets().forEach((key, value) -> secrets.add(key + "=" + value));
    LoadedConfig again = load(loaded.effectiveYaml(), secrets.toArray(String[]::new));
    assertEquals(
        Map.of("SEED", "7", "LEVEL", "3", "JUDGE_API_KEY", "s3cret"), variables(again.run()));
  }

  private static Map<String, String> variables(RunConfig run) {
    Map<String, String> texts = new TreeMap<>();
    ((Map<?, ?>) Objects.requireNonNull(lake(run).options().get("env")))
        .forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
    return texts;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{A: [1, 2]} | system_envs.A: expected a text, found a list",
        "{A: {B: secret}} | system_envs.A: expected a text, found a mapping",
        "{A: ~} | system_envs.A: expected a text, found none",
        "'{A: \"x\\0y\"}' | system_envs.A: expected a text, found a text with a zero byte",
        "{A=B: 1} | system_envs: 'A=B' is no name of a variable",
        "'{\"\": 1}' | system_envs: '' is no name of a variable",
        "{LD-X: 1} | system_envs: 'LD-X' is no name of a variable",
      })
  void whatIsNoVariableIsRefused(String value, String complaint) {
    String said = new ConfigFiles(folder).complaint(ConfigFiles.SMALL, "system_envs=" + value);
    assertTrue(said.endsWith(complaint), said);
  }

  @Test
  void anotherTypeIsRefused() {
    String said = new ConfigFiles(folder).complaint(ConfigFiles.SMALL, "system_envs=[A]");
    assertTrue(said.contains("system_envs: expected "), said);
  }
}
