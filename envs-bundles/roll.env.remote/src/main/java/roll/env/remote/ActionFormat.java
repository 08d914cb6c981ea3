package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * Conversion of responses to actions.
 *
 * @param field field of the action to set; empty if the response is the whole action in JSON
 * @param type JSON Schema type of the field; {@code string} if unknown
 * @param choices valid values of the field; empty for any
 * @param others constant fields of every action
 */
record ActionFormat(
    Optional<FieldPath> field, String type, List<String> choices, JsonObject others) {
  private static final String ANSWER = "<answer>";
  private static final String ANSWER_END = "</answer>";
  private static final int LONGEST_NUMBER = 40;

  /**
   * Returns the format that {@code options} specify.
   *
   * @param schema schema of the server's actions; empty if unknown
   * @throws UserException if they specify no field, or an unknown one
   */
  static ActionFormat of(Options options, JsonSchema schema) {
    JsonObject others = RemoteOptions.json(options, OpenEnvOptions.ACTION_FIELDS);
    boolean json = options.get(OpenEnvOptions.ACTION_JSON);
    for (String name : others.keySet()) {
      schema.check(options, OpenEnvOptions.ACTION_FIELDS, name);
    }
    if (json && options.has(OpenEnvOptions.ACTION)) {
      throw options.wrong(OpenEnvOptions.ACTION, "absent, or action_json false");
    }
    if (json) {
      return new ActionFormat(Optional.empty(), "object", List.of(), others);
    }
    if (options.has(OpenEnvOptions.ACTION)) {
      FieldPath path = FieldPath.of(options.get(OpenEnvOptions.ACTION));
      schema.check(options, OpenEnvOptions.ACTION, path.first());
      return of(path, schema, others);
    }
    List<String> required = schema.required().stream().filter(name -> !others.has(name)).toList();
    if (required.size() != 1) {
      String all = schema.fields().stream().map(schema::shown).collect(Collectors.joining(", "));
      throw new UserException(
          "%s: an action of this server has %s; action names the field that the response becomes,"
                  .formatted(options.where(), all.isEmpty() ? "fields it does not tell" : all)
              + " or action_json: true leaves all to the agent");
    }
    return of(FieldPath.of(required.getFirst()), schema, others);
  }

  private static ActionFormat of(FieldPath path, JsonSchema schema, JsonObject others) {
    boolean outer = path.names().size() == 1;
    return new ActionFormat(
        Optional.of(path),
        outer ? schema.type(path.first()) : "string",
        outer ? schema.choices(path.first()) : List.of(),
        others);
  }

  /**
   * Parses the text between the last {@code <answer>} and {@code </answer>}, or the whole response.
   *
   * @throws IllegalArgumentException if it is invalid; the message is for the agent
   */
  JsonObject action(String response) {
    String word = answer(response);
    JsonObject action = others.deepCopy();
    if (field.isPresent()) {
      field.get().put(action, value(word));
    } else if (parsed(word) instanceof JsonObject given) {
      given.entrySet().forEach(entry -> action.add(entry.getKey(), entry.getValue()));
    } else {
      throw new IllegalArgumentException("an action is a JSON object");
    }
    return action;
  }

  private static String answer(String response) {
    String word = response;
    int start = response.indexOf(ANSWER);
    while (start >= 0) {
      int from = start + ANSWER.length();
      int end = response.indexOf(ANSWER_END, from);
      if (end < 0) {
        break;
      }
      word = response.substring(from, end);
      start = response.indexOf(ANSWER, end + ANSWER_END.length());
    }
    return word.strip();
  }

  private JsonElement value(String word) {
    return switch (type) {
      case "string" -> new JsonPrimitive(choices.isEmpty() ? word : choice(word));
      case "integer", "number" -> number(word);
      case "boolean" -> {
        if (!word.equals("true") && !word.equals("false")) {
          throw new IllegalArgumentException("an action is true or false");
        }
        yield new JsonPrimitive(word.equals("true"));
      }
      default -> parsed(word);
    };
  }

  private String choice(String word) {
    for (String choice : choices) {
      if (choice.equalsIgnoreCase(word)) {
        return choice;
      }
    }
    throw new IllegalArgumentException("an action is one of " + String.join(", ", choices));
  }

  private JsonElement number(String word) {
    try {
      BigDecimal number = new BigDecimal(word.length() <= LONGEST_NUMBER ? word : "");
      if (Math.abs((long) number.scale()) <= LONGEST_NUMBER) { // 1e999999999 is short too
        return new JsonPrimitive(
            type.equals("integer") ? number.toBigIntegerExact() : number.doubleValue());
      }
    } catch (ArithmeticException | NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        type.equals("integer") ? "an action is an integer" : "an action is a number");
  }

  private static JsonElement parsed(String word) {
    try {
      JsonElement read = JsonParser.parseString(word);
      return read == null ? JsonNull.INSTANCE : read;
    } catch (JsonParseException | StackOverflowError e) {
      throw new IllegalArgumentException("an action is written in JSON", e);
    }
  }
}
