package roll.runtime.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretRedactorTest {
  private static void assertShown(String shown, String text) {
    assertEquals(shown, SecretRedactor.hidden(text));
    assertEquals(shown, SecretRedactor.hidden(shown), "nothing is hidden twice");
  }

  @Test
  void headers() {
    assertShown("Authorization: …", "Authorization: Bearer abc.def");
    assertShown("authorization: …\nHost: x", "authorization: Basic YTpi==\nHost: x");
    assertShown(
        "curl -H \"Authorization: …\" http://a", "curl -H \"Authorization: Bearer abc\" http://a");
    assertShown(
        "{\"Authorization\": \"…\", \"b\": 1}", "{\"Authorization\": \"Bearer abc\", \"b\": 1}");
    assertShown("{'Proxy-Authorization': '…'}", "{'Proxy-Authorization': 'Basic abc'}");
    assertShown("X-Api-Key: …", "X-Api-Key: abc");
    assertShown("Set-Cookie: …", "Set-Cookie: a=b; Path=/");
    assertShown("sent Bearer … to it", "sent Bearer a1b2c3 to it");
  }

  @Test
  void addresses() {
    assertShown("https://…@host/x", "https://me:word@host/x");
    assertShown("https://host/x?api_key=…&b=c", "https://host/x?api_key=abc&b=c");
    assertShown("GET /x?b=c&key=… HTTP", "GET /x?b=c&key=abc HTTP");
    assertShown("http://host/#token=…", "http://host/#token=abc");
    assertShown("http://host/?api%5Fkey=…", "http://host/?api%5Fkey=abc");
    assertShown("http://host/?access-token=…", "http://host/?access-token=abc");
  }

  @Test
  void namesInJson() {
    assertShown("{\"api_key\":\"…\"}", "{\"api_key\":\"abc\"}");
    assertShown("{\"api_key\": \"…\", \"b\": 1}", "{\"api_key\": \"a\\\"b, c\", \"b\": 1}");
    assertShown("{\\\"api_key\\\": \\\"…\\\", b", "{\\\"api_key\\\": \\\"a\\\\\\\"b\\\", b");
    assertShown("{\"api\\u005fkey\": \"…\"}", "{\"api\\u005fkey\": \"abc\"}");
    assertShown("{\"api_key\": …, \"b\": 1}", "{\"api_key\": [\"abc\", {\"d\": 1}], \"b\": 1}");
    assertShown("secret: …", "secret: {a: [b");
    assertShown("{'password': '…'}", "{'password': 'it''s'}");
    assertShown("\"client_secret\": \"…", "\"client_secret\": \"not closed");
  }

  @Test
  void namesInText() {
    assertShown("api_key=… model=x", "api_key=abc model=x");
    assertShown("call(api_key=…, b=1)", "call(api_key=abc, b=1)");
    assertShown("password: …", "password: abc");
    assertShown("./roll join h:7800 --token …", "./roll join h:7800 --token r1.-nob");
    assertShown("serve m --api-key … --port 1", "serve m --api-key abc --port 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_tokens: 8, eos_token: <|im_end|>",
        "custom_envs.A.tool_config.api_key: without one the run is refused",
        "api_key: expected text, found '…'",
        "api_key: ${oc.env:KEY}",
        "Authorization: Bearer ${oc.env:KEY}",
        "a bearer of good news",
        "key: value; token = 3; http://host:80/a?b=c",
        "required of every request: --api-key <key> or --token -x",
        "api_key:",
        ""
      })
  void whatIsNoSecretStays(String text) {
    assertShown(text, text);
  }

  @Test
  void aDefaultOfAVariableIsASecret() {
    assertShown("api_key: …", "api_key: ${oc.env:KEY,abc}");
  }

  @Test
  void whatWasSaidMayNameAPassword() {
    String said = "The password: blue";
    assertEquals(said, SecretRedactor.hiddenInSpeech(said));
    assertEquals("The password: …", SecretRedactor.hidden(said));
    for (String words : List.of("authorization: the act of allowing", "a cookie: chocolate")) {
      assertEquals(words, SecretRedactor.hiddenInSpeech(words));
    }
    assertEquals("Authorization: …", SecretRedactor.hiddenInSpeech("Authorization: Bearer abc"));
    assertEquals("Authorization: …", SecretRedactor.hiddenInSpeech("Authorization: s3cr3t"));
    assertEquals("\"password\": \"…\"", SecretRedactor.hiddenInSpeech("\"password\": \"blue\""));
    assertEquals(List.of(new SecretRedactor.Span(8, 11)), SecretRedactor.inSpeech("api_key=abc d"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        ":",
        "=",
        "a",
        "\\",
        "\"",
        "'",
        "api_key=",
        "api_key: ",
        "api_key: \"",
        "://",
        "a@",
        "Bearer ",
        "--token ",
        "${",
        "api_key=${oc.env:",
        "authorization:",
        "authorization:${oc.env:",
        "\"api_key\":\"\\\"",
        "%5f",
        "\n",
        "token=&",
        "authorization: x ",
        "cookie: ",
        "password:",
        "password: "
      })
  void timeIsThatOfTheLength(String part) {
    String text = part.repeat(400_000 / part.length());
    for (String whole : List.of(text, "api_key: " + text, "a" + text + "b", "https://" + text)) {
      assertTimeout(
          Duration.ofSeconds(10), () -> assertFalse(SecretRedactor.hidden(whole).isEmpty()));
      assertTimeout(Duration.ofSeconds(10), () -> SecretRedactor.inSpeech(whole));
    }
  }
}
