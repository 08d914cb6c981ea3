package roll.openai.request;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import roll.text.call.HermesParser;

/**
 * The choice of a request among its tools. A call is forced by a prefix: the beginning of the
 * response, which belongs to the prompt and is not sampled.
 *
 * @param tools tools that the prompt lists, in the form of chat completions
 * @param prefix beginning of a forced call; empty if the model decides
 */
public record ToolChoice(List<?> tools, String prefix) {
  /** The parameter in all dialects. */
  public static final String NAME = "tool_choice";

  /** Returns the choice that calls none, so that the prompt lists none. */
  public static ToolChoice none() {
    return new ToolChoice(List.of(), "");
  }

  /** Returns the choice that leaves the decision to the model. */
  public static ToolChoice auto(List<?> tools) {
    return new ToolChoice(tools, "");
  }

  /**
   * Returns the choice that calls any of {@code tools}.
   *
   * @throws ApiException if there are none
   */
  public static ToolChoice any(List<?> tools) {
    if (tools.isEmpty()) {
      throw ApiException.invalid(NAME, "a call is required, and the request has no tools");
    }
    return tools.size() == 1
        ? new ToolChoice(tools, prefix(name(tools.getFirst())))
        : new ToolChoice(tools, HermesParser.OPEN + "\n{\"name\": \"");
  }

  /**
   * Returns the choice that calls {@code name}.
   *
   * @throws ApiException if no tool has that name
   */
  public static ToolChoice named(List<?> tools, String name) {
    if (tools.stream().noneMatch(tool -> name(tool).equals(name))) {
      throw ApiException.invalid(NAME, "there is no tool '" + name + "' in 'tools'");
    }
    return new ToolChoice(tools, prefix(name));
  }

  /** Ends where the tokens of calls that models write do, before the space. */
  private static String prefix(String name) {
    return HermesParser.OPEN + "\n{\"name\": " + new JsonPrimitive(name) + ", \"arguments\":";
  }

  private static String name(Object tool) {
    return tool instanceof Map<?, ?> entry && entry.get("function") instanceof Map<?, ?> function
        ? String.valueOf(function.get("name"))
        : "";
  }

  /**
   * Reads the choice in the words of OpenAI.
   *
   * @param named returns the name of the tool in a choice that is an object
   */
  public static ToolChoice read(
      RequestFields fields, List<?> tools, Function<JsonObject, String> named) {
    JsonElement choice = fields.get(NAME);
    if (choice instanceof JsonObject object) {
      if (!JsonParts.text(NAME, object, "type").equals("function")) {
        throw ApiException.invalid(NAME + ".type", "this server chooses functions only");
      }
      return named(tools, named.apply(object));
    }
    String word = choice == null ? "auto" : fields.text(NAME);
    return switch (word) {
      case "auto" -> auto(tools);
      case "none" -> none();
      case "required" -> any(tools);
      case null, default -> throw fields.wrong(NAME, "none, auto, required or a function");
    };
  }

  /** Returns the refusal of a forced call where the chat template has begun a thought. */
  public static ApiException inThought() {
    return ApiException.invalid(
        NAME, "the prompt begins a thought, so a call cannot be forced; turn thinking off");
  }
}
