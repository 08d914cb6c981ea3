package roll.template.jinja.value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The positional and keyword arguments of a call in a template.
 *
 * @param positional in order
 * @param named by keyword
 */
public record Args(List<Object> positional, Map<String, Object> named) {
  public static final Args NONE = new Args(List.of(), Map.of());

  /** Returns the arguments with {@code first} in front. */
  public Args after(Object first) {
    List<Object> all = new ArrayList<>(List.of(first));
    all.addAll(positional);
    return new Args(all, named);
  }

  /** Returns the arguments without the first {@code count} positional ones. */
  public Args from(int count) {
    return new Args(
        positional.subList(Math.min(count, positional.size()), positional.size()), named);
  }

  /** Returns the arguments with {@code value} for the keyword {@code name}. */
  public Args with(String name, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(named);
    all.put(name, value);
    return new Args(positional, all);
  }
}
