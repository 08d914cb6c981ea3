package roll.ui.metric;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of runs, by folder, in bounded memory; one thread of low priority reads what is too
 * much to wait for.
 */
public final class MetricFiles implements AutoCloseable {
  /** Name of the file in the folder of a run. */
  public static final String NAME = "metrics.jsonl";

  private static final long LEAST_BYTES = 64L << 20;
  private static final long MOST_BYTES = 512L << 20;

  /** One that was asked for since is probably asked for again. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<Path, MetricFile> files = new LinkedHashMap<>(16, 0.75f, true);
  private final ExecutorService background;
  private final long mostBytes;

  /** None so far; all together take an eighth of the heap, within bounds. */
  public MetricFiles() {
    this(Math.clamp(Runtime.getRuntime().maxMemory() / 8, LEAST_BYTES, MOST_BYTES));
  }

  /** None so far; all together take some {@code mostBytes} bytes of memory at most. */
  public MetricFiles(long mostBytes) {
    this.mostBytes = mostBytes;
    background =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform()
                .daemon()
                .name("roll-ui-metrics")
                .priority(Thread.MIN_PRIORITY)
                .factory());
  }

  /** The metrics of the run in {@code folder}; there need not be any yet. */
  public synchronized MetricFile of(Path folder) {
    MetricFile file =
        files.computeIfAbsent(
            folder, at -> new MetricFile(at.resolve(NAME), mostBytes, this::readOn));
    bound();
    return file;
  }

  /** Has all together take no more than they may. */
  private synchronized void bound() {
    while (files.values().stream().mapToLong(MetricFile::bytes).sum() > mostBytes && lessen()) {
      // one after the other
    }
  }

  /** Forgets the file that nobody has asked for longest, or has the largest keep fewer steps. */
  private boolean lessen() {
    Map.Entry<Path, MetricFile> oldest = files.entrySet().iterator().next();
    if (files.size() > 1 && System.nanoTime() - oldest.getValue().asked() > RECENT_NANOS) {
      oldest.getValue().close();
      files.remove(oldest.getKey());
      return true;
    }
    return files.values().stream()
        .max(Comparator.comparingLong(MetricFile::bytes))
        .filter(MetricFile::halve)
        .isPresent();
  }

  /** A piece of each in turn. */
  private void readOn(MetricFile file) {
    if (background.isShutdown()) {
      return;
    }
    background.execute(
        () -> {
          try {
            boolean more = file.readOn();
            bound();
            if (more) {
              readOn(file);
            }
          } catch (IOException e) {
            // the file has gone or cannot be read; who asks for it again is told so
          }
        });
  }

  /** Ends reading in the background. */
  @Override
  public synchronized void close() {
    files.values().forEach(MetricFile::close);
    background.shutdown();
  }
}
