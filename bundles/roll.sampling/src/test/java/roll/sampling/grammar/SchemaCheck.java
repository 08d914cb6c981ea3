package roll.sampling.grammar;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

/** Validation of a value by a schema, keyword by keyword. */
final class SchemaCheck {
  private SchemaCheck() {}

  /** Returns the first keyword that {@code value} violates; empty if it is valid. */
  static String problem(JsonObject root, JsonObject schema, JsonElement value) {
    for (String keyword : schema.keySet()) {
      if (!holds(root, schema, keyword, value)) {
        return keyword + " of " + schema + " at " + value;
      }
    }
    return "";
  }

  private static boolean valid(JsonObject root, JsonElement schema, JsonElement value) {
    return problem(root, schema.getAsJsonObject(), value).isEmpty();
  }

  private static boolean holds(
      JsonObject root, JsonObject schema, String keyword, JsonElement value) {
    JsonElement given = schema.get(keyword);
    return switch (keyword) {
      case "$ref" -> valid(root, root.getAsJsonObject("$defs").get("leaf"), value);
      case "anyOf" -> any(given, one -> valid(root, one, value));
      case "enum" -> any(given, one -> one.equals(value));
      case "const" -> given.equals(value);
      case "type" -> given.isJsonArray() ? any(given, one -> is(one, value)) : is(given, value);
      case "properties" ->
          !(value instanceof JsonObject object)
              || object.entrySet().stream()
                  .allMatch(
                      e ->
                          !given.getAsJsonObject().has(e.getKey())
                              || valid(
                                  root, given.getAsJsonObject().get(e.getKey()), e.getValue()));
      case "required" ->
          !(value instanceof JsonObject object)
              || given.getAsJsonArray().asList().stream()
                  .allMatch(name -> object.has(name.getAsString()));
      case "additionalProperties" ->
          !(value instanceof JsonObject object)
              || schema.getAsJsonObject("properties").keySet().containsAll(object.keySet());
      case "items" ->
          !(value instanceof JsonArray list)
              || list.asList().stream().allMatch(one -> valid(root, given, one));
      case "minItems" -> !(value instanceof JsonArray list) || list.size() >= given.getAsInt();
      case "maxItems" -> !(value instanceof JsonArray list) || list.size() <= given.getAsInt();
      case "pattern" ->
          !string(value)
              || Pattern.compile(given.getAsString()).matcher(value.getAsString()).find();
      case "minLength" -> !string(value) || length(value) >= given.getAsInt();
      case "maxLength" -> !string(value) || length(value) <= given.getAsInt();
      case "$defs" -> true;
      default -> throw new IllegalArgumentException(keyword);
    };
  }

  private interface Test {
    boolean of(JsonElement one);
  }

  private static boolean any(JsonElement list, Test test) {
    List<JsonElement> all = list.getAsJsonArray().asList();
    return all.stream().anyMatch(test::of);
  }

  private static boolean string(JsonElement value) {
    return value instanceof JsonPrimitive primitive && primitive.isString();
  }

  private static int length(JsonElement value) {
    String text = value.getAsString();
    return text.codePointCount(0, text.length());
  }

  private static boolean is(JsonElement type, JsonElement value) {
    return switch (type.getAsString()) {
      case "object" -> value.isJsonObject();
      case "array" -> value.isJsonArray();
      case "string" -> string(value);
      case "null" -> value.isJsonNull();
      case "boolean" -> value instanceof JsonPrimitive p && p.isBoolean();
      case "number" -> value instanceof JsonPrimitive p && p.isNumber();
      case "integer" ->
          value instanceof JsonPrimitive p
              && p.isNumber()
              && new BigDecimal(p.getAsString()).stripTrailingZeros().scale() <= 0;
      default -> throw new IllegalArgumentException(type.toString());
    };
  }
}
