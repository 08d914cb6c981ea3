package roll.template.jinja.value;

/** A callable value: a macro, a method or a function. */
@FunctionalInterface
public interface Callable {
  /** Calls the function and returns its value. */
  Object call(Args args);
}
