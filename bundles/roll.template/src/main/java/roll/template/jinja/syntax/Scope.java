package roll.template.jinja.syntax;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Undefined;

/**
 * The variables that can be seen at a place of a template: its own, and those of the scopes around
 * it. Setting one changes the innermost scope only.
 */
public final class Scope {
  private static final int MOST_STEPS = 2_000_000;
  private static final int LETTERS = 500;

  private final @Nullable Scope outer;
  private final Map<String, Object> variables;
  private final int[] steps;

  /** Creates the outermost scope with the given {@code variables}. */
  public Scope(Map<String, Object> variables) {
    this(null, new HashMap<>(variables), new int[1]);
  }

  private Scope(@Nullable Scope outer, Map<String, Object> variables, int[] steps) {
    this.outer = outer;
    this.variables = variables;
    this.steps = steps;
  }

  /** Creates a scope nested in this one. */
  public Scope inner() {
    spend(1);
    return new Scope(this, new HashMap<>(), steps);
  }

  /** Counts the work of writing {@code value}, if it is a text: a step for some hundred letters. */
  void spendOn(Object value) {
    if (value instanceof CharSequence text) {
      spend(text.length() / LETTERS);
    }
  }

  /**
   * Counts {@code work}: turns of loops, items, bodies. All scopes of a rendering share the count.
   *
   * @throws TemplateException if it is more than any conversation takes
   */
  void spend(int work) {
    steps[0] += work;
    if (steps[0] > MOST_STEPS) {
      throw new TemplateException("the template takes more than " + MOST_STEPS + " steps");
    }
  }

  /** Returns the value of a variable; undefined if it is not set. */
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
