package com.oracle.graal.python.builtins.modules;

import java.util.List;

/**
 * Stands before GraalPy's class of this name: its module {@code _signal} has no functions here.
 * They are those of the JVM: a program could end it, or take its handlers away.
 */
public final class SignalModuleBuiltinsFactory {
  private SignalModuleBuiltinsFactory() {}

  /** The factories of the module's functions, as the generated class has them: none. */
  public static List<?> getFactories() {
    return List.of();
  }
}
