package roll.template.jinja;

/** What a template can call: a macro, a method, a function. */
@FunctionalInterface
interface Callable {
  /** The value of the call. */
  Object call(Args args);
}
