package roll.sampling.grammar;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Reads a JSON schema as the automaton of texts that it validates: a subset of JSON Schema 2020-12
 * without recursion. The members of an object come in the order of its properties.
 */
final class SchemaReader {
  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  /** Arrays and objects in each other in a value without a schema. */
  private static final int FREE_DEPTH = 4;

  private static final int DEEPEST = 32;
  private static final int MOST_PROPERTIES = 200;

  private final String what;
  private final JsonElement root;
  private final Set<String> open = new HashSet<>();
  private int depth;

  private SchemaReader(String what, JsonElement root) {
    this.what = what;
    this.root = root;
  }

  /**
   * Returns the automaton, over code points, of the texts that the schema {@code json} validates.
   *
   * @param what names the schema in refusals
   * @throws UserException if it is malformed, not supported or too large
   */
  static Automaton read(String what, String json) {
    try {
      JsonElement root = JsonParser.parseString(json);
      return new SchemaReader(what, root).value("$", root);
    } catch (JsonParseException e) {
      throw new UserException(what + ": the schema is no JSON", e);
    }
  }

  private Automaton value(String at, @Nullable JsonElement json) {
    if (new JsonPrimitive(true).equals(json)) {
      return JsonTexts.any(FREE_DEPTH);
    }
    if (!(json instanceof JsonObject keywords)) {
      throw new UserException("%s: %s: expected a schema, an object or true".formatted(what, at));
    }
    SchemaNode schema = new SchemaNode(what, at, keywords);
    if (++depth > DEEPEST) {
      throw schema.refused("more than " + DEEPEST + " schemas in each other");
    }
    Automaton read = Sizes.checked(what, read(schema));
    depth--;
    return read;
  }

  private Automaton read(SchemaNode schema) {
    if (schema.has("$ref")) {
      return reference(schema);
    }
    if (schema.has("anyOf")) {
      return anyOf(schema);
    }
    if (schema.has("enum") || schema.has("const")) {
      return constants(schema);
    }
    List<String> types = schema.types();
    Set<String> known = new TreeSet<>(List.of("type"));
    known.addAll(types.contains("object") ? SchemaNode.OBJECT : List.of());
    known.addAll(types.contains("array") ? SchemaNode.ARRAY : List.of());
    known.addAll(types.contains("string") ? SchemaNode.STRING : List.of());
    schema.only(known);
    return Operations.union(types.stream().map(type -> typed(schema, type)).toList());
  }

  private Automaton reference(SchemaNode schema) {
    schema.only(List.of("$ref"));
    String path = schema.text("$ref");
    if (!path.startsWith("#/$defs/") && !path.startsWith("#/definitions/")) {
      throw schema.refused("$ref: allowed are #/$defs/… and #/definitions/…, found " + path);
    }
    String group = path.substring(2, path.indexOf('/', 2));
    String name = path.substring(path.indexOf('/', 2) + 1);
    JsonElement target =
        root instanceof JsonObject all && all.get(group) instanceof JsonObject definitions
            ? definitions.get(name.replace("~1", "/").replace("~0", "~"))
            : null;
    if (target == null) {
      throw schema.refused("$ref: there is no " + path);
    }
    if (!open.add(path)) {
      throw schema.refused("$ref: " + path + " contains itself; recursion is not supported");
    }
    Automaton read = value(path, target);
    open.remove(path);
    return read;
  }

  private Automaton anyOf(SchemaNode schema) {
    schema.only(List.of("anyOf"));
    List<Automaton> all = new ArrayList<>();
    for (JsonElement one : schema.list("anyOf")) {
      all.add(value(schema.at() + ".anyOf[" + all.size() + "]", one));
    }
    if (all.isEmpty()) {
      throw schema.refused("anyOf: expected at least one schema");
    }
    return Operations.union(all);
  }

  private Automaton constants(SchemaNode schema) {
    schema.only(new TreeSet<>(List.of("type", "enum", "const")));
    List<String> types = schema.types();
    JsonElement only = schema.keywords().get("const");
    JsonArray values = new JsonArray();
    if (schema.has("enum")) {
      values = schema.list("enum");
    } else {
      values.add(only);
    }
    List<Automaton> texts = new ArrayList<>();
    for (JsonElement value : values) {
      if ((only == null || only.equals(value))
          && types.stream().anyMatch(type -> SchemaNode.is(type, value))) {
        texts.add(Automata.makeString(GSON.toJson(value)));
      }
    }
    if (texts.isEmpty()) {
      throw schema.refused("enum, const and type allow no value");
    }
    return Operations.union(texts);
  }

