package roll.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A running browser with a temporary profile. Must be closed; if this Java process is killed, the
 * browser ends, and the profile remains.
 */
public final class BrowserProcess implements AutoCloseable {
  private static final String LOG = "messages.log";

  private final Chromium chromium;
  private final Path profile;
  private final DevTools tools;

  private BrowserProcess(Chromium chromium, Path profile, DevTools tools) {
    this.chromium = chromium;
    this.profile = profile;
    this.tools = tools;
  }

  /**
   * Starts the browser {@code chromium}.
   *
   * @param limit for a call of its protocol
   * @throws BrowserException if it cannot be started
   */
  public static BrowserProcess start(Chromium chromium, Duration limit) {
    try {
      Path profile = Files.createTempDirectory("roll-browser");
      DevTools tools = DevTools.start(chromium.command(profile), profile.resolve(LOG), limit);
      return new BrowserProcess(chromium, profile, tools);
    } catch (IOException e) {
      throw new BrowserException(chromium.program() + " does not start", e);
    }
  }

  /** Returns the DevTools protocol of the browser process. */
  public DevTools tools() {
    return tools;
  }

  /** Returns whether the browser process is running. */
  public boolean alive() {
    return tools.alive();
  }

  /**
   * Opens a tab of {@code width} by {@code height} pixels in the window that all tabs share.
   *
   * @throws BrowserException if that fails, with the last message of a browser that ended
   */
  public BrowserTab open(int width, int height) {
    try {
      return BrowserTab.open(tools, "", width, height);
    } catch (BrowserException e) {
      throw alive() ? e : new BrowserException(chromium.program() + " ended: " + said(), e);
    }
  }

  /** Returns the last non-empty line of the browser's messages. */
  private String said() {
    try {
      List<String> lines = Files.readAllLines(profile.resolve(LOG), StandardCharsets.ISO_8859_1);
      return lines.reversed().stream()
          .filter(line -> !line.isBlank())
          .findFirst()
          .orElse("it said nothing");
    } catch (IOException e) {
      return "its messages cannot be read";
    }
  }

  /** Ends the browser and removes its profile. */
  @Override
  public void close() {
    tools.close();
    try (Stream<Path> all = Files.walk(profile)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // files that an ending process still writes remain in the temporary folder
      profile.toFile().deleteOnExit();
    }
  }
}
