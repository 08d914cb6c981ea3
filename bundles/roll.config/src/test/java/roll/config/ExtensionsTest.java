package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.runtime.config.Extensions;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RoleConfig.Position;

/** Custom roles and plugins of custom kinds. */
class ExtensionsTest {
  private final YamlConfigLoader loader =
      new YamlConfigLoader(Map.<String, String>of()::get, ConfigFiles.LINES);

  private LoadedConfig load(String... overrides) {
    String root = Objects.requireNonNull(System.getProperty("roll.root"));
    return loader.load(Path.of(root, "configs", "frozen_lake.yaml"), List.of(overrides));
  }

  private Extensions extensions(String... overrides) {
    return load(overrides).run().extensions();
  }

  private String refused(String override) {
    String message = userError(() -> load(override));
    return message.substring(message.lastIndexOf(": plugins") + 2);
  }

  @Test
  void pluginsHaveAKindANameAndOptions() {
    assertEquals(Extensions.NONE, extensions());
    assertEquals(
        List.of(new PluginConfig("ordering", "easy_first", Map.of())),
        extensions("plugins.ordering=easy_first").plugins());
    String both = "plugins={sampler: {b: {top: 3, low: }, a: }, ordering: easy_first}";
    assertEquals(
        List.of(
            new PluginConfig("sampler", "b", Map.of("top", 3)),
            new PluginConfig("sampler", "a", Map.of()),
            new PluginConfig("ordering", "easy_first", Map.of())),
        extensions(both).plugins());
    String yaml = load("plugins.sampler={b: {top: 3}}").effectiveYaml();
    assertTrue(yaml.contains("plugins:\n  sampler:\n    b:\n      top: 3\n"), yaml);
  }

  @Test
  void rolesHaveAWorkerAPlaceAndOptions() {
    String written =
        "roles={relabel: {after: advantages}, scale: {worker: x, worker_config: {a: 2}}}";
    assertEquals(
        List.of(
            new RoleConfig("relabel", "relabel", Position.ADVANTAGES, Map.of()),
            new RoleConfig("scale", "x", Position.ROLLOUT, Map.of("a", 2))),
        extensions(written).roles());
    String yaml = load(written).effectiveYaml();
    assertTrue(yaml.contains("  scale:\n    worker: x\n    after: rollout\n"), yaml);
    UserException e =
        assertThrows(UserException.class, () -> load("roles={relabel: {after: train}}"));
    assertTrue(
        String.valueOf(e.getMessage())
            .endsWith(
                "roles.relabel.after: expected one of rollout, log_probs, advantages, found"
                    + " 'train'"),
        e::getMessage);
  }

  @Test
  void anythingElseIsRefused() {
    assertEquals(
        "plugins.ordering: expected a name, or names with options, found '3'",
        refused("plugins.ordering=3"));
    assertEquals(
        "plugins.ordering.easy: expected a mapping of options, found 'fast'",
        refused("plugins.ordering={easy: fast}"));
    String stock = refused("roles={critic: {after: rollout}}");
    assertTrue(
        stock.endsWith("roles.critic: expected a name of your own, found that of a stock role"),
        stock);
    assertEquals("plugins: expected a mapping, found 'easy'", refused("plugins=easy"));
  }

  @Test
  void namesAreWords() {
    assertEquals(
        "plugins: expected a name of letters, digits, _ and -, found '*)(a=*'",
        refused("plugins={'*)(a=*': easy}"));
    String unnamed = refused("roles={'': {worker: x}}");
    assertTrue(unnamed.endsWith("roles: expected a name for each, found ''"), unnamed);
    for (String name : List.of("a b", "reward_models.x", "../x")) {
      String role = refused("roles={'" + name + "': {worker: x}}");
      assertTrue(
          role.endsWith("roles: expected a name of letters, digits, _ and -, found '" + name + "'"),
          role);
    }
  }

  @Test
  void stockKindsHaveKeysOfTheirOwn() {
    assertEquals(
        "plugins.estimator: expected a kind of your own, found a stock one, which the key"
            + " 'adv_estimator' names",
        refused("plugins={estimator: grpo}"));
  }
}
