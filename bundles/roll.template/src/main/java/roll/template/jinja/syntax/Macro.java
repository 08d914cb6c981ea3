package roll.template.jinja.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Callable;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Tuple;
import roll.template.jinja.value.Undefined;

/**
 * A macro, or the body of a call block.
 *
 * @param name of the macro
 * @param parameters its names
 * @param defaults of the last parameters
 * @param free which of {@code varargs}, {@code kwargs} and {@code caller} the body uses
 * @param body what it renders
 * @param scope where it was defined
 */
record Macro(
    String name,
    List<String> parameters,
    List<Expr> defaults,
    Set<String> free,
    List<Node> body,
    Scope scope)
    implements Callable {
  @Override
  public Object call(Args args) {
    Scope local = scope.inner();
    Map<String, Object> named = new LinkedHashMap<>(args.named());
    int given = args.positional().size();
    if (free.contains("caller") && !parameters.contains("caller")) {
      Object caller = named.remove("caller");
      local.set("caller", caller != null ? caller : new Undefined("No caller defined"));
    }
    for (int i = 0; i < parameters.size(); i++) {
      String parameter = parameters.get(i);
      Object value = named.remove(parameter);
      if (i < given) {
        refuse(value != null, "got multiple values for the argument '" + parameter + "'");
        value = args.positional().get(i);
      } else if (value == null) {
        int standard = i - (parameters.size() - defaults.size());
        value =
            standard >= 0
                ? defaults.get(standard).evaluate(local)
                : new Undefined("parameter '" + parameter + "' was not provided");
      }
      local.set(parameter, value);
    }
    if (free.contains("varargs")) {
      local.set("varargs", new Tuple(args.from(parameters.size()).positional()));
    } else {
      refuse(
          given > parameters.size(), "takes not more than " + parameters.size() + " argument(s)");
    }
    if (free.contains("kwargs")) {
      Dict rest = new Dict();
      rest.putAll(named);
      local.set("kwargs", rest);
    } else {
      refuse(
          !named.isEmpty(),
          "takes no keyword argument '" + String.join("', '", named.keySet()) + "'");
    }
    StringBuilder text = new StringBuilder();
    Node.renderAll(body, local, text);
    return text.toString();
  }

  private void refuse(boolean wrong, String what) {
    if (wrong) {
      throw new TemplateException("macro '" + name + "' " + what);
    }
  }

  @Override
  public String toString() {
    return "<Macro '" + name + "'>";
  }
}
