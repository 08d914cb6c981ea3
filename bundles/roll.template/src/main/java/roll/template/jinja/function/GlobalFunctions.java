package roll.template.jinja.function;

import static roll.template.jinja.value.Builtin.function;

import java.time.Clock;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Builtin;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.Namespace;
import roll.template.jinja.value.None;
import roll.template.jinja.value.Numbers;
import roll.template.jinja.value.Range;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Types;

/** The functions that every template can call. */
public final class GlobalFunctions {
  private static final Builtin RANGE =
      function(
          "range(start, stop=None, step=1)",
          a -> {
            boolean one = a[1] instanceof None;
            return new Range(
                one ? 0 : Numbers.index(a[0]), Numbers.index(a[one ? 0 : 1]), Numbers.index(a[2]));
          });
  private static final Builtin DICT = function("dict(*args)", a -> dict("dict", (Args) a[0]));
  private static final Builtin NAMESPACE =
      function("namespace(*args)", a -> new Namespace(dict("namespace", (Args) a[0])));
  private static final Builtin RAISE =
      function(
          "raise_exception(message)",
          a -> {
            throw TemplateException.raised(Text.of(a[0]));
          });

  private GlobalFunctions() {}

  /** Returns the global functions by name; {@code strftime_now} reads {@code clock}. */
  public static Map<String, Object> all(Clock clock) {
    Map<String, Object> functions = new HashMap<>();
    for (Builtin function : List.of(RANGE, DICT, NAMESPACE, RAISE)) {
      functions.put(function.name(), function);
    }
    functions.put(
        "strftime_now",
        function(
            "strftime_now(format)", a -> Strftime.format(ZonedDateTime.now(clock), Text.of(a[0]))));
    return functions;
  }

  /** Returns the result of {@code dict(pairs or dict, name=value …)}. */
  private static Dict dict(String function, Args args) {
    Dict dict = new Dict();
    for (Object given : args.positional()) {
      if (given instanceof Dict other) {
        dict.putAll(other);
        continue;
      }
      for (Object pair : Types.list(given)) {
        List<Object> items = Types.list(pair);
        if (items.size() != 2) {
          throw new TemplateException(function + "() needs pairs of key and value");
        }
        dict.put(items.get(0), items.get(1));
      }
    }
    args.named().forEach(dict::put);
    return dict;
  }
}
