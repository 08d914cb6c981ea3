package roll.shell.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The browser of this machine. */
public final class SystemBrowser {
  private SystemBrowser() {}

  /**
   * Shows {@code address}, which other users of the machine can see in the list of processes: it
   * must hold no secret.
   *
   * @return why that is not possible, in one line; null if a program was started
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
      return "no browser is opened: there is no program '" + command.getFirst() + "'";
    }
  }

  /** The program that opens addresses, with what comes before the address. */
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
