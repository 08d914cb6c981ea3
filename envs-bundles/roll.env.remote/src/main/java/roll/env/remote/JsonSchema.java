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
 * JSON Schema of an object; parts that are not understood are ignored.
 *
 * @param schema schema; empty if unknown
 */
record JsonSchema(JsonObject schema) {
  /** Field of every OpenEnv action and observation that agents do not use. */
  private static final String METADATA = "metadata";

  /** Returns the schema of an observation as sent, without reward, done and metadata. */
  static JsonSchema sent(JsonObject observation) {
    JsonObject schema = observation.deepCopy();
    for (String kept : List.of("done", "reward", METADATA)) {
      JsonElement _ = object(schema.get("properties")).remove(kept);
    }
    return new JsonSchema(schema);
  }

  /** Returns the names of the fields; empty if unknown. */
  List<String> fields() {
    return object(schema.get("properties")).keySet().stream()
        .filter(name -> !name.equals(METADATA))
        .toList();
  }

  /** Returns the names of required fields. */
  List<String> required() {
    return texts(schema.get("required")).stream().filter(fields()::contains).toList();
  }

  /**
   * Checks that {@code field}, the value of {@code option}, is a field.
   *
   * @throws UserException if it is unknown
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

  /** Returns the type of the field {@code name}; {@code string} if unknown. */
  String type(String name) {
    JsonObject field = field(name);
    return field.get("type") instanceof JsonPrimitive type && type.isString()
        ? type.getAsString()
        : choices(name).isEmpty() && field.has("items") ? "array" : "string";
  }

  /** Returns the enumerated values of the field {@code name}; empty for any. */
  List<String> choices(String name) {
    JsonObject field = field(name);
    return field.get("const") instanceof JsonPrimitive only
        ? List.of(only.getAsString())
        : texts(field.get("enum"));
  }

  /** Returns the field {@code name} with its type, for messages. */
  String shown(String name) {
    return name + " (" + type(name) + ")";
  }

  /** Returns the schema of a field; of a union the first type that is not null. */
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
