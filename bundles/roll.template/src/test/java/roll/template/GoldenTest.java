package roll.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.model.ChatTemplate;

/**
 * Genuine templates (Qwen1.5 and Qwen2.5, Apache-2.0) on the contexts of google/minja (MIT): what
 * Python's Jinja2 renders in the environment of transformers.
 */
class GoldenTest {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private record Golden(
      String template, String context_name, Map<String, Object> context, String expected) {}

  private static Path resource(String name) {
    try {
      return Path.of(GoldenTest.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> goldens() throws IOException {
    List<String> lines = Files.readAllLines(resource("golden.jsonl"));
    assertEquals(6, lines.size());
    return lines.stream()
        .map(line -> GSON.fromJson(line, Golden.class))
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.template() + " " + golden.context_name(), () -> check(golden)));
  }

  private static void check(Golden golden) {
    ChatTemplate template =
        new FolderChatTemplates().load(resource(golden.template() + ".jinja"), Clock.systemUTC());
    assertEquals(golden.expected(), template.render("golden", golden.context()));
  }

  @Test
  void windowsLineEndsAreLineEnds() throws IOException {
    String text = Files.readString(resource("Qwen2.5-7B-Instruct.jinja"));
    Map<String, Object> variables =
        Map.of("messages", List.of(Map.of("role", "user", "content", "a\r\nb")));
    String unix = TemplateSource.of("unix", text).template().render(variables, Clock.systemUTC());
    String windows =
        TemplateSource.of("windows", text.replace("\n", "\r\n"))
            .template()
            .render(variables, Clock.systemUTC());
    assertEquals(unix, windows);
    assertEquals(true, unix.contains("a\r\nb"), "what a message says stays");
  }
}
