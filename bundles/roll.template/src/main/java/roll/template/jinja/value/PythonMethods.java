package roll.template.jinja.value;

import static roll.template.jinja.value.Builtin.function;
import static roll.template.jinja.value.Builtin.table;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The methods of Python's values that a template may call. As in transformers' sandbox those that
 * would change a list or a dict are not among them.
 */
public final class PythonMethods {
  private static final Set<String> MUTATING =
      Set.of(
          "append",
          "clear",
          "extend",
          "insert",
          "pop",
          "popitem",
          "remove",
          "reverse",
          "setdefault",
          "sort",
          "update");

  private static final Map<String, Builtin> DICT =
      table(
          function("get(self, key, default=None)", a -> dict(a).getOrDefault(a[1], a[2])),
          function("keys(self)", a -> Dict.View.keys(dict(a))),
          function("values(self)", a -> Dict.View.values(dict(a))),
          function("items(self)", a -> Dict.View.items(dict(a))),
          function(
              "copy(self)",
              a -> {
                Dict copy = new Dict();
                copy.putAll(dict(a));
                return copy;
              }));

  private static final Map<String, Builtin> SEQUENCE =
      table(
          function(
              "count(self, value)",
              a -> Types.list(a[0]).stream().filter(i -> Types.equal(i, a[1])).count()),
          function("index(self, value)", a -> index(Types.list(a[0]), a[1])));

  private static final Builtin COPY_LIST = function("copy(self)", a -> Types.list(a[0]));

  private PythonMethods() {}

  /** Returns the method or attribute {@code name} of {@code owner}, undefined if it has none. */
  public static Object find(Object owner, String name) {
    if (isMutating(owner, name)) {
      return new Undefined(
          "access to attribute '" + name + "' of '" + Types.name(owner) + "' object is unsafe.");
    }
    Builtin method =
        switch (owner) {
          case String text -> StringMethods.TABLE.get(name);
          case Markup marked -> StringMethods.TABLE.get(name);
          case Dict dict -> DICT.get(name);
          case List<?> list -> name.equals("copy") ? COPY_LIST : SEQUENCE.get(name);
          case Tuple tuple -> SEQUENCE.get(name);
          default -> null;
        };
    if (method == null) {
      return owner instanceof Tuple tuple && tuple.names().contains(name)
          ? tuple.items().get(tuple.names().indexOf(name))
          : Undefined.of(owner, name);
    }
    return owner instanceof Markup marked
        ? (Callable) args -> marked(method.call(args.after(marked.text())))
        : method.bound(owner);
  }

  static boolean isMutating(Object owner, String name) {
    return (owner instanceof List || owner instanceof Dict) && MUTATING.contains(name);
  }

  private static Object marked(Object result) {
    return switch (result) {
      case String text -> new Markup(text);
      case List<?> list -> list.stream().map(PythonMethods::marked).toList();
      default -> result;
    };
  }

  private static Dict dict(Object[] values) {
    return (Dict) values[0];
  }

  private static Object index(List<Object> items, Object value) {
    for (int i = 0; i < items.size(); i++) {
      if (Types.equal(items.get(i), value)) {
        return (long) i;
      }
    }
    throw new TemplateException(Text.repr(value) + " is not in list");
  }
}
