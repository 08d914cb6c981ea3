package roll.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.api.tracking.Tracking;

/**
 * Queue of metrics that are uploaded in the background, so that network failures neither stop nor
 * slow a run. Failed uploads are retried after pauses that double; a full queue drops the oldest
 * rows. At the end the number of lost rows is reported.
 */
public final class MetricsUploadQueue implements Tracking {
  private static final int MOST_AT_ONCE = 100;

  private final Receiver receiver;
  private final Patience patience;
  private final Consumer<String> notices;
  private final Deque<Row> waiting = new ArrayDeque<>();
  private final Thread thread;

  /** Number of rows that have left the queue, sent or not. */
  private long gone;

  private int lost;
  private boolean closing;
  private boolean refused;
  private String trouble = "no answer";

  /**
   * Metrics of a step.
   *
   * @param millis time of logging in milliseconds since 1970
   */
  public record Row(int step, long millis, Map<String, Double> metrics) {}

  /** Uploads rows of metrics; called from one thread. */
  @ConsumerType
  public interface Receiver {
    /**
     * Uploads {@code rows}, which may be empty. Failed rows are passed again.
     *
     * @param last whether this is the last call, because the run has ended
     * @throws IOException if it failed and may be retried
     * @throws UserException if it failed permanently
     */
    void take(List<Row> rows, boolean last) throws IOException, InterruptedException;
  }

  /**
   * Limits of a queue.
   *
   * @param rows maximum number of waiting rows
   * @param pause pause before the first retry
   * @param longest maximum pause
   * @param end maximum time that {@link #close} waits for unsent rows
   */
  public record Patience(int rows, Duration pause, Duration longest, Duration end) {
    /** Retry limits for remote servers. */
    public static final Patience STANDARD =
        new Patience(10_000, Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(30));
  }

  /**
   * Starts uploading to {@code receiver}, until {@link #close}.
   *
   * @param name name of the thread
   * @param notices receives messages for the user
   */
  public MetricsUploadQueue(
      String name, Receiver receiver, Patience patience, Consumer<String> notices) {
    this.receiver = receiver;
    this.patience = patience;
    this.notices = notices;
    thread = Thread.ofPlatform().name(name).daemon().start(new OneShotTask(this::run));
  }

  /** Queues {@code metrics} with the present time. */
  @Override
  public void log(int step, Map<String, Double> metrics) {
    add(new Row(step, System.currentTimeMillis(), new LinkedHashMap<>(metrics)));
  }

  /** Adds the metrics {@code row} to the upload queue. */
  public synchronized void add(Row row) {
    if (refused) {
      lost++;
      return;
    }
    waiting.add(row);
    if (waiting.size() > patience.rows()) {
      waiting.remove();
      gone++;
      lost++;
    }
    notifyAll();
  }

  /**
   * Rows of metrics of one upload.
   *
   * @param first number of rows before it
   * @param last whether no rows follow
   */
  private record Batch(List<Row> rows, long first, boolean last) {}

  private void run() {
    try {
      Batch batch;
      do {
        batch = next();
        send(batch);
      } while (!batch.last());
    } catch (InterruptedException e) {
      // closed before all was sent
    } catch (UserException e) {
      refuse(e.getMessage());
    } catch (RuntimeException e) {
      refuse(e.toString());
    }
  }

  /** Waits for rows, or the end of the run; the rows stay in the queue. */
  private synchronized Batch next() throws InterruptedException {
    while (waiting.isEmpty() && !closing) {
      wait();
    }
    List<Row> rows = waiting.stream().limit(MOST_AT_ONCE).toList();
    return new Batch(rows, gone, closing && rows.size() == waiting.size());
  }

  private void send(Batch batch) throws InterruptedException {
    Duration pause = patience.pause();
    while (true) {
      try {
        receiver.take(batch.rows(), batch.last());
        sent(batch);
        return;
      } catch (IOException e) {
        trouble(e);
        Thread.sleep(pause);
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(patience.longest()) > 0 ? patience.longest() : twice;
      }
    }
  }

  /** Removes sent rows; the oldest may have been dropped meanwhile, but were sent. */
  private synchronized void sent(Batch batch) {
    long end = batch.first() + batch.rows().size();
    lost -= (int) (Math.min(gone, end) - batch.first());
    for (; gone < end; gone++) {
      waiting.remove();
    }
  }

  private synchronized void trouble(IOException e) {
    @Nullable String message = e.getMessage();
    trouble = message == null ? e.getClass().getSimpleName() : message;
  }

  private synchronized void refuse(String problem) {
    refused = true;
    lost += waiting.size();
    waiting.clear();
    trouble = problem;
    notices.accept(problem + "; nothing more is sent");
  }

  /** Does nothing: rows are not stored on disk. */
  @Override
  public void flush() {}

  /** Uploads remaining rows within the time limit, and reports lost ones. */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
      notifyAll();
    }
    try {
      if (!thread.join(patience.end())) {
        thread.interrupt();
        thread.join();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      int missing = lost + waiting.size();
      lost = missing;
      waiting.clear();
      if (missing > 0) {
        notices.accept(
            missing + (missing == 1 ? " step was" : " steps were") + " not sent: " + trouble);
      }
    }
  }
}
