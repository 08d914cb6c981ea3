package roll.shell.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens the browser of this machine. */
public final class SystemBrowser {
  private SystemBrowser() {}

  /**
   * Opens {@code address}, which must contain no secret: other users can see it in the process
   * list.
   *
   * @return the error in one line, or null if a program was started
   */
  public static @Nullable String open(String address) {
    List<String> command = new ArrayList<>(opener(System.getProperty("os.name", "")));
    command.add(address);
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return null;
    } catch (IOException e) {
      return "cannot open a browser: no program '" + command.getFirst() + "'";
    }
  }

  /** Returns the program that opens addresses, with its arguments before the address. */
  static List<String> opener(String system) {
    String plain = system.toLowerCase(Locale.ROOT);
    if (plain.startsWith("mac")) {
      return List.of("open");
    }
    return plain.startsWith("windows")
        ? List.of("rundll32", "url.dll,FileProtocolHandler")
        : List.of("xdg-open");
  }
}
