package roll.browser.testkit;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import roll.browser.BrowserProcess;
import roll.browser.BrowserTab;
import roll.browser.Chromium;

/** The installed Chromium, which reaches loopback alone. Must be closed. */
public final class TestBrowser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final List<String> AWAKE =
      List.of(
          "--disable-quic",
          "--disable-background-timer-throttling",
          "--disable-backgrounding-occluded-windows",
          "--disable-renderer-backgrounding");
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 900;

  private final BrowserProcess process;

  private TestBrowser(BrowserProcess process) {
    this.process = process;
  }

  /** Starts the browser, or skips the test if none is on the PATH. */
  public static TestBrowser start() {
    @Nullable String path = System.getenv("PATH");
    Optional<Chromium> found =
        Chromium.installed(path == null ? "" : path)
            .map(program -> new Chromium(program, AWAKE).reaching("127.0.0.1"));
    Assumptions.assumeTrue(found.isPresent(), "no Chromium on the PATH: pages are not tested");
    return new TestBrowser(BrowserProcess.start(found.orElseThrow(), LIMIT));
  }

  /** Opens a tab with its own storage and connections. */
  public OpenPage open() {
    String context =
        process
            .tools()
            .call("", "Target.createBrowserContext", new JsonObject())
            .get("browserContextId")
            .getAsString();
    return open(context);
  }

  /** Opens a tab in the same browser context as {@code page}. */
  public OpenPage beside(OpenPage page) {
    return open(page.context());
  }

  private OpenPage open(String context) {
    return new OpenPage(BrowserTab.open(process.tools(), context, WIDTH, HEIGHT), context);
  }

  /** Ends the browser with all its pages. */
  @Override
  public void close() {
    process.close();
  }
}
