package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.testkit.NodePackages;
import roll.testkit.Utf8Tokenizer;

/** The official clients for JavaScript decode what was sampled, byte for byte. */
@Tag("processes")
@Timeout(600)
class NodeClientsTest extends ClientTestBase {
  private static NodePackages packages;
  private static String script;

  @BeforeAll
  static void install(@TempDir Path folder) throws IOException, InterruptedException {
    packages = NodePackages.install(folder, "openai@6.30.1", "@anthropic-ai/sdk@1.14.0");
    try (InputStream in =
        Objects.requireNonNull(NodeClientsTest.class.getResourceAsStream("clients.mjs"))) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private JsonObject run(String mode) throws IOException, InterruptedException {
    return json(packages.run(script, mode, address("sk-right"), "sk-right"));
  }

  private static List<String> texts(JsonElement list) {
    return list.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
  }

  @Test
  void textIsDecoded() throws Exception {
    model.text = "Zürich 👩‍🚀 e\u0301 \"q\" \\ <b>&amp;</b>\u2028\r\n\n\ttab  ";
    JsonObject decoded = run("text");
    assertEquals(6, decoded.size());
    for (JsonElement one : decoded.asMap().values()) {
      assertEquals(List.of("text " + model.text), texts(one));
    }
  }

  @Test
  void parallelCallsAreDecoded() throws Exception {
    JsonObject decoded = run("calls");
    List<String> thoughtInText =
        List.of("text <think>" + THOUGHT + "</think>" + SAID, "weather " + CITY, "now {}");
    List<String> parsed = DECODED.stream().map(part -> part.replace("1.50", "1.5")).toList();
    for (String stream : List.of("", "Stream")) {
      assertEquals(thoughtInText, texts(decoded.get("chat" + stream)));
      assertEquals(DECODED, texts(decoded.get("responses" + stream)));
      assertEquals(parsed, texts(decoded.get("messages" + stream)));
    }
  }

  @Test
  void resultsOfCallsContinue() throws Exception {
    JsonObject decoded = run("continued");
    List<String> prompts =
        model.asked.stream()
            .map(asked -> new Utf8Tokenizer().decode(asked.prompt(), false))
            .toList();
    String begun = "system: Be brief.\nuser: hi\n";
    assertEquals(List.of(begun, CONTINUED, begun, CONTINUED, CONTINUED, begun, CONTINUED), prompts);
    assertEquals(DECODED, texts(decoded.get("stored")));
    assertTrue(texts(decoded.get("errors")).getFirst().startsWith("NotFoundError 404"));
  }

  @Test
  void refusalsHaveTheFormOfTheirDialect() throws Exception {
    assertEquals(
        List.of(
            "BadRequestError 400 temperature",
            "BadRequestError 400 temperature",
            "BadRequestError 400 invalid_request_error",
            "NotFoundError 404 model",
            "NotFoundError 404 not_found_error",
            "AuthenticationError 401 invalid_request_error",
            "AuthenticationError 401 authentication_error"),
        texts(run("failures").get("errors")));
    assertTrue(model.asked.isEmpty());
  }
}
