package roll.template.jinja.value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A function implemented in Java with a Python signature.
 *
 * @param name of the function
 * @param parameters in order
 * @param body gets one value per parameter
 */
public record Builtin(String name, List<Parameter> parameters, Body body) implements Callable {
  /** The implementation of a function with bound arguments. */
  @FunctionalInterface
  public interface Body {
    Object apply(Object[] values);
  }

  /** One parameter; {@code standard} is null where an argument must be given. */
  public record Parameter(String name, @Nullable Object standard) {}

  /**
   * Creates the function that {@code signature} describes, such as {@code "indent(s, width=4)"}. A
   * last parameter {@code *args} takes all arguments that are left, as {@link Args}.
   */
  public static Builtin function(String signature, Body body) {
    int open = signature.indexOf('(');
    List<Parameter> parameters = new ArrayList<>();
    for (String part : signature.substring(open + 1, signature.length() - 1).split(", ", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        Object standard = standard(part.substring(equals + 1));
        parameters.add(new Parameter(part.substring(0, equals), standard));
      } else if (!part.isEmpty()) {
        parameters.add(new Parameter(part, null));
      }
    }
    return new Builtin(signature.substring(0, open), List.copyOf(parameters), body);
  }

  private static Object standard(String text) {
    return switch (text) {
      case "None" -> None.NONE;
      case "True" -> true;
      case "False" -> false;
      default -> text.startsWith("'") ? text.substring(1, text.length() - 1) : Long.valueOf(text);
    };
  }

  /** Returns the table of {@code functions} by name. */
  public static Map<String, Builtin> table(Builtin... functions) {
    Map<String, Builtin> table = new LinkedHashMap<>();
    for (Builtin function : functions) {
      table.put(function.name(), function);
    }
    return Map.copyOf(table);
  }

  @Override
  public Object call(Args args) {
    return body.apply(bind(args));
  }

  private Object[] bind(Args args) {
    Object[] values = new Object[parameters.size()];
    Map<String, Object> named = new LinkedHashMap<>(args.named());
    int fixed = parameters.size();
    if (fixed > 0 && parameters.getLast().name().startsWith("*")) {
      fixed--;
    }
    for (int i = 0; i < fixed; i++) {
      Parameter parameter = parameters.get(i);
      Object given = named.remove(parameter.name());
      if (i < args.positional().size()) {
        refuse(given != null, "got multiple values for argument '" + parameter.name() + "'");
        values[i] = args.positional().get(i);
      } else if (given != null) {
        values[i] = given;
      } else {
        Object standard = parameter.standard();
        refuse(standard == null, "is missing the argument '" + parameter.name() + "'");
        values[i] = Objects.requireNonNull(standard);
      }
    }
    if (fixed < values.length) {
      values[fixed] = new Args(args.from(fixed).positional(), named);
      return values;
    }
    int given = args.positional().size();
    refuse(given > fixed, "takes " + fixed + " arguments but " + given + " were given");
    refuse(
        !named.isEmpty(),
        "got an unexpected keyword argument '" + String.join("', '", named.keySet()) + "'");
    return values;
  }

  private void refuse(boolean wrong, String what) {
    if (wrong) {
      throw new TemplateException(name + "() " + what);
    }
  }

  /** Returns this function with its first argument fixed, as a method of an object. */
  Callable bound(Object self) {
    return args -> call(args.after(self));
  }

  @Override
  public String toString() {
    return "<function " + name + ">";
  }
}
