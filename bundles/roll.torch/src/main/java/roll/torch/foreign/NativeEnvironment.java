package roll.torch.foreign;

import java.lang.foreign.Arena;

/** The environment variables of this process, as native libraries read them. */
public final class NativeEnvironment {
  private NativeEnvironment() {}

  /**
   * Sets the variable {@code name} unless it is already set; does nothing if the C library has no
   * {@code setenv}.
   */
  public static void setDefault(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      var unused =
          NativeLibrary.standard()
              .code("setenv", arena.allocateFrom(name), arena.allocateFrom(value), 0);
    }
  }
}
