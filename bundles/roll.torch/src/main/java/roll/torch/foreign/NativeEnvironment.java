package roll.torch.foreign;

import java.lang.foreign.Arena;

/** The environment variables that native libraries of this process read. */
public final class NativeEnvironment {
  private NativeEnvironment() {}

  /**
   * Sets the variable {@code name}, unless it is there; where the C library has no {@code setenv},
   * nothing is set.
   */
  public static void setDefault(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      var unused =
          NativeLibrary.standard()
              .code("setenv", arena.allocateFrom(name), arena.allocateFrom(value), 0);
    }
  }
}
