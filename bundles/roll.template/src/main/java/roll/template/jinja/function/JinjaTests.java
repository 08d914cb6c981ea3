package roll.template.jinja.function;

import static roll.template.jinja.value.Builtin.function;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Builtin;
import roll.template.jinja.value.Callable;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.ItemAccess;
import roll.template.jinja.value.Markup;
import roll.template.jinja.value.None;
import roll.template.jinja.value.Numbers;
import roll.template.jinja.value.Operators;
import roll.template.jinja.value.PythonMethods;
import roll.template.jinja.value.Range;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Tuple;
import roll.template.jinja.value.Types;
import roll.template.jinja.value.Undefined;

/** Implements Jinja's tests, which follow {@code is}. */
public final class JinjaTests {
  private static final Map<String, Builtin> TABLE = tests();

  private JinjaTests() {}

  private static Map<String, Builtin> tests() {
    Map<String, Builtin> tests =
        new LinkedHashMap<>(
            Builtin.table(
                function("defined(value)", a -> !(a[0] instanceof Undefined)),
                function("undefined(value)", a -> a[0] instanceof Undefined),
                function("none(value)", a -> a[0] instanceof None),
                function("boolean(value)", a -> a[0] instanceof Boolean),
                function("true(value)", a -> a[0].equals(true)),
                function("false(value)", a -> a[0].equals(false)),
                function(
                    "integer(value)", a -> Numbers.isInteger(a[0]) && !(a[0] instanceof Boolean)),
                function("float(value)", a -> a[0] instanceof Double),
                function("number(value)", a -> Numbers.isNumber(a[0])),
                function("string(value)", a -> Text.is(a[0])),
                function("mapping(value)", a -> a[0] instanceof Dict),
                function("sequence(value)", a -> isSequence(a[0])),
                function("iterable(value)", a -> isSequence(a[0]) || a[0] instanceof Iterable),
                function(
                    "callable(value)", a -> a[0] instanceof Callable || a[0] instanceof Undefined),
                function("escaped(value)", a -> a[0] instanceof Markup),
                function("lower(value)", a -> method("islower", a[0])),
                function("upper(value)", a -> method("isupper", a[0])),
                function("odd(value)", a -> Types.equal(rest(a[0], 2L), 1L)),
                function("even(value)", a -> Types.equal(rest(a[0], 2L), 0L)),
                function("divisibleby(value, num)", a -> Types.equal(rest(a[0], a[1]), 0L)),
                function("sameas(value, other)", a -> isSame(a[0], a[1])),
                function("in(value, seq)", a -> Types.contains(a[1], a[0])),
                function("filter(value)", a -> Filters.exists(Text.of(a[0]))),
                function("test(value)", a -> exists(Text.of(a[0])))));
    Map.of(
            "==", List.of("eq", "equalto"),
            "!=", List.of("ne"),
            "<", List.of("lt", "lessthan"),
            "<=", List.of("le"),
            ">", List.of("gt", "greaterthan"),
            ">=", List.of("ge"))
        .forEach(
            (operator, names) -> {
              Builtin test =
                  function(
                      operator + "(value, other)", a -> Operators.compare(operator, a[0], a[1]));
              tests.put(operator, test);
              names.forEach(name -> tests.put(name, test));
            });
    return Map.copyOf(tests);
  }

  static boolean exists(String name) {
    return TABLE.containsKey(name);
  }

  /** Evaluates the Jinja test {@code value is name(args)}. */
  public static boolean apply(String name, Object value, Args args) {
    Builtin test = TABLE.get(name);
    if (test == null) {
      throw new TemplateException("No test named '" + name + "'.");
    }
    return (boolean) test.call(args.after(value));
  }

  private static boolean isSequence(Object value) {
    return Text.is(value)
        || value instanceof List
        || value instanceof Tuple
        || value instanceof Dict
        || value instanceof Range
        || value instanceof Undefined;
  }

  private static Object method(String name, Object value) {
    return ItemAccess.callable(PythonMethods.find(Text.of(value), name)).call(Args.NONE);
  }

  private static Object rest(Object value, Object divisor) {
    return Operators.apply("%", value, divisor);
  }

  private static boolean isSame(Object a, Object b) {
    return a == b || ((a instanceof Boolean || a instanceof Long) && a.equals(b));
  }
}
