package roll.bridge;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.OneShotTask;

/**
 * A running program or a connection that answers requests. Any number of threads can send requests
 * concurrently; those that arrive while others are being answered are sent together, in one line.
 *
 * <p>A peer is ended when it violates the protocol, or answers no request for the timeout, which
 * each caller measures itself.
 */
final class Peer implements AutoCloseable {
  /** Maximum number of requests per line, so that the first answers do not wait for all. */
  private static final int MAX_BATCH = 256;

  private static final Duration GOODBYE = Duration.ofSeconds(1);

  /** Maximum time until the exit of a program is known after it has closed its input. */
  private static final Duration EXIT = Duration.ofSeconds(5);

  private final PeerEndpoint place;
  private final Transport transport;
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final Map<Long, CompletableFuture<JsonObject>> due = new HashMap<>();
  private List<Request> waiting = new ArrayList<>();
  private long ids;
  private volatile long heard = System.nanoTime();

  private record Request(long id, JsonObject asked, CompletableFuture<JsonObject> answer) {}

  private Peer(PeerEndpoint place, Transport transport) {
    this.place = place;
    this.transport = transport;
  }

  /**
   * Connects to a new peer.
   *
   * @throws IOException if it cannot be started or reached
   */
  static Peer connect(PeerEndpoint place) throws IOException, InterruptedException {
    Peer peer = new Peer(place, place.connect());
    peer.transport.open(peer.new Receiver());
    Thread.ofPlatform()
        .daemon()
        .name(place.shown() + " requests")
        .start(new OneShotTask(peer::sendAll));
    return peer;
  }

  /** Whether the peer has not ended. */
  boolean alive() {
    return !ended.isDone();
  }

  /**
   * Returns the answer to {@code request}, to which an id is added.
   *
   * @param patience maximum time without any answer while some are due
   * @throws PeerException if there is no answer, or the peer refuses the request
   */
  JsonObject ask(JsonObject request, Duration patience) throws InterruptedException {
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    synchronized (this) {
      if (ended.isDone()) {
        throw PeerException.beside(ended.join());
      }
      request.addProperty("id", ++ids);
      waiting.add(new Request(ids, request, answer));
      notifyAll();
    }
    JsonObject given = await(answer, patience);
    JsonElement error = given.get("error");
    if (error != null && !error.isJsonNull()) {
      throw PeerException.refused(place.shown() + ": " + text(error));
    }
    return given;
  }

  /** Sends {@code request} without waiting for the answer. */
  synchronized void tell(JsonObject request) {
    if (!ended.isDone()) {
      request.addProperty("id", ++ids);
      waiting.add(new Request(ids, request, new CompletableFuture<>()));
      notifyAll();
    }
  }

  private JsonObject await(CompletableFuture<JsonObject> answer, Duration patience)
      throws InterruptedException {
    long asked = System.nanoTime();
    while (true) {
      long quiet = System.nanoTime() - (heard - asked > 0 ? heard : asked);
      long left = patience.toNanos() - quiet;
      if (left <= 0) {
        end("has not answered for " + patience.toMillis() / 1e3 + " s");
      }
      try {
        return answer.get(Math.max(left, 1), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        // it may have answered other requests meanwhile
      } catch (ExecutionException e) {
        throw e.getCause() instanceof PeerException lost ? lost : PeerException.ended(ended.join());
      }
    }
  }

  private static String text(JsonElement error) {
    return error.isJsonPrimitive() ? error.getAsString() : error.toString();
  }

  /** Sends waiting requests whenever all requests sent before are answered. */
  private void sendAll() {
    try {
      for (List<JsonObject> next = next(); !next.isEmpty(); next = next()) {
        transport.send(AnswerLines.line(next));
      }
    } catch (IOException e) {
      endSoon("takes no requests: " + e.getMessage());
    } catch (InterruptedException e) {
      end("was interrupted");
    }
  }

  private synchronized List<JsonObject> next() throws InterruptedException {
    while (!ended.isDone() && (!due.isEmpty() || waiting.isEmpty())) {
      wait();
    }
    if (ended.isDone()) {
      return List.of();
    }
    List<Request> next = waiting.subList(0, Math.min(MAX_BATCH, waiting.size()));
    waiting = new ArrayList<>(waiting.subList(next.size(), waiting.size()));
    next.forEach(request -> due.put(request.id(), request.answer()));
    return next.stream().map(Request::asked).toList();
  }

  /**
   * Ends the peer; a program that accepts no input has usually exited, so its exit is awaited
   * first.
   */
  private void endSoon(String why) {
    waitForEnd(EXIT);
    end(why);
  }

  private void waitForEnd(Duration most) {
    try {
      String _ = ended.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // the caller ends it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Receives the answers of the peer. */
  private final class Receiver implements Transport.Listener {
    @Override
    public void line(String line) {
      line.lines().filter(one -> !one.isBlank()).forEach(this::answers);
    }

    private void answers(String line) {
      try {
        List<JsonObject> answers = AnswerLines.of(line);
        heard = System.nanoTime();
        for (JsonObject answer : answers) {
          if (!answered(answer)) {
            end("answered an unknown request: id " + AnswerLines.id(answer));
            return;
          }
        }
      } catch (IllegalArgumentException e) {
        end(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void ended(String why) {
      end(why);
    }
  }

  private boolean answered(JsonObject answer) {
    CompletableFuture<JsonObject> asked;
    synchronized (this) {
      asked = due.remove(AnswerLines.id(answer));
      if (asked == null) {
        return ended.isDone();
      }
      if (due.isEmpty()) {
        notifyAll();
      }
    }
    asked.complete(answer);
    return true;
  }

  /** Ends the peer; only the first reason is used. */
  private void end(String why) {
    String words = transport.lastWords();
    String message =
        place.shown() + " " + why + (words.isEmpty() ? "" : "; its last words: " + words);
    @Nullable CompletableFuture<JsonObject> first;
    List<CompletableFuture<JsonObject>> lost = new ArrayList<>();
    synchronized (this) {
      if (!ended.complete(PeerException.oneLine(message))) {
        return;
      }
      first = due.isEmpty() ? null : due.remove(Collections.min(due.keySet()));
      lost.addAll(due.values());
      waiting.forEach(request -> lost.add(request.answer()));
      due.clear();
      waiting = new ArrayList<>();
      notifyAll();
    }
    transport.close();
    if (first != null) {
      first.completeExceptionally(PeerException.ended(message));
    }
    lost.forEach(answer -> answer.completeExceptionally(PeerException.beside(message)));
  }

  /** Closes the input of an idle peer, and ends it if it does not end by itself. */
  @Override
  public void close() {
    boolean idle;
    synchronized (this) {
      idle = due.isEmpty() && waiting.isEmpty() && !ended.isDone();
    }
    if (idle) {
      transport.finish();
      waitForEnd(GOODBYE);
    }
    end("is no longer used");
  }

  /** Returns the peer's name, or how it ended. */
  @Override
  public String toString() {
    @Nullable String why = ended.getNow(null);
    return why == null ? place.shown() : why;
  }
}
