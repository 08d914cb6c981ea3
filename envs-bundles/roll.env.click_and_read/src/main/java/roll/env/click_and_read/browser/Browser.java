package roll.env.click_and_read.browser;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import roll.browser.BrowserException;
import roll.browser.BrowserProcess;
import roll.browser.Chromium;
import roll.env.click_and_read.site.Site;

/** A headless browser with a few tabs, started on first use and restarted after it exits. */
public final class Browser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int TABS = 2;

  private final Chromium chromium;
  private final int width;
  private final int height;
  private final Semaphore free = new Semaphore(TABS, true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Tab> tabs = new ArrayDeque<>();
  private @Nullable BrowserProcess process;
  private boolean closed;

  /** Creates a browser, not yet started, with windows of {@code width} by {@code height} pixels. */
  public Browser(Chromium chromium, int width, int height) {
    this.chromium = chromium;
    this.width = width;
    this.height = height;
  }

  /**
   * Renders a page of a site in the browser.
   *
   * @param most maximum height in pixels
   * @throws BrowserException if the browser fails or takes too long
   */
  public PageScreenshot show(Site site, String path, int most) {
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

  private PageScreenshot shown(Tab tab, Site site, String path, int most) {
    try {
      PageScreenshot look = tab.show(site, path, most);
      give(tab);
      return look;
    } catch (RuntimeException e) {
      // its state is unknown, so it is not reused
      tab.close();
      throw e;
    }
  }

  private Tab take() {
    BrowserProcess running;
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
    return new Tab(running, width, height);
  }

  private void give(Tab tab) {
    lock.lock();
    try {
      if (process != null && tab.isOf(process)) {
        tabs.push(tab);
      }
    } finally {
      lock.unlock();
    }
  }

  private BrowserProcess running() {
    if (closed) {
      throw new BrowserException("it was closed");
    }
    BrowserProcess now = process;
    if (now == null || !now.alive()) {
      end();
      now = BrowserProcess.start(chromium, LIMIT);
      process = now;
    }
    return now;
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
    if (process != null) {
      process.close();
      process = null;
    }
  }
}
