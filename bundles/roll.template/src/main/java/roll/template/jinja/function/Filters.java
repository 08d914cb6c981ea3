package roll.template.jinja.function;

import static roll.template.jinja.value.Builtin.function;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Builtin;
import roll.template.jinja.value.Conversions;
import roll.template.jinja.value.ItemAccess;
import roll.template.jinja.value.Numbers;
import roll.template.jinja.value.Operators;
import roll.template.jinja.value.PythonJson;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Types;
import roll.template.jinja.value.Undefined;

/** The filters of Jinja, found by name. */
public final class Filters {
  private static final Map<String, Builtin> TABLE = filters();

  private Filters() {}

  private static Map<String, Builtin> filters() {
    Map<String, Builtin> filters = new LinkedHashMap<>();
    filters.putAll(TextFilters.TABLE);
    filters.putAll(SequenceFilters.TABLE);
    filters.putAll(OrderFilters.TABLE);
    filters.putAll(
        Builtin.table(
            function(
                "default(value, default_value='', boolean=False)",
                a -> isMissing(a[0], Types.truth(a[2])) ? a[1] : a[0]),
            function("attr(value, name)", a -> ItemAccess.own(a[0], Text.of(a[1]))),
            function("abs(value)", a -> Operators.sign(Types.compare(a[0], 0L, "<") < 0, a[0])),
            function("int(value, default=0, base=10)", a -> Conversions.integer(a[0], a[1], a[2])),
            function("float(value, default=0)", a -> Conversions.real(a[0], a[1])),
            function(
                "round(value, precision=0, method='common')",
                a -> Conversions.round(a[0], Numbers.index(a[1]), Text.of(a[2]))),
            function(
                "tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False)",
                PythonJson::filter)));
    Map.of("count", "length", "d", "default", "e", "escape")
        .forEach((alias, name) -> filters.put(alias, filters.get(name)));
    return Map.copyOf(filters);
  }

  private static boolean isMissing(Object value, boolean alsoFalse) {
    return value instanceof Undefined || (alsoFalse && !Types.truth(value));
  }

  static boolean exists(String name) {
    return TABLE.containsKey(name);
  }

  /** Applies the filter of {@code value|name(args)}. */
  public static Object apply(String name, Object value, Args args) {
    Builtin filter = TABLE.get(name);
    if (filter == null) {
      throw new TemplateException("No filter named '" + name + "'.");
    }
    return filter.call(args.after(value));
  }
}
