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
 * Connection to a program of its own, with a text per line, or to a WebSocket, with a text per
 * message. Only one thread at a time may read; all other methods are thread-safe.
 */
public final class PeerConnection implements AutoCloseable {
  /** Maximum number of characters received and not yet read. */
  private static final long MAX_UNREAD = 64L << 20;

  private static final Duration GOODBYE = Duration.ofSeconds(1);

  /** Maximum time until the exit of a program is known after it has closed its input. */
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
    transport.open(new Receiver());
  }

  /** Name of the peer for messages. */
  public String shown() {
    return shown;
  }

  /** Returns the oldest received text, if there is one, without waiting. */
  public synchronized Optional<String> heard() {
    return Optional.ofNullable(take());
  }

  private @Nullable String take() {
    String next = said.poll();
    waiting -= next == null ? 0 : next.length();
    return next;
  }

  /**
   * Sends {@code text}, which has one line, to the program.
   *
   * @param patience maximum time for sending
   * @throws PeerException if the peer has ended, or accepts no input
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
      // the peer may have sent the reason before it ended
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while writing to " + shown);
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
      waitForEnd(EXIT); // a program that accepts no input has usually exited
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
      // the caller reports it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the next text received from the peer.
   *
   * @param patience maximum time to wait
   * @throws PeerException if the peer has ended, or the time is over
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

  /**
   * Ends the connection because of {@code why}; returns the failure, which is an earlier one if it
   * had ended.
   */
  public PeerException end(String why) {
    lost(why);
    return PeerException.ended(ended.join());
  }

  /** Ends the connection; only the first reason is used. */
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

  /** Receives the texts of the program. */
  private final class Receiver implements Transport.Listener {
    @Override
    public void line(String line) {
      if (line.isBlank()) {
        return;
      }
      synchronized (PeerConnection.this) {
        waiting += line.length();
        if (waiting <= MAX_UNREAD) {
          said.add(line);
          PeerConnection.this.notifyAll();
          return;
        }
      }
      lost("sent more text than the limit of unread text");
    }

    @Override
    public void ended(String why) {
      lost(why);
    }
  }

  /** Closes the input of the peer, which has a second to end by itself. */
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

  /** Ends the connection or program immediately. */
  void abort() {
    lost("is no longer used");
    end.accept(this);
  }
}
