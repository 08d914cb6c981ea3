package roll.runtime.option;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "api_key",
        "tracker_kwargs.wandb_API_KEY",
        "X-Api-Key",
        "client_secret",
        "authorization",
        "tool_config.server.env",
        "custom_envs.A.env_config.headers.X",
        "rewards.judge.headers.",
        "tracker_kwargs.opentelemetry.headers.X",
        "a.tool_config.env.B.c"
      })
  void whatIsSecret(String key) {
    assertTrue(Secrets.is(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "eos_token",
        "max_tokens_per_step",
        "env",
        "headers",
        "env.tool_config",
        "tool_configs.env",
        "tool_config.environment",
        "my_tool_config.env",
        "response_key"
      })
  void whatIsNot(String key) {
    assertFalse(Secrets.is(key));
  }

  @Test
  void theNameOfAVariableIsNone() {
    assertTrue(Secrets.isVariable("${oc.env:KEY}"));
    assertTrue(Secrets.isVariable("Bearer ${oc.env:KEY}"));
    assertFalse(Secrets.isVariable("${oc.env:KEY,abc}"));
    assertFalse(Secrets.isVariable("${oc.env:KEY}abc"));
    assertFalse(Secrets.isVariable("abc"));
  }

  @Test
  void timeIsThatOfTheLength() {
    String key = ".tool_config".repeat(30_000);
    assertTimeout(Duration.ofSeconds(10), () -> assertFalse(Secrets.is(key)));
  }
}
