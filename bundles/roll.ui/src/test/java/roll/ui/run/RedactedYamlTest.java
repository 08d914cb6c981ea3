package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactedYamlTest {
  private static String shown(String yaml) {
    return RedactedYaml.of(yaml).text();
  }

  @Test
  void what_is_no_secret_stays_as_it_is() {
    String yaml =
        """
        exp_name: lake
        custom_envs:
          Lake:
            max_tokens_per_step: 8
            tools:
            - name: search
              tool_config: {top_k: 3}
            - name: calculator
        text: |
          a: b

          - c
        address: https://example.org/a?b=c
        """;
    assertEquals(yaml, shown(yaml));
  }

  @Test
  void values_of_secret_keys_are_left_out() {
    assertEquals("api_key: …\nseed: 1", shown("api_key: abc\nseed: 1"));
    assertEquals("'wandb_api_key': …", shown("'wandb_api_key': \"a: b\""));
    assertEquals("- password: …\n  name: x", shown("- password: abc\n  name: x"));
    assertEquals("a:\n  secret: …\nb: 1", shown("a:\n  secret: |\n    line\n\n    line\nb: 1"));
    assertEquals("a:\n  secret: …\n  b: 1", shown("a:\n  secret:\n  - one\n  - two\n  b: 1"));
    assertEquals("a:\n  secret: …\n  b: 1", shown("a:\n  secret: \"one\n    two\"\n  b: 1"));
    assertEquals("a: {api_key: …, b: 1}", shown("a: {api_key: abc, b: 1}"));
    assertEquals("a: {\"api_key\": …}", shown("a: {\"api_key\": \"abc\"}"));
    assertEquals("a: {api_key: …, b: 1}", shown("a: {api_key: 'a, b: c', b: 1}"));
    assertEquals("a: {api_key: …}", shown("a: {api_key: '${oc.env:KEY,abc}'}"));
    assertEquals("a: {api_key: '${oc.env:KEY}'}", shown("a: {api_key: '${oc.env:KEY}'}"));
    assertEquals("url: https://…@host/x", shown("url: https://me:word@host/x"));
  }

  @Test
  void what_a_tool_hands_on_is_left_out() {
    String yaml =
        """
        tools:
        - name: mcp
          tool_config:
            server:
              env:
                TOKEN: abc
                OTHER: def
              command: run
            headers: {Authorization: Bearer abc}
        """;
    String shown = shown(yaml);
    for (String secret : new String[] {"abc", "def"}) {
      assertFalse(shown.contains(secret), shown);
    }
    assertEquals(
        """
        tools:
        - name: mcp
          tool_config:
            server:
              env: …
              command: run
            headers: …
        """,
        shown);
  }

  @Test
  void the_name_of_a_variable_is_no_secret() {
    assertEquals("api_key: ${oc.env:KEY}", shown("api_key: ${oc.env:KEY}"));
    assertEquals("api_key: …", shown("api_key: ${oc.env:KEY,abc}"));
  }

  @Test
  void itDoesNotMatterHowAKeyIsWritten() {
    assertEquals("\"api\\x5fkey\": …\nb: 1", shown("\"api\\x5fkey\": abc\nb: 1"));
    assertEquals("\"api\\u005fkey\": …", shown("\"api\\u005fkey\": abc"));
    assertEquals("? api_key: …", shown("? api_key\n: abc"));
    assertEquals("a: {\"api_key\": …}", shown("a: {\"api_key\":\"abc\"}"));
    assertEquals("X-Api-Key: …", shown("X-Api-Key: abc"));
    assertEquals("authorization: …", shown("authorization: Bearer abc"));
    assertEquals("!!str api_key: …", shown("!!str api_key: abc"));
  }

  @Test
  void whatAnAliasStandsForIsASecretToo() {
    assertEquals("x: …\napi_key: …", shown("x: &a abc\napi_key: *a"));
    assertEquals("x: …\nsecret: …\nb: 1", shown("x: &a abc\nsecret: [*a, d]\nb: 1"));
    assertEquals("x: …\nsecret: …", shown("x: &a {b: abc}\nsecret: *a"));
  }

  /** The list of runs and comparisons show values of keys. */
  @Test
  void whatAnAliasStandsForIsNoValueOfAKey() {
    for (String yaml :
        new String[] {
          "x: &a abc\napi_key: *a\nb: 1",
          "api_key: &a abc\nx: *a\nb: 1",
          "x: &a {c: abc}\nsecret: [*a]\nb: 1",
          "x: &a [abc]\nsecret: {d: *a}\nb: 1"
        }) {
      assertEquals(Map.of("b", "1"), RedactedYaml.of(yaml).keys(), yaml);
    }
  }

  @Test
  void secretsInTextsAndComments() {
    assertEquals("# api_key: …\na: 1", shown("# api_key: abc\na: 1"));
    assertEquals("url: https://host/x?api_key=…&b=1", shown("url: https://host/x?api_key=abc&b=1"));
    assertEquals(
        "command: [curl, -H, 'Authorization: …']",
        shown("command: [curl, -H, 'Authorization: Bearer abc']"));
    assertEquals("a: \ud83d\ude00\napi_key: …\nb: 1", shown("a: \ud83d\ude00\napi_key: abc\nb: 1"));
  }

  @Test
  void whatIsNoYamlIsNotShown() {
    String line = "# not shown: it is not YAML, so its secrets are unknown\n";
    assertEquals(line, shown("a: [b\napi_key: abc"));
    assertEquals(line, shown("a: \u0001"));
    assertEquals(line, shown("[".repeat(100_000)));
    assertEquals("", shown(""));
  }

  /** Texts for which a pattern takes quadratic time or more. */
  @ParameterizedTest
  @ValueSource(strings = {" ", "a", "- ", "'", "a: ", "{a: ", "&a *a ", "\n", "api_key: ", "# "})
  void timeIsThatOfTheLength(String part) {
    String yaml = "a" + part.repeat(300_000 / part.length()) + "b";
    assertTimeout(Duration.ofSeconds(20), () -> assertFalse(shown(yaml).isEmpty()));
  }
}
