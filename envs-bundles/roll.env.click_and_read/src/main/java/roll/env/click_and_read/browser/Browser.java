package roll.env.click_and_read.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.env.click_and_read.site.Site;

/**
 * A headless browser with a few tabs, started when a page is first to be shown and again after it
 * ended by itself. To be closed.
 */
public final class Browser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int TABS = 2;
  private static final String LOG = "messages.log";

  private final Chromium chromium;
  private final int width;
  private final int height;
  private final Semaphore free = new Semaphore(TABS, true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Tab> tabs = new ArrayDeque<>();
  private @Nullable DevTools tools;
  private @Nullable Path profile;
  private boolean closed;

  /** A browser with windows of {@code width} by {@code height} pixels; it is not started yet. */
  public Browser(Chromium chromium, int width, int height) {
    this.chromium = chromium;
    this.width = width;
    this.height = height;
  }

  /**
   * How a page looks.
   *
   * @param most most pixels of its height
   * @throws BrowserException if the browser fails or takes too long
   */
  public Look show(Site site, String path, int most) {
    boolean mine = false;
    try {
      mine = free.tryAcquire(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (!mine) {
        throw new BrowserException("no tab became free within " + LIMIT.toSeconds() + " s");
      }
      return shown(take(), site, path, most);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrowserException("waiting for a tab was interrupted", e);
    } finally {
      if (mine) {
        free.release();
      }
    }
  }

  private Look shown(Tab tab, Site site, String path, int most) {
    try {
      Look look = tab.show(site, path, most);
      give(tab);
      return look;
    } catch (RuntimeException e) {
      // whatever state it is in, it is not used again
      tab.close();
      throw e;
    }
  }

  private Tab take() {
    DevTools running;
    lock.lock();
    try {
      running = running();
      Tab tab = tabs.poll();
      if (tab != null) {
        return tab;
      }
    } finally {
      lock.unlock();
    }
    try {
      return new Tab(running, width, height);
    } catch (BrowserException e) {
      throw running.alive() ? e : new BrowserException(chromium.program() + " ended: " + said(), e);
    }
  }

  /** The last line of the browser's messages that says something. */
  private String said() {
    lock.lock();
    try {
      Path log = profile == null ? Path.of("") : profile.resolve(LOG);
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return lines.reversed().stream()
          .filter(line -> !line.isBlank())
          .findFirst()
          .orElse("it said nothing");
    } catch (IOException e) {
      return "its messages cannot be read";
    } finally {
      lock.unlock();
    }
  }

  private void give(Tab tab) {
    lock.lock();
    try {
      if (tools != null && tab.isOf(tools)) {
        tabs.push(tab);
      }
    } finally {
      lock.unlock();
    }
  }

  private DevTools running() {
    if (closed) {
      throw new BrowserException("it was closed");
    }
    DevTools now = tools;
    if (now != null && now.alive()) {
      return now;
    }
    end();
    try {
      Path folder = Files.createTempDirectory("roll-browser");
      profile = folder;
      now = DevTools.start(chromium.command(folder), folder.resolve(LOG), LIMIT);
      tools = now;
      return now;
    } catch (IOException e) {
      throw new BrowserException(chromium.program() + " does not start", e);
    }
  }

  /** Ends the browser and removes its profile. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      end();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    tabs.clear();
    if (tools != null) {
      tools.close();
      tools = null;
    }
    if (profile != null) {
      remove(profile);
      profile = null;
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // what a dying helper still writes stays in the folder for temporary files
      folder.toFile().deleteOnExit();
    }
  }
}
