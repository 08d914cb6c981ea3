package roll.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An installed Chromium or a browser derived from it.
 *
 * @param program the executable
 * @param arguments further command-line arguments
 */
public record Chromium(Path program, List<String> arguments) {
  /** Names of the executable on different systems. */
  public static final List<String> NAMES =
      List.of(
          "chromium",
          "chromium-browser",
          "google-chrome",
          "google-chrome-stable",
          "chromium-headless-shell",
          "chrome-headless-shell");

  /**
   * Arguments without background network activity and updates: all actions come from the protocol.
   */
  private static final List<String> ALONE =
      List.of(
          "--headless",
          "--remote-debugging-pipe",
          "--host-resolver-rules=MAP * ~NOTFOUND",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-default-apps",
          "--disable-domain-reliability",
          "--disable-extensions",
          "--disable-sync",
          "--no-first-run",
          "--no-default-browser-check",
          "--no-pings",
          "--mute-audio",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--hide-scrollbars",
          "--force-device-scale-factor=1");

  /** Returns the executable {@code name}: a file, or found on {@code path} as by a shell. */
  public static Optional<Path> find(String name, String path) {
    Stream<Path> places =
        name.contains(File.separator)
            ? Stream.of(Path.of(name))
            : Stream.of(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name));
    return places
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .map(Path::toAbsolutePath)
        .findFirst();
  }

  /** Returns the first of {@link #NAMES} on {@code path}. */
  public static Optional<Path> installed(String path) {
    return NAMES.stream().flatMap(name -> find(name, path).stream()).findFirst();
  }

  /** Returns a copy that can reach {@code host}, a name or an address. */
  public Chromium reaching(String host) {
    List<String> more = new ArrayList<>(arguments);
    // the last one of a repeated option counts
    more.add("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE " + host);
    return new Chromium(program, List.copyOf(more));
  }

  /** Returns the command that starts it with the profile {@code profile}. */
  List<String> command(Path profile) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(ALONE);
    command.add("--user-data-dir=" + profile);
    if ("root".equals(System.getProperty("user.name"))) {
      // required for root
      command.add("--no-sandbox");
    }
    command.addAll(arguments);
    return command;
  }
}
