package roll.sampling.grammar;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import roll.api.option.UserException;

/**
 * A schema with checked access to its keywords.
 *
 * @param what names the whole schema in refusals
 * @param at place of this one
 * @param keywords the schema
 */
record SchemaNode(String what, String at, JsonObject keywords) {
  /** Keywords of objects. */
  static final List<String> OBJECT = List.of("properties", "required", "additionalProperties");

  /** Keywords of arrays. */
  static final List<String> ARRAY = List.of("items", "minItems", "maxItems");

  /** Keywords of strings. */
  static final List<String> STRING = List.of("pattern", "minLength", "maxLength");

  /** All types. */
  static final List<String> TYPES =
      List.of("object", "array", "string", "integer", "number", "boolean", "null");

  private static final Set<String> IGNORED =
      Set.of(
          "title",
          "description",
          "default",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly",
          "$schema",
          "$id",
          "$comment",
          "$defs",
          "definitions");

  /** Returns the refusal of this schema. */
  UserException refused(String problem) {
    return new UserException("%s: %s: %s".formatted(what, at, problem));
  }

  /** Returns whether it has the keyword {@code name}. */
  boolean has(String name) {
    return keywords.has(name);
  }

  /** Refuses keywords that are neither {@code known} nor annotations. */
  void only(Collection<String> known) {
    for (String name : keywords.keySet()) {
      if (!known.contains(name) && !IGNORED.contains(name)) {
        throw refused(
            "'%s' is not supported here, allowed are %s".formatted(name, String.join(", ", known)));
      }
    }
  }

  /** Returns the types of a value; those of the other keywords if none is named. */
  List<String> types() {
    JsonElement type = keywords.get("type");
    if (type == null) {
      if (OBJECT.stream().anyMatch(this::has)) {
        return List.of("object");
      }
      if (ARRAY.stream().anyMatch(this::has)) {
        return List.of("array");
      }
      return STRING.stream().anyMatch(this::has) ? List.of("string") : TYPES;
    }
    List<String> types = new ArrayList<>();
    for (JsonElement one : type instanceof JsonArray several ? several : List.of(type)) {
      if (!(one instanceof JsonPrimitive word && TYPES.contains(word.getAsString()))) {
        throw refused("type: allowed are %s, found %s".formatted(String.join(", ", TYPES), one));
      }
      types.add(word.getAsString());
    }
    if (types.isEmpty()) {
      throw refused("type: expected at least one");
    }
    return types;
  }

  /** Returns whether {@code value} has {@code type}. */
  static boolean is(String type, JsonElement value) {
    return switch (type) {
      case "object" -> value.isJsonObject();
      case "array" -> value.isJsonArray();
      case "null" -> value.isJsonNull();
      case "string" -> value instanceof JsonPrimitive p && p.isString();
      case "boolean" -> value instanceof JsonPrimitive p && p.isBoolean();
      case "number" -> value instanceof JsonPrimitive p && p.isNumber();
      default ->
          value instanceof JsonPrimitive p
              && p.isNumber()
              && p.getAsDouble() == Math.rint(p.getAsDouble());
    };
  }

  /** Returns the bound {@code name} of a length, {@code standard} if it is missing. */
  int length(String name, int standard) {
    JsonElement length = keywords.get(name);
    if (length == null) {
      return standard;
    }
    if (is("integer", length)) {
      double value = length.getAsDouble();
      if (value >= 0 && value <= Sizes.MOST_STATES) {
        return (int) value;
      }
    }
    throw refused(
        "%s: allowed are integers from 0 to %d, found %s"
            .formatted(name, Sizes.MOST_STATES, length));
  }

  /** Returns the list {@code name}. */
  JsonArray list(String name) {
    if (keywords.get(name) instanceof JsonArray list) {
      return list;
    }
    throw refused(name + ": expected a list");
  }

  /** Returns the text {@code name}. */
  String text(String name) {
    if (keywords.get(name) instanceof JsonPrimitive text && text.isString()) {
      return text.getAsString();
    }
    throw refused(name + ": expected a text");
  }
}
