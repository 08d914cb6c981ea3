package roll.env.remote;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Optional;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.bridge.PeerException;

/**
 * Conversion of observations.
 *
 * @param text field to show; empty for all
 * @param picture field with a picture, if any
 * @param actions field with the valid actions, if any
 * @param metrics fields of metrics
 */
record ObservationFormat(
    Optional<FieldPath> text,
    Optional<FieldPath> picture,
    Optional<FieldPath> actions,
    List<FieldPath> metrics) {
  /**
   * Returns the format that {@code options} specify.
   *
   * @param schema schema of the server's observations; empty if unknown
   * @throws roll.api.option.UserException if they specify an unknown field
   */
  static ObservationFormat of(Options options, JsonSchema schema) {
    return new ObservationFormat(
        path(options, OpenEnvOptions.OBSERVATION, schema),
        path(options, OpenEnvOptions.PICTURE, schema),
        path(options, OpenEnvOptions.ACTIONS, schema),
        options.get(OpenEnvOptions.METRICS).stream()
            .map(name -> checked(options, OpenEnvOptions.METRICS, name, schema))
            .toList());
  }

  private static Optional<FieldPath> path(
      Options options, Option<String> option, JsonSchema schema) {
    return options.find(option).map(name -> checked(options, option, name, schema));
  }

  private static FieldPath checked(
      Options options, Option<?> option, String name, JsonSchema schema) {
    FieldPath path = FieldPath.of(name);
    schema.check(options, option, path.first());
    return path;
  }

  /**
   * Converts {@code data} to an answer of the protocol in README.md.
   *
   * @param data observation, reward and done
   * @param choices actions that are always valid
   * @throws PeerException if a field has the wrong type
   */
  JsonObject answer(JsonObject data, List<String> choices) {
    JsonObject observation = new AnswerFields(data).mapping("observation");
    JsonObject answer = new JsonObject();
    answer.addProperty("observation", shown(observation));
    picture
        .map(path -> path.in(observation))
        .ifPresent(seen -> answer.addProperty("picture", PixelArrays.picture(seen)));
    answer.add("actions", valid(observation, choices));
    answer.add("reward", data.get("reward"));
    answer.add("terminated", data.get("done"));
    JsonObject numbers = new JsonObject();
    for (FieldPath path : metrics) {
      JsonElement number = path.in(observation);
      if (number != null) {
        numbers.add(path.names().getLast(), number);
      }
    }
    answer.add("metrics", numbers);
    return answer;
  }

  private String shown(JsonObject observation) {
    if (text.isPresent()) {
      JsonElement field = text.get().in(observation);
      return field == null
          ? ""
          : field instanceof JsonPrimitive given ? given.getAsString() : field.toString();
    }
    JsonObject all = observation.deepCopy();
    picture.ifPresent(path -> path.remove(all));
    return all.toString();
  }

  private JsonArray valid(JsonObject observation, List<String> choices) {
    JsonArray valid = new JsonArray();
    JsonElement listed = actions.map(path -> path.in(observation)).orElse(null);
    if (listed == null) {
      choices.forEach(valid::add);
      return valid;
    }
    if (!(listed instanceof JsonArray all)) {
      throw PeerException.refused(
          "the observation's %s are no list of actions".formatted(actions.orElseThrow()));
    }
    for (JsonElement one : all) {
      valid.add(one instanceof JsonPrimitive action ? action.getAsString() : one.toString());
    }
    return valid;
  }
}
