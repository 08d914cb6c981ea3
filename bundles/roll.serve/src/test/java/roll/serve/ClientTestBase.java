package roll.serve;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;

/** A model that thinks, says something and calls two tools at once. */
abstract class ClientTestBase extends ServerTestBase {
  static final String THOUGHT = "\nhm, Zürich\n";
  static final String SAID = "\n\nLet me see.";
  static final String CITY = "{\"city\":\"Zürich\",\"n\":1.50}";
  static final String ANSWER =
      ("<think>" + THOUGHT + "</think>" + SAID + "\n<tool_call>\n")
          + ("{\"name\": \"weather\", \"arguments\": " + CITY + "}\n</tool_call>\n")
          + "<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>";

  /** The parts of {@link #ANSWER} for a client. */
  static final List<String> DECODED =
      List.of("thought " + THOUGHT, "text " + SAID, "weather " + CITY, "now {}");

  /** The prompt that continues {@link #ANSWER} with the results of its calls. */
  static final String CONTINUED =
      ("system: Be brief.\nuser: hi\nassistant: <think>" + THOUGHT + "</think>" + SAID + "\n")
          + "<tool_call>\n"
          + "{\"name\": \"weather\", \"arguments\": {\"city\": \"Zürich\", \"n\": 1.5}}\n"
          + "</tool_call>\n"
          + "<tool_call>\n"
          + "{\"name\": \"now\", \"arguments\": {}}\n"
          + "</tool_call>\n"
          + "tool: sun\n"
          + "tool: noon\n";

  @BeforeEach
  void script() {
    model.text = ANSWER;
    template =
        (where, context) -> {
          StringBuilder text = new StringBuilder();
          for (Object message : (List<?>) Objects.requireNonNull(context.get("messages"))) {
            Map<?, ?> entry = (Map<?, ?>) message;
            text.append(entry.get("role")).append(": ").append(entry.get("content")).append('\n');
          }
          return text.toString();
        };
  }

  /** Starts the server, with {@code key} if it is not empty, and returns its address. */
  String address(String key) {
    var unused = client(model, key.isEmpty() ? null : key, 16);
    return "http://127.0.0.1:" + serving().address().getPort();
  }
}
