package roll.template.jinja;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables that can be seen at a place of a template: its own, and those of the scopes around
 * it. Setting one changes the innermost scope only.
 */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Object> variables;

  /** The outermost scope, with {@code variables} given from outside. */
  Scope(Map<String, Object> variables) {
    this(null, new HashMap<>(variables));
  }

  private Scope(@Nullable Scope outer, Map<String, Object> variables) {
    this.outer = outer;
    this.variables = variables;
  }

  /** A new scope within this one. */
  Scope inner() {
    return new Scope(this, new HashMap<>());
  }

  /** The variable's value, undefined if nobody set it. */
  Object get(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Object value = scope.variables.get(name);
      if (value != null) {
        return value;
      }
    }
    return Undefined.variable(name);
  }

  /** Sets a variable of this scope. */
  void set(String name, Object value) {
    variables.put(name, value);
  }
}
