package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.runtime.config.LoadedConfig;

class EffectiveYamlTest extends SmallConfigFixture {
  private static final String RICH =
      ConfigFiles.SMALL
          + """
          hydra: {run.dir: .}
          use_kl_loss: true
          kl_loss_coef: 1.0e-3
          advantage_clip: 0.2
          tracker_kwargs: {console: {note: 'price: \\${x}'}}
          response_length: 16
          actor_infer:
            device_mapping: list(range(0,2)) + [5]
            router_replay: {mode: disable}
            generating_args: {temperature: 0, top_k: 0}
          val_env_manager: {generating_args: {do_sample: false}}
          word: "text with: colon"
          """;

  @Test
  void itLoadsToTheSame() {
    ConfigFiles files = files();
    LoadedConfig first =
        files.load(
            RICH,
            "custom_envs.FrozenLake.agent_template='Turn {turn_idx}: \n{observation}\n'",
            "custom_envs.FrozenLake.env_config.pattern=${word}",
            "custom_envs.FrozenLake.env_config.vocab={0: yes, '#': 'null', n: '1'}");
    LoadedConfig second = files.load(first.effectiveYaml());

    assertEquals(first.run(), second.run());
    assertEquals(first.derived(), second.derived());
    assertEquals(first.effectiveYaml(), second.effectiveYaml());
    assertEquals(List.of(), second.notices());
  }

  @Test
  void whatAToolHandsOnIsNotWritten() {
    ConfigFiles files = new ConfigFiles(folder, Map.of("WEB_TOKEN", "t0p"));
    String agent = "custom_envs.FrozenLake.agent";
    LoadedConfig first =
        files.load(
            ConfigFiles.SMALL,
            agent + ".tools=[mcp]",
            agent
                + ".tool_config={mcp: {timeout: 7, servers: {files: {command: x, env: {HOME:"
                + " h1dden, 'A B': 2}}, web: {url: y, headers: {Authorization: 'Bearer"
                + " ${oc.env:WEB_TOKEN}', Cookie: h1dden}}}}}");
    String yaml = first.effectiveYaml();

    assertFalse(yaml.contains("h1dden") || yaml.contains("t0p") || yaml.contains("A B"), yaml);
    assertTrue(yaml.contains("Authorization: Bearer ${oc.env:WEB_TOKEN}"), yaml);
    String servers = agent + ".tool_config.mcp.servers.";
    assertEquals(
        Map.of(
            servers + "files.env.HOME", "h1dden",
            servers + "files.env.A B", 2,
            servers + "web.headers.Cookie", "h1dden"),
        first.secrets());
    String[] secrets =
        first.secrets().entrySet().stream()
            .map(secret -> secret.getKey() + "=" + secret.getValue())
            .toArray(String[]::new);
    assertEquals(first.run(), files.load(yaml, secrets).run());
  }

  @Test
  void itHasDefaultsButNothingWithoutEffect() {
    String yaml = files().load(RICH, "word=7", "seed=${word}").effectiveYaml();

    assertTrue(yaml.contains("\nseed: 7\n"), yaml);
    assertTrue(yaml.contains("\nadv_estimator: grpo\n"), yaml);
    assertTrue(yaml.contains("\nmax_grad_norm: 1.0\n"), yaml);
    for (String absent : List.of("hydra", "router_replay", "response_length", "word:")) {
      assertFalse(yaml.contains(absent), absent);
    }
  }
}
