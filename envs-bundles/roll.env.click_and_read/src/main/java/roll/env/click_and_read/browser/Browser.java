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

/**
 * A headless browser with a few tabs, started when a page is first to be shown and again after it
 * ended by itself. To be closed.
 */
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
