package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a JSON object, or of an object in it.
 *
 * @param names the outermost first
 */
record FieldPath(List<String> names) {
  /** The field that {@code dotted} names, such as {@code arguments.message}. */
  static FieldPath of(String dotted) {
    return new FieldPath(List.of(dotted.split("\\.", -1)));
  }

  /** Its outermost name. */
  String first() {
    return names.getFirst();
  }

  /** What it is in {@code object}; null where it is not there, or is null. */
  @Nullable JsonElement in(JsonObject object) {
    JsonElement at = object;
    for (String name : names) {
      at = at instanceof JsonObject inner ? inner.get(name) : null;
    }
    return at == null || at.isJsonNull() ? null : at;
  }

  /** Makes {@code value} its value in {@code object}, with the objects around it. */
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

  /** Takes it out of {@code object}. */
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
