package roll.env.dataset;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import roll.api.data.Message;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.text.chat.JsonText;

/**
 * The functions of a row of the Berkeley Function Calling Leaderboard, which a system message lists
 * and the model calls with Hermes' tags.
 */
final class QuestionFunctions {
  private static final String KEY = "function";
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private QuestionFunctions() {}

  /** Returns whether {@code row} lists functions. */
  static boolean are(Row row) {
    Object field = row.fields().get(KEY);
    return field instanceof List<?> || JsonText.is(field, '[');
  }

  /**
   * Returns the message with the functions of {@code row}.
   *
   * @param system the row's own system message; may be empty
   * @throws UserException if a function has no name or parameters
   */
  static Message message(Row row, String system) {
    if (!(JsonText.parsed(row.fields().get(KEY)) instanceof List<?> functions)
        || functions.isEmpty()
        || !functions.stream().allMatch(QuestionFunctions::callable)) {
      throw new UserException(
          row.where() + ": " + KEY + ": expected mappings with 'name' and 'parameters'");
    }
    String listed = functions.stream().map(GSON::toJson).collect(Collectors.joining("\n"));
    String begin = system.isEmpty() ? "" : system + "\n\n";
    return new Message(
        "system",
        begin
            + """
            These functions can be called:
            <tools>
            %s
            </tools>
            Write each call as one JSON object between tags:
            <tool_call>
            {"name": "<function>", "arguments": {"<parameter>": <value>}}
            </tool_call>\
            """
                .formatted(listed));
  }

  private static boolean callable(Object function) {
    return function instanceof Map<?, ?> map
        && map.get("name") instanceof String
        && map.get("parameters") instanceof Map<?, ?>;
  }
}
