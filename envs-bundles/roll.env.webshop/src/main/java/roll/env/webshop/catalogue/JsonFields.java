package roll.env.webshop.catalogue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.api.option.UserException;
import roll.env.webshop.catalogue.JsonItems.Item;

/**
 * The members of a JSON object by name, with types. A name may be given in several spellings; the
 * first that is there and not null counts.
 *
 * @param json the object
 * @param where file and line, for messages
 */
record JsonFields(JsonObject json, String where) {
  JsonFields(Item item) {
    this(item.json(), item.where());
  }

  /** The member; empty if it is absent or null. */
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
   * A text that must be there.
   *
   * @throws UserException if it is absent or no text
   */
  String required(String... names) {
    return member(names)
        .map(element -> text(names[0], element))
        .orElseThrow(() -> new UserException(where + ": '" + names[0] + "' is missing"));
  }

  /** A text, or {@code standard} where it is absent. */
  String text(String standard, String... names) {
    return member(names).map(element -> text(names[0], element)).orElse(standard);
  }

  private String text(String name, JsonElement element) {
    if (!element.isJsonPrimitive()) {
      throw wrong(name, "a text", element);
    }
    return element.getAsString();
  }

  /** A list of texts, or the one text as a list; empty where it is absent. Nulls are left out. */
  List<String> texts(String... names) {
    List<String> texts = new ArrayList<>();
    for (JsonElement element : elements(names)) {
      texts.add(text(names[0], element));
    }
    return List.copyOf(texts);
  }

  /** The elements of an array, or the one value; none where it is absent. Nulls are left out. */
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

  /** The complaint that {@code element} is not what {@code name} must be. */
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
