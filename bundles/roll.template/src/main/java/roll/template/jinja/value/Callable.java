package roll.template.jinja.value;

/** What a template can call: a macro, a method, a function. */
@FunctionalInterface
public interface Callable {
  /** The value of the call. */
  Object call(Args args);
}
