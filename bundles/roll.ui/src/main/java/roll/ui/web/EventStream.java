package roll.ui.web;

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
 * Server-sent events: {@code run} whenever one has changed, {@code services} whenever one came or
 * went. One thread looks for all readers, and only while there are some; each reader has a thread
 * that writes to it, so that one which does not read is in nobody's way. It is cut off.
 *
 * <p>Who connects is told at once of the runs that go on in this process, and of the number of the
 * services; of everything else only when it changes.
 */
public final class EventStream implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");
  private static final String TYPE = "text/event-stream; charset=utf-8";
  private static final String RETRY = "retry: 2000\n\n";
  private static final String NOTHING = ":\n\n";

  private final SeenRun.Source source;
  private final LongSupplier number;
  private final Times times;
  private final List<EventReader> readers = new ArrayList<>();
  private @Nullable Map<String, String> known;
  private @Nullable Thread watcher;
  private @Nullable String complaint;
  private long services = -1;
  private boolean closed;

  /**
   * How often and how long.
   *
   * @param look from one look to the next
   * @param beat after which a comment is sent where there was nothing to say
   * @param patience how long a reader may take for what is written to it
   * @param readers most at once
   */
  public record Times(Duration look, Duration beat, Duration patience, int readers) {
    /** Twice a second; ten seconds; ten seconds; 200. */
    public static Times standard() {
      return new Times(Duration.ofMillis(500), Duration.ofSeconds(10), Duration.ofSeconds(10), 200);
    }
  }

  /**
   * A stream that nobody reads.
   *
   * @param number rises whenever a service comes or goes
   */
  public EventStream(SeenRun.Source source, LongSupplier number, Times times) {
    this.source = source;
    this.number = number;
    this.times = times;
  }

  /**
   * Tells the client of {@code exchange} until it is gone, is cut off, or this is closed.
   *
   * @throws HttpRefusal 429 if there are too many readers
   * @throws IOException if the client is gone, or was cut off
   * @throws InterruptedException if the listener is being closed
   */
  public void serve(Exchange exchange) throws IOException, InterruptedException {
    EventReader reader = new EventReader(Thread.currentThread());
    if (!add(reader)) {
      throw new HttpRefusal(
          429, "this page is open " + times.readers() + " times; close one of them");
    }
    try {
      OutputStream out = exchange.begin(200, TYPE);
      write(out, RETRY);
      while (true) {
        String events = reader.next(times.beat().toMillis());
        write(out, events.isEmpty() ? NOTHING : events);
      }
    } finally {
      remove(reader);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** How many read. */
  public synchronized int readers() {
    return readers.size();
  }

  private synchronized boolean add(EventReader reader) {
    if (closed || readers.size() >= times.readers()) {
      return false;
    }
    readers.add(reader);
    if (watcher == null) {
      watcher = Thread.ofVirtual().name("roll.ui events").start(this::watch);
    }
    return true;
  }

  private synchronized void remove(EventReader reader) {
    readers.remove(reader);
  }

  /** The readers; null when there are none, and the thread that asks is to end. */
  private synchronized @Nullable List<EventReader> watched() {
    if (readers.isEmpty() || closed) {
      watcher = null;
      return null;
    }
    return List.copyOf(readers);
  }

  private void watch() {
    try {
      for (List<EventReader> all = watched(); all != null; all = watched()) {
        try {
          look(all);
          complaint = null;
        } catch (IOException | RuntimeException e) {
          complain(e);
        }
        all.forEach(reader -> reader.cutOff(times.patience().toNanos()));
        Thread.sleep(times.look());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  /** Once, however often it happens. */
  private void complain(Exception e) {
    String line = String.valueOf(e);
    if (!line.equals(complaint)) {
      complaint = line;
      LOG.warn("the page's runs cannot be looked at", e);
    }
  }

  private void look(List<EventReader> all) throws IOException, InterruptedException {
    List<SeenRun> runs = source.runs();
    long now = number.getAsLong();
    List<EventReader> fresh = all.stream().filter(EventReader::fresh).toList();
    List<EventReader> untold = now == services ? fresh : all;
    untold.forEach(reader -> reader.offer("services", event("services", Long.toString(now))));
    services = now;
    Map<String, String> before = known;
    Map<String, String> found = new HashMap<>();
    for (SeenRun run : runs) {
      found.put(run.id(), run.json());
      boolean changed = before != null && !run.json().equals(before.get(run.id()));
      String event = event("run", run.json());
      if (changed) {
        all.forEach(reader -> reader.offer(run.id(), event));
      } else if (run.live()) {
        fresh.forEach(reader -> reader.offer(run.id(), event));
      }
    }
    known = found;
  }

  private static String event(String kind, String data) {
    return "event: " + kind + "\ndata: " + data + "\n\n";
  }

  /** Nobody is told any more; who writes to a reader is interrupted by the listener's end. */
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
