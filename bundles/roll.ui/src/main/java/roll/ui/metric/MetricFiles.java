package roll.ui.metric;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of runs, by folder. Those that were asked for last are kept; one thread of low
 * priority reads what is too much to wait for.
 */
public final class MetricFiles implements AutoCloseable {
  /** Name of the file in the folder of a run. */
  public static final String NAME = "metrics.jsonl";

  private static final int BYTES_PER_CELL = 32;
  private static final long FEWEST_CELLS = 2 << 20;
  private static final long MOST_CELLS = 8 << 20;

  /** One that was asked for since is probably asked for again: only half as many may stay. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_FILES = 256;

  private final Map<Path, MetricFile> files = new LinkedHashMap<>(16, 0.75f, true);
  private final ExecutorService background;
  private final IndexStore store;
  private final long mostCells;

  /**
   * None so far.
   *
   * @param cache folder for indexes of large files that are no longer written; null for none
   */
  public MetricFiles(@Nullable Path cache) {
    store = new IndexStore(cache);
    long share = Runtime.getRuntime().maxMemory() / 8 / BYTES_PER_CELL;
    mostCells = Math.clamp(share, FEWEST_CELLS, MOST_CELLS);
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
            folder, at -> new MetricFile(new FollowedFile(at.resolve(NAME)), this::readOn, store));
    forget();
    return file;
  }

  /** Lets go of those that nobody has asked for longest, where all take too much. */
  private void forget() {
    long cells = files.values().stream().mapToLong(MetricFile::cells).sum();
    long now = System.nanoTime();
    Iterator<MetricFile> oldest = files.values().iterator();
    while (files.size() > 1 && (cells > mostCells || files.size() > MOST_FILES)) {
      MetricFile file = oldest.next();
      boolean recent = now - file.asked() < RECENT_NANOS;
      if (recent && cells <= 2 * mostCells && files.size() <= MOST_FILES) {
        return;
      }
      cells -= file.cells();
      file.close();
      oldest.remove();
    }
  }

  /** A piece of each in turn. */
  private void readOn(MetricFile file) {
    if (background.isShutdown()) {
      return;
    }
    background.execute(
        () -> {
          try {
            if (file.readOn()) {
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
