package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Path of a field in nested JSON objects.
 *
 * @param names names from the outermost to the innermost
 */
record FieldPath(List<String> names) {
  /** Parses a path such as {@code arguments.message}. */
  static FieldPath of(String dotted) {
    return new FieldPath(List.of(dotted.split("\\.", -1)));
  }

  /** Returns the outermost name of the path. */
  String first() {
    return names.getFirst();
  }

  /** Returns the value in {@code object}; null if it is missing or null. */
  @Nullable JsonElement in(JsonObject object) {
    JsonElement at = object;
    for (String name : names) {
      at = at instanceof JsonObject inner ? inner.get(name) : null;
    }
    return at == null || at.isJsonNull() ? null : at;
  }

  /** Sets the value in {@code object}, creating the objects around it. */
  void put(JsonObject object, JsonElement value) {
    JsonObject at = object;
    for (String name : names.subList(0, names.size() - 1)) {
      if (!(at.get(name) instanceof JsonObject)) {
        at.add(name, new JsonObject());
      }
      at = at.getAsJsonObject(name);
    }
    at.add(names.getLast(), value);
  }

  /** Removes the field at this path from {@code object}. */
  void remove(JsonObject object) {
    FieldPath around = new FieldPath(names.subList(0, names.size() - 1));
    if (around.in(object) instanceof JsonObject inner) {
      JsonElement _ = inner.remove(names.getLast());
    }
  }

  @Override
  public String toString() {
    return String.join(".", names);
  }
}
