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
 * The metrics of runs, by folder, in bounded memory; one thread of low priority reads large files
 * in the background.
 */
public final class MetricFiles implements AutoCloseable {
  /** Name of the file in the folder of a run. */
  public static final String NAME = "metrics.jsonl";

  private static final long MIN_LIMIT = 64L << 20;
  private static final long MAX_LIMIT = 512L << 20;

  /** A file requested since will probably be requested again. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<Path, MetricFile> files = new LinkedHashMap<>(16, 0.75f, true);
  private final ExecutorService background;
  private final long maxBytes;

  /** No files; all together use an eighth of the heap, from 64 to 512 MB. */
  public MetricFiles() {
    this(Math.clamp(Runtime.getRuntime().maxMemory() / 8, MIN_LIMIT, MAX_LIMIT));
  }

  /** No files; all together use about {@code maxBytes} bytes of memory at most. */
  public MetricFiles(long maxBytes) {
    this.maxBytes = maxBytes;
    background =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform()
                .daemon()
                .name("roll-ui-metrics")
                .priority(Thread.MIN_PRIORITY)
                .factory());
  }

  /** Returns the metrics of the run in {@code folder}, which may have none yet. */
  public synchronized MetricFile of(Path folder) {
    MetricFile file =
        files.computeIfAbsent(
            folder, at -> new MetricFile(at.resolve(NAME), maxBytes, this::readOn));
    bound();
    return file;
  }

  /** Enforces the limit on the memory of metrics. */
  private synchronized void bound() {
    while (files.values().stream().mapToLong(MetricFile::bytes).sum() > maxBytes && release()) {
      // one by one
    }
  }

  /** Drops the file without requests for the longest time, or half of the steps of the largest. */
  private boolean release() {
    Map.Entry<Path, MetricFile> oldest = files.entrySet().iterator().next();
    if (files.size() > 1 && System.nanoTime() - oldest.getValue().asked() > RECENT_NANOS) {
      oldest.getValue().close();
      files.remove(oldest.getKey());
      return true;
    }
    return files.values().stream()
        .max(Comparator.comparingLong(MetricFile::bytes))
        .filter(MetricFile::thin)
        .isPresent();
  }

  /** Reads a piece of each file in turn. */
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
            // the next request for the file reports it
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
