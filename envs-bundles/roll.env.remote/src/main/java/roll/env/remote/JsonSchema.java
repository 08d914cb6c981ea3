package roll.env.remote;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * The fields of an object, as JSON Schema tells of them; what is not understood of it is not known.
 *
 * @param schema of the object; empty where nothing is known
 */
record JsonSchema(JsonObject schema) {
  /** What every action of OpenEnv may have, and no agent needs. */
  private static final String METADATA = "metadata";

  /** That of an observation as it is sent: reward and done stand beside it, metadata nowhere. */
  static JsonSchema sent(JsonObject observation) {
    JsonObject schema = observation.deepCopy();
    for (String kept : List.of("done", "reward", METADATA)) {
      JsonElement _ = object(schema.get("properties")).remove(kept);
    }
    return new JsonSchema(schema);
  }

  /** The names of its fields; none where they are not known. */
  List<String> fields() {
    return object(schema.get("properties")).keySet().stream()
        .filter(name -> !name.equals(METADATA))
        .toList();
  }

  /** The names of those that must be there. */
  List<String> required() {
    return texts(schema.get("required")).stream().filter(fields()::contains).toList();
  }

  /**
   * Complains where {@code field}, which {@code option} names, is none of its fields.
   *
   * @throws UserException in one line
   */
  void check(Options options, Option<?> option, String field) {
    List<String> known = fields();
    if (!known.isEmpty() && !object(schema.get("properties")).has(field)) {
      throw new UserException(
          "%s.%s: the server knows no field '%s' (it has %s)%s"
              .formatted(
                  options.where(),
                  option.name(),
                  field,
                  String.join(", ", known),
                  Suggestion.near(field, known)));
    }
  }

  /** The type of the field {@code name}: {@code string} where it is not known. */
  String type(String name) {
    JsonObject field = field(name);
    return field.get("type") instanceof JsonPrimitive type && type.isString()
        ? type.getAsString()
        : choices(name).isEmpty() && field.has("items") ? "array" : "string";
  }

  /** The values that the field {@code name} may have, where they are counted. */
  List<String> choices(String name) {
    JsonObject field = field(name);
    return field.get("const") instanceof JsonPrimitive only
        ? List.of(only.getAsString())
        : texts(field.get("enum"));
  }

  /** The field {@code name} with its type, for messages. */
  String shown(String name) {
    return name + " (" + type(name) + ")";
  }

  /** What is told of the field; of a choice of types the first that is not null. */
  private JsonObject field(String name) {
    JsonObject field = defined(object(object(schema.get("properties")).get(name)));
    for (String choice : List.of("anyOf", "oneOf", "allOf")) {
      if (field.get(choice) instanceof JsonArray types) {
        for (JsonElement each : types) {
          JsonObject type = defined(object(each));
          if (!type.equals(object(null)) && !"null".equals(text(type.get("type")))) {
            return type;
          }
        }
      }
    }
    return field;
  }

  private JsonObject defined(JsonObject field) {
    String reference = text(field.get("$ref"));
    int last = reference.lastIndexOf('/');
    return reference.startsWith("#/$defs/")
        ? object(object(schema.get("$defs")).get(reference.substring(last + 1)))
        : field;
  }

  private static JsonObject object(@Nullable JsonElement element) {
    return element instanceof JsonObject object ? object : new JsonObject();
  }

  private static String text(@Nullable JsonElement element) {
    return element instanceof JsonPrimitive text ? text.getAsString() : "";
  }

  private static List<String> texts(@Nullable JsonElement element) {
    List<String> texts = new ArrayList<>();
    if (element instanceof JsonArray array) {
      for (JsonElement one : array) {
        if (one instanceof JsonPrimitive text) {
          texts.add(text.getAsString());
        }
      }
    }
    return texts;
  }
}
