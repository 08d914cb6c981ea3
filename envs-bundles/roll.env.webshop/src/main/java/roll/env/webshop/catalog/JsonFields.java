package roll.env.webshop.catalog;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.api.option.UserException;
import roll.env.webshop.catalog.JsonItems.Item;

/**
 * Typed access to the members of a JSON object. Of several names, the first that is present and not
 * null counts.
 *
 * @param json the object
 * @param where file and line, for messages
 */
record JsonFields(JsonObject json, String where) {
  JsonFields(Item item) {
    this(item.json(), item.where());
  }

  /** Returns the member; empty if it is absent or null. */
  Optional<JsonElement> member(String... names) {
    for (String name : names) {
      JsonElement element = json.get(name);
      if (element != null && !element.isJsonNull()) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a required text member.
   *
   * @throws UserException if it is absent or not a text
   */
  String required(String... names) {
    return member(names)
        .map(element -> text(names[0], element))
        .orElseThrow(() -> new UserException(where + ": '" + names[0] + "' is missing"));
  }

  /** Returns a text, or {@code standard} if it is absent. */
  String text(String standard, String... names) {
    return member(names).map(element -> text(names[0], element)).orElse(standard);
  }

  private String text(String name, JsonElement element) {
    if (!element.isJsonPrimitive()) {
      throw wrong(name, "a text", element);
    }
    return element.getAsString();
  }

  /** Returns a list of texts, or a single text as a list; empty if absent. Nulls are dropped. */
  List<String> texts(String... names) {
    List<String> texts = new ArrayList<>();
    for (JsonElement element : elements(names)) {
      texts.add(text(names[0], element));
    }
    return List.copyOf(texts);
  }

  /**
   * Returns the elements of an array, or a single value as a list; empty if absent. Nulls are
   * dropped.
   */
  List<JsonElement> elements(String... names) {
    JsonElement element = member(names).orElse(null);
    if (element == null) {
      return List.of();
    }
    if (!element.isJsonArray()) {
      return List.of(element);
    }
    return element.getAsJsonArray().asList().stream().filter(e -> !e.isJsonNull()).toList();
  }

  /** Returns the error that {@code element} is not allowed for {@code name}. */
  UserException wrong(String name, String allowed, JsonElement element) {
    return new UserException(
        where
            + ": '"
            + name
            + "' must be "
            + allowed
            + ", found '"
            + JsonItems.shown(element)
            + "'");
  }
}
