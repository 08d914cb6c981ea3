package roll.sampling.grammar;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random schemas of the supported subset. */
final class RandomSchema {
  private static final List<String> NAMES = List.of("a", "b c", "d\"e", "é", "name");
  private static final List<String> PATTERNS =
      List.of("^[a-c]{1,3}$", "x", "^\\d{2}|z$", "^(\"|\\\\|\\n)+$", "[日é]");

  private final RandomGenerator random;

  private RandomSchema(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a schema with a definition. */
  static JsonObject of(RandomGenerator random) {
    RandomSchema schemas = new RandomSchema(random);
    JsonObject definitions = new JsonObject();
    definitions.add("leaf", schemas.scalar());
    JsonObject schema = schemas.value(3);
    schema.add("$defs", definitions);
    return schema;
  }

  private JsonObject value(int depth) {
    return switch (depth == 0 ? 9 : random.nextInt(10)) {
      case 0, 1, 2 -> object(depth);
      case 3, 4 -> array(depth);
      case 5 -> anyOf(depth);
      case 6 -> with("$ref", "#/$defs/leaf");
      default -> scalar();
    };
  }

  private static JsonObject with(String name, String text) {
    JsonObject object = new JsonObject();
    object.addProperty(name, text);
    return object;
  }

  private JsonObject object(int depth) {
    JsonObject schema = with("type", "object");
    JsonObject properties = new JsonObject();
    JsonArray required = new JsonArray();
    for (String name : NAMES) {
      if (random.nextBoolean()) {
        properties.add(name, value(depth - 1));
        if (random.nextBoolean()) {
          required.add(name);
        }
      }
    }
    schema.add("properties", properties);
    schema.add("required", required);
    if (random.nextBoolean()) {
      schema.addProperty("additionalProperties", false);
    }
    return schema;
  }

  private JsonObject array(int depth) {
    JsonObject schema = with("type", "array");
    schema.add("items", value(depth - 1));
    int least = random.nextInt(3);
    if (random.nextBoolean()) {
      schema.addProperty("minItems", least);
    }
    if (random.nextBoolean()) {
      schema.addProperty("maxItems", least + random.nextInt(3));
    }
    return schema;
  }

  private JsonObject anyOf(int depth) {
    JsonArray list = new JsonArray();
    for (int i = random.nextInt(3); i >= 0; i--) {
      list.add(value(depth - 1));
    }
    JsonObject schema = new JsonObject();
    schema.add("anyOf", list);
    return schema;
  }

  private JsonObject scalar() {
    return switch (random.nextInt(7)) {
      case 0 ->
          with("type", List.of("integer", "number", "boolean", "null").get(random.nextInt(4)));
      case 1 -> {
        JsonObject schema = new JsonObject();
        JsonArray types = new JsonArray();
        types.add("string");
        types.add("null");
        schema.add("type", types);
        yield schema;
      }
      case 2 -> {
        JsonObject schema = new JsonObject();
        JsonArray values = new JsonArray();
        values.add("x<\"y");
        values.add(1.5);
        values.add(JsonNull.INSTANCE);
        schema.add("enum", values);
        yield schema;
      }
      case 3 -> {
        JsonObject schema = new JsonObject();
        schema.add("const", new JsonPrimitive("é\n"));
        yield schema;
      }
      case 4 -> {
        JsonObject schema = with("type", "string");
        schema.addProperty("pattern", PATTERNS.get(random.nextInt(PATTERNS.size())));
        yield schema;
      }
      case 5 -> {
        JsonObject schema = with("type", "string");
        schema.addProperty("pattern", "x");
        schema.addProperty("minLength", 2);
        schema.addProperty("maxLength", 4);
        yield schema;
      }
      default -> {
        JsonObject schema = with("type", "string");
        int least = random.nextInt(4);
        schema.addProperty("minLength", least);
        schema.addProperty("maxLength", least + random.nextInt(5));
        yield schema;
      }
    };
  }
}
