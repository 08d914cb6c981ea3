package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import roll.api.option.UserException;

/** A model served in the background answers after its command has returned, until it is stopped. */
@Tag("framework")
@Timeout(120)
class ServeTest {
  private static final String NOTHING = "no server is running; see serve --help\n";
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/v1");
  private static final Path MODEL = SmallRuns.config("models/frozen-lake-tiny");

  private final HttpClient client = HttpClient.newHttpClient();

  /** Stops all servers. */
  @AfterEach
  void stopAll() throws Exception {
    Matcher served = ADDRESS.matcher(CommandsTest.run("roll:serve"));
    while (served.find()) {
      CommandsTest.run("roll:serve --stop " + served.group(1));
    }
    client.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--background", "&"})
  void itAnswersWhenTheCallHasReturned(String background) throws Exception {
    URI address = serve(background);
    for (int i = 0; i < 5; i++) {
      assertAnswers(address);
    }
    assertEquals("m at " + address + "\n", CommandsTest.run("roll:serve"));
    assertEquals(
        "stopped m at " + address + "\n",
        CommandsTest.run("roll:serve --stop " + address.getPort()));
    assertThrows(ConnectException.class, () -> complete(address));
    assertEquals(NOTHING, CommandsTest.run("roll:serve"));
  }

  /** Two servers end separately; a failed start in between ends neither. */
  @Test
  void twoAreServedAndEndOneAfterTheOther() throws Exception {
    URI first = serve("--background");
    URI second = serve("--background");
    assertThrows(UserException.class, () -> serve("--background --port " + first.getPort()));
    assertAnswers(first);
    CommandsTest.run("roll:serve --stop " + first.getPort());
    assertAnswers(second);
    assertEquals("m at " + second + "\n", CommandsTest.run("roll:serve"));
  }

  /** Grammars need the classes of Lucene that roll.sampling carries. */
  @Test
  void anAnswerHasItsFormat() throws Exception {
    String pattern = "(Left|Up){2,4}";
    HttpResponse<String> answer =
        post(
            serve("--background") + "/completions",
            "{\"model\":\"m\",\"prompt\":\"Up\",\"max_tokens\":30,\"seed\":1,"
                + "\"structured_outputs\":{\"regex\":\"%s\"}}".formatted(pattern));
    assertEquals(200, answer.statusCode(), answer.body());
    String text =
        JsonParser.parseString(answer.body())
            .getAsJsonObject()
            .getAsJsonArray("choices")
            .get(0)
            .getAsJsonObject()
            .get("text")
            .getAsString();
    assertTrue(text.matches(pattern), text);
  }

  /** A server ends when the framework stops, or a bundle it uses is replaced. */
  @ParameterizedTest
  @ValueSource(strings = {"roll.shell", "roll.serve", "roll.strategy.vllm", "roll.torch"})
  void itEndsWithWhatItIsMadeOf(String part) throws Exception {
    URI address = serve("--background");
    assertAnswers(address);
    Bundle bundle = BundleContent.bundle(part);
    bundle.stop();
    try {
      assertThrows(ConnectException.class, () -> complete(address));
    } finally {
      bundle.start();
    }
    assertEquals(NOTHING, CommandsTest.run("roll:serve"));
    assertAnswers(serve("--background"));
  }

  /** A dialect is removed and added while a server runs; without a template it refuses all. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chat_completions | /chat/completions |"
            + " \"messages\":[{\"role\":\"user\",\"content\":\"a\"}]",
        "messages | /messages |"
            + " \"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]",
        "responses | /responses | \"input\":\"a\""
      })
  void dialectsComeAndGo(String dialect, String path, String more) throws Exception {
    URI address = serve("--background");
    String body = "{\"model\":\"m\"," + more + "}";
    assertTrue(post(address + path, body).body().contains("has no chat template"));
    Bundle bundle = BundleContent.bundle("roll.dialect." + dialect);
    bundle.stop();
    try {
      assertEquals(404, post(address + path, body).statusCode());
      assertAnswers(address);
    } finally {
      bundle.start();
    }
    assertEquals(400, post(address + path, body).statusCode());
  }

  private static URI serve(String options) throws Exception {
    String program =
        "roll:serve '"
            + MODEL
            + "' --random-weights --template none --served-model-name m "
            + (options.contains("--port") ? "" : "--port 0 ")
            + options;
    String said = options.equals("&") ? background(program) : CommandsTest.run(program);
    Matcher address = ADDRESS.matcher(said);
    assertTrue(address.find(), said);
    return URI.create(address.group());
  }

  /** Returns the output of {@code program} after its job has ended. */
  private static String background(String program) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    try (CommandSession session =
        SmallRuns.service(CommandProcessor.class)
            .createSession(InputStream.nullInputStream(), out, out)) {
      session.execute(program);
      Waits.until(() -> session.jobs().isEmpty());
      return CommandsTest.run("roll:serve");
    }
  }

  private void assertAnswers(URI address) throws IOException, InterruptedException {
    HttpResponse<String> answer = complete(address);
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals(
        3,
        JsonParser.parseString(answer.body())
            .getAsJsonObject()
            .getAsJsonObject("usage")
            .get("completion_tokens")
            .getAsInt());
  }

  private HttpResponse<String> complete(URI address) throws IOException, InterruptedException {
    return post(
        address + "/completions",
        "{\"model\":\"m\",\"prompt\":\"Up\",\"max_tokens\":3,\"seed\":1}");
  }

  private HttpResponse<String> post(String address, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
