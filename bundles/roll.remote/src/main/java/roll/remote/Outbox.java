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
 * Metrics on their way to a server: sent in the background, so that no trouble of the network stops
 * or slows a run. What fails is tried again after pauses that double; where more waits than there
 * is room for, the oldest goes. What could not be sent is counted and told at the end.
 */
public final class Outbox implements Tracking {
  private static final int MOST_AT_ONCE = 100;

  private final Receiver receiver;
  private final Patience patience;
  private final Consumer<String> notices;
  private final Deque<Row> waiting = new ArrayDeque<>();
  private final Thread thread;

  /** How many have left it, sent or not. */
  private long gone;

  private int lost;
  private boolean closing;
  private boolean refused;
  private String trouble = "no answer";

  /**
   * The metrics of a step.
   *
   * @param millis when they were logged, since 1970
   */
  public record Row(int step, long millis, Map<String, Double> metrics) {}

  /** Who takes them, over a network; called from one thread. */
  @ConsumerType
  public interface Receiver {
    /**
     * Takes {@code rows}, which may be none. They are given again where that failed.
     *
     * @param last whether the run has ended and nothing comes any more
     * @throws IOException if that failed and may be tried again
     * @throws UserException if it is of no use to try again, or to send anything else
     */
    void take(List<Row> rows, boolean last) throws IOException, InterruptedException;
  }

  /**
   * How patient one is.
   *
   * @param rows how many may wait
   * @param pause before the first try again
   * @param longest the longest pause
   * @param end how long {@link #close} waits for what was not sent yet
   */
  public record Patience(int rows, Duration pause, Duration longest, Duration end) {
    /** For servers far away. */
    public static final Patience STANDARD =
        new Patience(10_000, Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(30));
  }

  /**
   * Sends to {@code receiver} from now until {@link #close}.
   *
   * @param name of the thread
   * @param notices told what a person should know: nothing more is sent, so much was not
   */
  public Outbox(String name, Receiver receiver, Patience patience, Consumer<String> notices) {
    this.receiver = receiver;
    this.patience = patience;
    this.notices = notices;
    thread = Thread.ofPlatform().name(name).daemon().start(new OneShotTask(this::run));
  }

  /** Sends {@code metrics} soon, as logged now. */
  @Override
  public void log(int step, Map<String, Double> metrics) {
    add(new Row(step, System.currentTimeMillis(), new LinkedHashMap<>(metrics)));
  }

  /** Sends {@code row} soon. */
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
   * What is sent next.
   *
   * @param first how many rows came before it
   * @param last whether nothing comes behind it
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

  /** The oldest rows, as soon as there is one or the run has ended; they keep their places. */
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

  /** The oldest of them may have gone for want of room meanwhile; those were sent all the same. */
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

  /** Nothing: what was logged is on no disk of this machine. */
  @Override
  public void flush() {}

  /** Sends the rest, as far as that is possible in the time there is, and tells what is lost. */
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
