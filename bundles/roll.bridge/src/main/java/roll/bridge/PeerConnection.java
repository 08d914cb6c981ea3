package roll.bridge;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.OneShotTask;

/**
 * Texts there and back with a program, line by line, or over a WebSocket, message by message, for
 * whoever opened it alone. What the texts mean is not known here. Read by one thread at a time; the
 * rest is for any number of them.
 */
public final class PeerConnection implements AutoCloseable {
  /** Of texts that came and were not read; nobody says so much unasked. */
  private static final long MOST_WAITING = 64L << 20;

  private static final Duration GOODBYE = Duration.ofSeconds(1);

  /** How it ended is told a while after its input was closed. */
  private static final Duration EXIT = Duration.ofSeconds(5);

  private final String shown;
  private final Transport transport;
  private final Consumer<PeerConnection> end;
  private final ArrayDeque<String> said = new ArrayDeque<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ReentrantLock sending = new ReentrantLock();
  private long waiting;

  PeerConnection(String shown, Transport transport, Consumer<PeerConnection> end) {
    this.shown = shown;
    this.transport = transport;
    this.end = end;
    transport.open(new Heard());
  }

  /** The other side, for messages. */
  public String shown() {
    return shown;
  }

  /** What came already, the oldest of it; empty where nothing did. */
  public synchronized Optional<String> heard() {
    return Optional.ofNullable(take());
  }

  private @Nullable String take() {
    String next = said.poll();
    waiting -= next == null ? 0 : next.length();
    return next;
  }

  /**
   * Sends {@code text}, in one line.
   *
   * @param patience how long the other side may take nothing
   * @throws PeerException if the other side has gone, or takes nothing
   */
  public void tell(String text, Duration patience) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    Thread sender =
        Thread.ofVirtual().name("roll.bridge").start(new OneShotTask(() -> send(text, sent)));
    try {
      CompletableFuture.anyOf(sent, ended).get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      lost("has taken nothing for " + patience.toMillis() / 1e3 + " s");
    } catch (ExecutionException e) {
      // the other side may have said why, before it went
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + shown + " was told");
    } finally {
      sender.interrupt();
    }
  }

  private void send(String text, CompletableFuture<Void> sent) {
    try {
      sending.lockInterruptibly();
      try {
        transport.send(text);
      } finally {
        sending.unlock();
      }
      sent.complete(null);
    } catch (IOException e) {
      waitForEnd(
          EXIT); // a program that takes nothing has mostly ended, and how is about to be told
      lost("takes nothing: " + e.getMessage());
      sent.completeExceptionally(e);
    } catch (InterruptedException e) {
      sent.completeExceptionally(e);
    }
  }

  private void waitForEnd(Duration most) {
    try {
      ended.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // who waited says so
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The next text that comes, or that came.
   *
   * @param patience how long it may take
   * @throws PeerException if none comes
   */
  public String next(Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    synchronized (this) {
      try {
        while (said.isEmpty() && !ended.isDone()) {
          long left = until - System.nanoTime();
          if (left <= 0) {
            lost("has not answered for " + patience.toMillis() / 1e3 + " s");
          } else {
            TimeUnit.NANOSECONDS.timedWait(this, left);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw PeerException.ended("interrupted while " + shown + " was asked");
      }
      String next = take();
      if (next != null) {
        return next;
      }
    }
    throw PeerException.ended(ended.join());
  }

  /** Ends it at once because of {@code why}; what ended it, if that was something else before. */
  public PeerException end(String why) {
    lost(why);
    return PeerException.ended(ended.join());
  }

  /** The first reason counts. */
  private void lost(String why) {
    String words = transport.lastWords();
    String message = shown + " " + why + (words.isEmpty() ? "" : "; its last words: " + words);
    if (ended.complete(PeerException.oneLine(message))) {
      synchronized (this) {
        notifyAll();
      }
      transport.close();
    }
  }

  /** What comes from the other side. */
  private final class Heard implements Transport.Listener {
    @Override
    public void line(String line) {
      if (line.isBlank()) {
        return;
      }
      synchronized (PeerConnection.this) {
        waiting += line.length();
        if (waiting <= MOST_WAITING) {
          said.add(line);
          PeerConnection.this.notifyAll();
          return;
        }
      }
      lost("says more than anybody asked");
    }

    @Override
    public void ended(String why) {
      lost(why);
    }
  }

  /** Says that nothing more comes: the other side has a second to end by itself. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      transport.finish();
      Thread _ =
          Thread.ofVirtual()
              .name("roll.bridge")
              .start(
                  new OneShotTask(
                      () -> {
                        waitForEnd(GOODBYE);
                        abort();
                      }));
    }
  }

  /** Ends the connection, or the program, at once. */
  void abort() {
    lost("is no longer used");
    end.accept(this);
  }
}