  private Automaton typed(SchemaNode schema, String type) {
    return switch (type) {
      case "object" -> object(schema);
      case "array" -> array(schema);
      case "string" -> string(schema);
      case "integer" -> JsonTexts.integer();
      case "number" -> JsonTexts.number();
      case "boolean" -> JsonTexts.bool();
      default -> Automata.makeString("null");
    };
  }

  private Automaton object(SchemaNode schema) {
    JsonElement more = schema.keywords().get("additionalProperties");
    boolean closed = new JsonPrimitive(false).equals(more);
    if (more != null && !closed) {
      throw schema.refused("additionalProperties: allowed is false");
    }
    JsonElement given = schema.keywords().get("properties");
    if (given != null && !given.isJsonObject()) {
      throw schema.refused("properties: expected an object");
    }
    JsonObject properties = given == null ? new JsonObject() : given.getAsJsonObject();
    if (properties.size() > MOST_PROPERTIES) {
      throw schema.refused("properties: allowed are at most " + MOST_PROPERTIES);
    }
    Set<String> required = new HashSet<>();
    for (JsonElement name : schema.has("required") ? schema.list("required") : new JsonArray()) {
      if (!(name instanceof JsonPrimitive text && properties.has(text.getAsString()))) {
        throw schema.refused("required: " + name + " is not in properties");
      }
      required.add(text.getAsString());
    }
    return properties.isEmpty() && !closed
        ? JsonTexts.object(FREE_DEPTH)
        : JsonTexts.enclosed('{', members(schema.at(), properties, required), '}');
  }

  /** Returns the members of an object, built from the last to the first. */
  private Automaton members(String at, JsonObject properties, Set<String> required) {
    Automaton first = Automata.makeEmptyString(); // if no member precedes
    Automaton later = Automata.makeEmptyString(); // if one does
    for (String name : List.copyOf(properties.keySet()).reversed()) {
      Automaton member =
          Operations.concatenate(
              List.of(
                  Automata.makeString(GSON.toJson(name)),
                  JsonTexts.separator(':'),
                  value(at + "." + name, properties.get(name))));
      Automaton behind = Sizes.concatenate(JsonTexts.separator(','), member);
      if (required.contains(name)) {
        first = Sizes.concatenate(member, later);
        later = Sizes.concatenate(behind, later);
      } else {
        first = Sizes.union(Sizes.concatenate(member, later), first);
        later = Sizes.concatenate(Operations.optional(behind), later);
      }
      var unused = Sizes.checked(what, first);
    }
    return first;
  }

  private Automaton array(SchemaNode schema) {
    int least = schema.length("minItems", 0);
    int most = schema.length("maxItems", Sizes.ANY);
    ordered(schema, "minItems", least, most);
    JsonElement items = schema.keywords().get("items");
    if (most == 0) {
      return Automata.makeString("[]");
    }
    Automaton item =
        items == null ? JsonTexts.any(FREE_DEPTH - 1) : value(schema.at() + ".items", items);
    if (least == 0 && most == Sizes.ANY) {
      return JsonTexts.array(item);
    }
    Automaton behind = Sizes.concatenate(JsonTexts.separator(','), item);
    Automaton others =
        Sizes.repeat(what, behind, Math.max(0, least - 1), most == Sizes.ANY ? most : most - 1);
    Automaton content = Sizes.concatenate(item, others);
    return JsonTexts.enclosed('[', least == 0 ? Operations.optional(content) : content, ']');
  }

  private Automaton string(SchemaNode schema) {
    int least = schema.length("minLength", 0);
    int most = schema.length("maxLength", Sizes.ANY);
    ordered(schema, "minLength", least, most);
    if (!schema.has("pattern")) {
      return JsonTexts.string(Sizes.repeat(what, JsonTexts.character(), least, most));
    }
    String where = what + ": " + schema.at() + ".pattern";
    Automaton values = RegexParser.contained(where, schema.text("pattern"));
    if (schema.has("minLength") || schema.has("maxLength")) {
      Automaton lengths = Sizes.repeat(where, CodePoints.ALL.automaton(), least, most);
      if ((long) lengths.getNumStates() * values.getNumStates() > Sizes.MOST_STATES) {
        throw Sizes.tooLarge(where);
      }
      values = Operations.intersection(values, lengths);
    }
    return JsonTexts.string(JsonTexts.escaped(values));
  }

  private static void ordered(SchemaNode schema, String name, int least, int most) {
    if (most != Sizes.ANY && most < least) {
      throw schema.refused(name + ": is above the maximum " + most);
    }
  }
}
