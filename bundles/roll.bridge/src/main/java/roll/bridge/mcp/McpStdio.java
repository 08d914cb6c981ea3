package roll.bridge.mcp;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import roll.api.plugin.OneShotTask;
import roll.bridge.PeerConnection;
import roll.bridge.PeerException;

/** The transport stdio: a program, and a message a line. AnswerLines come in any order. */
final class McpStdio implements McpTransport {
  private static final Duration ALWAYS = Duration.ofDays(10_000);

  private final PeerConnection program;
  private final Duration patience;
  private final Map<Long, CompletableFuture<JsonObject>> due = new ConcurrentHashMap<>();
  private final CompletableFuture<PeerException> ended = new CompletableFuture<>();

  /** Creates a transport that owns {@code program}, with a timeout for replies to its requests. */
  McpStdio(PeerConnection program, Duration patience) {
    this.program = program;
    this.patience = patience;
    Thread _ = Thread.ofVirtual().name("roll.bridge").start(new OneShotTask(this::read));
  }

  @Override
  public String shown() {
    return program.shown();
  }

  @Override
  public void agreed(String version) {
    // messages are the same in all versions
  }

  private void read() {
    try {
      while (true) {
        JsonObject message = JsonRpc.read(program.next(ALWAYS));
        CompletableFuture<JsonObject> asked = due.get(JsonRpc.answered(message));
        if (asked != null) {
          asked.complete(message);
        } else if (JsonRpc.asks(message)) {
          program.tell(JsonRpc.reply(message).toString(), patience);
        }
      }
    } catch (PeerException e) {
      ended.complete(e);
    } catch (IllegalArgumentException e) {
      ended.complete(end(String.valueOf(e.getMessage())));
    }
    due.values().forEach(asked -> asked.completeExceptionally(ended.join()));
  }

  @Override
  public Future<JsonObject> send(JsonObject message, Duration time) {
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    long id = JsonRpc.id(message);
    due.put(id, answer);
    CompletableFuture<JsonObject> _ = answer.whenComplete((_, _) -> due.remove(id, answer));
    if (ended.isDone()) {
      answer.completeExceptionally(ended.join());
    } else {
      program.tell(message.toString(), time);
      if (id < 0) {
        answer.complete(message);
      }
    }
    return answer;
  }

  @Override
  public PeerException end(String why) {
    return program.end(why);
  }

  @Override
  public void close() {
    program.close();
  }
}
