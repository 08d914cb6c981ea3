package roll.template.jinja.function;

import static roll.template.jinja.value.Builtin.function;
import static roll.template.jinja.value.Builtin.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import roll.template.jinja.value.Builtin;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.None;
import roll.template.jinja.value.PythonGenerator;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Tuple;
import roll.template.jinja.value.Types;
import roll.template.jinja.value.Undefined;

/** Filters that compare the items of a sequence, or their attributes. */
final class OrderFilters {
  static final Map<String, Builtin> TABLE =
      table(
          function(
              "sort(value, reverse=False, case_sensitive=False, attribute=None)",
              OrderFilters::sort),
          function(
              "dictsort(value, case_sensitive=False, by='key', reverse=False)",
              OrderFilters::sortDict),
          function(
              "unique(value, case_sensitive=False, attribute=None)",
              a -> new PythonGenerator(() -> unique(a[0], key(a[2], a[1])))),
          function("min(value, case_sensitive=False, attribute=None)", a -> extreme(a, order())),
          function(
              "max(value, case_sensitive=False, attribute=None)",
              a -> extreme(a, order().reversed())),
          function(
              "groupby(value, attribute, default=None, case_sensitive=False)",
              OrderFilters::group));

  private OrderFilters() {}

  private static Comparator<Object> order() {
    return (a, b) -> Types.compare(a, b, "<");
  }

  /**
   * Returns the sort or identity key of items; texts are case-insensitive unless {@code sensitive}.
   */
  private static Function<Object, Object> key(Object path, Object sensitive) {
    Function<Object, Object> value =
        path instanceof None ? item -> item : SequenceFilters.attribute(path, None.NONE);
    return Types.truth(sensitive) ? value : value.andThen(OrderFilters::withoutCase);
  }

  private static Object withoutCase(Object value) {
    return Text.is(value) ? Text.of(value).toLowerCase(Locale.ROOT) : value;
  }

  private static Comparator<Object> direction(Object reverse) {
    return Types.truth(reverse) ? order().reversed() : order();
  }

  private static Object sort(Object[] values) {
    Stream<Object> paths =
        Text.is(values[3])
            ? Stream.of(Text.of(values[3]).split(",")).map(path -> path)
            : Stream.of(values[3]);
    List<Function<Object, Object>> keys = paths.map(path -> key(path, values[2])).toList();
    List<Object> items = Types.list(values[0]);
    items.sort(
        Comparator.comparing(
            item -> keys.stream().map(key -> key.apply(item)).toList(), direction(values[1])));
    return items;
  }

  private static Object sortDict(Object[] values) {
    String by = Text.of(values[2]);
    if (!by.equals("key") && !by.equals("value")) {
      throw new TemplateException("You can only sort by either \"key\" or \"value\"");
    }
    if (!(values[0] instanceof Dict dict)) {
      throw new TemplateException("dictsort() needs a dict, not '" + Types.name(values[0]) + "'");
    }
    List<Object> items = Types.list(Dict.View.items(dict));
    Object place = by.equals("key") ? 0L : 1L;
    items.sort(Comparator.comparing(key(place, values[1]), direction(values[3])));
    return items;
  }

  /** Returns the items by their keys, in the order of the keys. */
  private static Map<Object, List<Object>> byKey(Object value, Function<Object, Object> key) {
    Map<Object, List<Object>> groups = new LinkedHashMap<>();
    for (Object item : Types.list(value)) {
      Object found = key.apply(item);
      Object same =
          groups.keySet().stream().filter(k -> Types.equal(k, found)).findFirst().orElse(found);
      groups.computeIfAbsent(same, k -> new ArrayList<>()).add(item);
    }
    return groups;
  }

  private static Iterator<Object> unique(Object value, Function<Object, Object> key) {
    return byKey(value, key).values().stream().map(List::getFirst).iterator();
  }

  private static Object extreme(Object[] values, Comparator<Object> order) {
    return Types.list(values[0]).stream()
        .min(Comparator.comparing(key(values[2], values[1]), order))
        .orElse(new Undefined("No aggregated item, sequence was empty."));
  }

  private static Object group(Object[] values) {
    Function<Object, Object> own = SequenceFilters.attribute(values[1], values[2]);
    Function<Object, Object> key =
        Types.truth(values[3]) ? own : own.andThen(OrderFilters::withoutCase);
    List<Object> items = Types.list(values[0]);
    items.sort(Comparator.comparing(key, order()));
    List<Object> groups = new ArrayList<>();
    for (List<Object> group : byKey(items, key).values()) {
      groups.add(
          new Tuple(List.of(own.apply(group.getFirst()), group), List.of("grouper", "list")));
    }
    return groups;
  }
}
