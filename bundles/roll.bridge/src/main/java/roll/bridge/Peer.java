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
 * A running program or a connection that answers requests, from its start to its end. Any number of
 * threads ask at once: what is asked while others are being answered goes out together, in one
 * line.
 *
 * <p>It is ended when it breaks the protocol, and when it gives no answer at all for as long as an
 * answer may take; each asker looks at the clock itself.
 */
final class Peer implements AutoCloseable {
  /** So that a line is no burden, and its first answers need not wait for all. */
  private static final int MOST_AT_ONCE = 256;

  private static final Duration GOODBYE = Duration.ofSeconds(1);

  /** How it ended is told a while after its input was closed. */
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
   * A new one.
   *
   * @throws IOException if it cannot be started or reached
   */
  static Peer connect(PeerEndpoint place) throws IOException, InterruptedException {
    Peer peer = new Peer(place, place.connect());
    peer.transport.open(peer.new Heard());
    Thread.ofPlatform()
        .daemon()
        .name(place.shown() + " requests")
        .start(new OneShotTask(peer::sendAll));
    return peer;
  }

  /** Whether it has not ended. */
  boolean alive() {
    return !ended.isDone();
  }

  /**
   * The answer to {@code request}, which is given an id.
   *
   * @param patience how long the peer may be without any answer while some are due
   * @throws PeerException if there is none, or the peer refuses the request
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

  /** Sends {@code request}; nobody waits for the answer. */
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
        // it may have answered others meanwhile
      } catch (ExecutionException e) {
        throw e.getCause() instanceof PeerException lost ? lost : PeerException.ended(ended.join());
      }
    }
  }

  private static String text(JsonElement error) {
    return error.isJsonPrimitive() ? error.getAsString() : error.toString();
  }

  /** Sends what waits, again when all that was sent before is answered. */
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
    List<Request> next = waiting.subList(0, Math.min(MOST_AT_ONCE, waiting.size()));
    waiting = new ArrayList<>(waiting.subList(next.size(), waiting.size()));
    next.forEach(request -> due.put(request.id(), request.answer()));
    return next.stream().map(Request::asked).toList();
  }

  /** A program that takes nothing has mostly ended, and how is about to be told. */
  private void endSoon(String why) {
    waitForEnd(EXIT);
    end(why);
  }

  private void waitForEnd(Duration most) {
    try {
      String _ = ended.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // who waited ends it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What comes from the other side. */
  private final class Heard implements Transport.Listener {
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
            end("answered what nobody asked: id " + AnswerLines.id(answer));
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

  /** The first reason counts. */
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

  /** Lets it end by itself where nothing is due, and ends it otherwise. */
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

  /** Where it is, with the state that is worth telling. */
  @Override
  public String toString() {
    @Nullable String why = ended.getNow(null);
    return why == null ? place.shown() : why;
  }
}
