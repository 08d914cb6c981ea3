package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.testkit.TestOptions;

/** A mistake of the user's gets one line that says what and where. */
class MistakesTest {
  @TempDir Path folder;

  private static String complaint(Map<String, Object> config) {
    return userError(() -> Excerpt.scenario(new WebshopEnvironment(), config));
  }

  private String complaint(String name, String content) throws IOException {
    Path file = Files.writeString(folder.resolve(name), content);
    String message = complaint(Map.of("file_path", file.toString()));
    assertTrue(message.startsWith(file.toString()), message);
    return message.substring(file.toString().length());
  }

  @Test
  void keys() {
    assertEquals(
        "env_config.server: not supported, sessions with the same products share one shop",
        complaint(Map.of("server", "localhost")));
    assertEquals(
        "env_config.observation_mode: expected one of text, found 'html'",
        complaint(Map.of("observation_mode", "html")));
    assertEquals(
        "env_config.limit_goals: expected -1 (all) or an integer from 1, found '0'",
        complaint(Map.of("limit_goals", 0)));
    assertEquals(
        "env_config.filter_goals: expected an expression that matches some instruction, found"
            + " 'submarine'",
        complaint(Map.of("filter_goals", "submarine")));
    assertEquals(
        "env_config.filter_goals: expected a regular expression (Unclosed group), found '('",
        complaint(Map.of("filter_goals", "(")));
    assertEquals(
        "env_config.num_products: expected an integer from 1 to 10000000, found '0'",
        complaint(Map.of("num_products", 0)));
    assertEquals(
        "env_config.file_path: expected an existing file, found 'nowhere.json'",
        complaint(Map.of("file_path", "nowhere.json")));
    assertEquals("env_config.attr_path needs file_path", complaint(Map.of("attr_path", "a.json")));
  }

  @Test
  void files() throws IOException {
    String good = "{\"asin\": \"B1\", \"Title\": \"Box\", \"query\": \"boxes\"}\n";
    assertEquals(":2: not valid JSON", complaint("a.jsonl", good + "{\"asin\": \n"));
    assertEquals(":3: 'asin' is missing", complaint("b.jsonl", good + "\n{\"Title\": \"Box\"}"));
    assertEquals(
        ":1: 'Title' must be a text, found '[1]'",
        complaint("c.jsonl", "{\"asin\": \"B1\", \"query\": \"x\", \"Title\": [1]}"));
    assertEquals(":2: expected a JSON object, found '7'", complaint("d.json", "[" + good + ",7]"));
    assertEquals(
        ":3: 'query' is missing", complaint("e.json", "[\n\n{\"asin\":\"B1\",\"name\":\"a\"}]"));
    assertEquals(":2: not valid JSON", complaint("f.json", "[" + good + "{"));
    assertEquals(": no product in it", complaint("g.json", "[]"));
    assertEquals(": no product in it", complaint("h.json", ""));
    assertEquals(
        ":1: 'pricing' must be numbers, found '\"1.2.3\"'",
        complaint("i.jsonl", good.replace("}", ", \"pricing\": \"1.2.3\"}")));
  }

  @Test
  void productsWithoutInstructions() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("plain.jsonl"),
            "{\"asin\": \"B1\", \"Title\": \"Box\", \"query\": \"boxes\"}");
    assertEquals(
        "env_config.human_goals: expected true, since the products have no such instructions, found"
            + " 'false'",
        complaint(Map.of("file_path", file.toString())));
  }

  @Test
  void instructionFiles() throws IOException {
    Path products = Excerpt.file(folder);
    Path human = Files.writeString(folder.resolve("items_human_ins.json"), "{\n\"B1\":\n 3}");
    assertEquals(
        human + ":2: expected a list of instructions, found '3'",
        complaint(Map.of("file_path", products.toString())));
    Files.writeString(human, "[]");
    assertTrue(
        complaint(Map.of("file_path", products.toString())).startsWith(human + ":1: "),
        "an array instead of an object");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFilterThatTakesAgesFindsNothing() {
    assertTrue(
        complaint(Map.of("filter_goals", "(([a-z ]+)+)+!", "num_products", 5))
            .startsWith("env_config.filter_goals: expected an expression"));
  }

  @Test
  void whatReadsFilesOrIsLargeIsNotPlayedAgainForOthers() {
    assertTrue(safe(Map.of("num_products", 1000)));
    assertFalse(safe(Map.of("num_products", 1001)));
    assertFalse(safe(Map.of("file_path", "/any/file")));
    assertFalse(safe(Map.of("human_attr_path", "/any/file")));
  }

  private static boolean safe(Map<String, Object> config) {
    WebshopEnvironment environment = new WebshopEnvironment();
    return environment.safeToReplay(TestOptions.of("env_config", config, environment.options()));
  }
}
