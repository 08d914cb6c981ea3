package roll.ui.web;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.http.Exchange;
import roll.http.HttpRefusal;

/**
 * Server-sent events: {@code run} for each change of a run, {@code services} for each service that
 * was added or removed. One thread polls for all subscribers, and only while there are some; each
 * subscriber has a thread that writes to it, so that a slow one delays no other. It is
 * disconnected.
 *
 * <p>A new subscriber gets the active runs of this process and the number of the services; anything
 * else only when it changes.
 */
public final class EventStream implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");
  private static final String TYPE = "text/event-stream; charset=utf-8";
  private static final String RETRY = "retry: 2000\n\n";
  private static final String NOTHING = ":\n\n";

  private final Source source;
  private final LongSupplier number;
  private final Times times;
  private final List<EventSubscriber> subscribers = new ArrayList<>();
  private @Nullable Map<String, String> known;
  private @Nullable Thread watcher;
  private @Nullable String failure;
  private long services = -1;
  private boolean closed;

  /** Source of the current runs for events. */
  public interface Source {
    /** Returns the states of all runs. */
    List<RunState> runs() throws IOException, InterruptedException;
  }

  /**
   * The state of a run in an event.
   *
   * @param json one line; the same while nothing has changed
   * @param live whether the run is active in this process
   */
  public record RunState(String id, String json, boolean live) {
    /** Returns the state of {@code run}, an entry of the list of runs. */
    public static RunState of(JsonObject run) {
      return new RunState(
          run.get("id").getAsString(), run.toString(), run.get("live").getAsBoolean());
    }
  }

  /**
   * Intervals and limits.
   *
   * @param poll from one poll to the next
   * @param heartbeat after which a comment is sent if there were no events
   * @param timeout of a write to a subscriber
   * @param subscribers the maximum number
   */
  public record Times(Duration poll, Duration heartbeat, Duration timeout, int subscribers) {
    /** Returns the defaults: twice per second; ten seconds; ten seconds; 200. */
    public static Times defaults() {
      return new Times(Duration.ofMillis(500), Duration.ofSeconds(10), Duration.ofSeconds(10), 200);
    }
  }

  /**
   * Creates an event stream without subscribers.
   *
   * @param number increases with each service that is added or removed
   */
  public EventStream(Source source, LongSupplier number, Times times) {
    this.source = source;
    this.number = number;
    this.times = times;
  }

  /**
   * Sends events to the client of {@code exchange} until it is gone, is too slow, or this is
   * closed.
   *
   * @throws HttpRefusal 429 if there are too many subscribers
   * @throws IOException if the client is gone, or was disconnected
   * @throws InterruptedException if the listener is being closed
   */
  public void serve(Exchange exchange) throws IOException, InterruptedException {
    EventSubscriber subscriber = new EventSubscriber(Thread.currentThread());
    if (!add(subscriber)) {
      throw new HttpRefusal(
          429, "this page is open " + times.subscribers() + " times; close one of them");
    }
    try {
      OutputStream out = exchange.begin(200, TYPE);
      write(out, RETRY);
      while (true) {
        String events = subscriber.next(times.heartbeat().toMillis());
        write(out, events.isEmpty() ? NOTHING : events);
      }
    } finally {
      remove(subscriber);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Returns the number of subscribers of the event stream. */
  public synchronized int subscribers() {
    return subscribers.size();
  }

  private synchronized boolean add(EventSubscriber subscriber) {
    if (closed || subscribers.size() >= times.subscribers()) {
      return false;
    }
    subscribers.add(subscriber);
    if (watcher == null) {
      watcher = Thread.ofVirtual().name("roll.ui events").start(this::watch);
    }
    return true;
  }

  private synchronized void remove(EventSubscriber subscriber) {
    subscribers.remove(subscriber);
  }

  /** Returns the subscribers; null if there are none, and the calling thread must end. */
  private synchronized @Nullable List<EventSubscriber> watched() {
    if (subscribers.isEmpty() || closed) {
      watcher = null;
      return null;
    }
    return List.copyOf(subscribers);
  }

  private void watch() {
    try {
      for (List<EventSubscriber> all = watched(); all != null; all = watched()) {
        try {
          poll(all);
          failure = null;
        } catch (IOException | RuntimeException e) {
          report(e);
        }
        all.forEach(subscriber -> subscriber.disconnectIfSlow(times.timeout().toNanos()));
        Thread.sleep(times.poll());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  /** Logs a failure once, even if it repeats. */
  private void report(Exception e) {
    String line = String.valueOf(e);
    if (!line.equals(failure)) {
      failure = line;
      LOG.warn("the runs of the page cannot be read", e);
    }
  }

  private void poll(List<EventSubscriber> all) throws IOException, InterruptedException {
    List<RunState> runs = source.runs();
    long now = number.getAsLong();
    List<EventSubscriber> fresh = all.stream().filter(EventSubscriber::fresh).toList();
    List<EventSubscriber> uninformed = now == services ? fresh : all;
    uninformed.forEach(
        subscriber -> subscriber.offer("services", event("services", Long.toString(now))));
    services = now;
    Map<String, String> before = known;
    Map<String, String> found = new HashMap<>();
    for (RunState run : runs) {
      found.put(run.id(), run.json());
      boolean changed = before != null && !run.json().equals(before.get(run.id()));
      String event = event("run", run.json());
      if (changed) {
        all.forEach(subscriber -> subscriber.offer(run.id(), event));
      } else if (run.live()) {
        fresh.forEach(subscriber -> subscriber.offer(run.id(), event));
      }
    }
    known = found;
  }

  private static String event(String kind, String data) {
    return "event: " + kind + "\ndata: " + data + "\n\n";
  }

  /** Ends the events; threads that write are interrupted by the end of the listener. */
  @Override
  public void close() {
    Thread last;
    synchronized (this) {
      closed = true;
      last = watcher;
    }
    if (last != null) {
      last.interrupt();
    }
  }
}
