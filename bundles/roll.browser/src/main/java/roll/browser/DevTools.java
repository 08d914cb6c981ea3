package roll.browser;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import roll.api.plugin.OneShotTask;

/**
 * A browser process and its Chrome DevTools Protocol over two pipes: no port is opened, and the
 * browser ends with its pipes, even if this Java process is killed.
 *
 * <p>Two threads read and write the pipes; callers wait for answers, never for a pipe.
 */
public final class DevTools implements AutoCloseable {
  /** The protocol uses descriptors 3 and 4, which Java cannot pass to a child itself. */
  private static final List<String> PIPED =
      List.of("/bin/sh", "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >&2");

  private static final long LEAVE_SECONDS = 5;

  private final Process process;
  private final Duration limit;
  private final AtomicInteger number = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
  private final Map<String, BiConsumer<String, JsonObject>> listeners = new ConcurrentHashMap<>();
  private final BlockingQueue<JsonObject> outgoing = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean over;

  private DevTools(Process process, Duration limit) {
    this.process = process;
    this.limit = limit;
    writer =
        Thread.ofPlatform()
            .daemon()
            .name("roll-browser-write")
            .unstarted(new OneShotTask(this::write));
  }

  /**
   * Starts a browser and connects to its DevTools Protocol.
   *
   * @param command program and arguments, including {@code --remote-debugging-pipe}
   * @param log file of its messages
   * @param limit for a call
   * @throws IOException if it cannot be started
   */
  public static DevTools start(List<String> command, Path log, Duration limit) throws IOException {
    List<String> piped = new ArrayList<>(PIPED);
    piped.addAll(command);
    DevTools tools =
        new DevTools(new ProcessBuilder(piped).redirectError(log.toFile()).start(), limit);
    tools.writer.start();
    Thread.ofPlatform().daemon().name("roll-browser-read").start(new OneShotTask(tools::read));
    return tools;
  }

  /** Returns whether the browser is running. */
  public boolean alive() {
    return !over;
  }

  /** Removes the event listener of the tab {@code session}. */
  public void forget(String session) {
    listeners.remove(session);
  }

  /** Calls {@code listener} with method and parameters of every event of {@code session}. */
  public void listen(String session, BiConsumer<String, JsonObject> listener) {
    listeners.put(session, listener);
  }

  /**
   * Calls a method and returns its result.
   *
   * @param session of a tab; empty for the browser itself
   * @throws BrowserException if it is refused, exceeds the limit or the browser has ended
   */
  public JsonObject call(String session, String method, JsonObject parameters) {
    return result(method, send(session, method, parameters));
  }

  /**
   * Waits for {@code answer}, within the limit.
   *
   * @param what begins the message of a failure
   * @throws BrowserException if it fails or exceeds the limit
   */
  public <T> T result(String what, CompletableFuture<T> answer) {
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BrowserException(what + " took more than " + limit.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new BrowserException(what + ": " + why.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrowserException(what + " was interrupted", e);
    }
  }

  private CompletableFuture<JsonObject> send(String session, String method, JsonObject parameters) {
    int id = number.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    if (over) {
      answer.completeExceptionally(new IOException("the browser has ended"));
    }
    post(id, session, method, parameters);
    return answer;
  }

  /** Calls a method without waiting for its result. */
  public void tell(String session, String method, JsonObject parameters) {
    post(number.incrementAndGet(), session, method, parameters);
  }

  private void post(int id, String session, String method, JsonObject parameters) {
    JsonObject message = new JsonObject();
    message.addProperty("id", id);
    message.addProperty("method", method);
    message.add("params", parameters);
    if (!session.isEmpty()) {
      message.addProperty("sessionId", session);
    }
    outgoing.add(message);
  }

  private void write() {
    try (OutputStream pipe = process.getOutputStream()) {
      while (alive()) {
        pipe.write((outgoing.take() + "\0").getBytes(StandardCharsets.UTF_8));
        pipe.flush();
      }
    } catch (IOException e) {
      end(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (InputStream pipe = new BufferedInputStream(process.getInputStream(), 1 << 16)) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      for (int next = pipe.read(); next >= 0; next = pipe.read()) {
        if (next != 0) {
          message.write(next);
        } else {
          receive(
              JsonParser.parseString(message.toString(StandardCharsets.UTF_8)).getAsJsonObject());
          message.reset();
        }
      }
      end(new IOException("the browser has ended"));
    } catch (IOException | RuntimeException e) {
      end(e);
    }
  }

  private void receive(JsonObject message) {
    if (!message.has("id")) {
      String session = message.has("sessionId") ? message.get("sessionId").getAsString() : "";
      BiConsumer<String, JsonObject> listener = listeners.get(session);
      if (listener != null) {
        listener.accept(message.get("method").getAsString(), message.getAsJsonObject("params"));
      }
      return;
    }
    CompletableFuture<JsonObject> answer = waiting.remove(message.get("id").getAsInt());
    if (answer != null && message.has("error")) {
      String why = message.getAsJsonObject("error").get("message").getAsString();
      answer.completeExceptionally(new IOException(why));
    } else if (answer != null) {
      answer.complete(message.getAsJsonObject("result"));
    }
  }

  private void end(Exception why) {
    over = true;
    waiting.values().forEach(answer -> answer.completeExceptionally(why));
    writer.interrupt();
  }

  /** Ends the browser and its threads. */
  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    end(new IOException("the browser was closed"));
    try {
      process.getOutputStream().close();
      if (!process.waitFor(LEAVE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
