package roll.template.jinja.value;

/** A callable value: a macro, a method or a function. */
@FunctionalInterface
public interface Callable {
  /** The value of the call. */
  Object call(Args args);
}
