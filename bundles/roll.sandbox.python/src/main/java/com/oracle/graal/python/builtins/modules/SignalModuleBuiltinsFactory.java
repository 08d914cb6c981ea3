package com.oracle.graal.python.builtins.modules;

import java.util.List;

/**
 * Replaces GraalPy's class of this name, so that the module {@code _signal} has no functions. They
 * would act on the JVM: a program could end it or replace its signal handlers.
 */
public final class SignalModuleBuiltinsFactory {
  private SignalModuleBuiltinsFactory() {}

  /** Returns the factories of the module's functions: none. */
  public static List<?> getFactories() {
    return List.of();
  }
}
