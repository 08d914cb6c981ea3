package roll.env.remote.mcp;

import com.google.gson.JsonObject;
import java.time.Duration;
import roll.bridge.PeerDialogue;
import roll.bridge.PeerException;

/** The transport stdio: a program, and a message a line. */
final class McpLines implements McpWire {
  private final PeerDialogue program;

  /** With {@code program}, which it owns. */
  McpLines(PeerDialogue program) {
    this.program = program;
  }

  @Override
  public String shown() {
    return program.shown();
  }

  @Override
  public JsonObject ask(JsonObject request, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    program.tell(request.toString(), patience);
    while (true) {
      Duration left = Duration.ofNanos(until - System.nanoTime());
      if (left.isNegative()) { // it may talk about something else without an end
        throw PeerException.ended(
            "%s has not answered for %s s".formatted(shown(), patience.toMillis() / 1e3));
      }
      JsonObject message = RpcMessages.read(shown(), program.next(left));
      if (RpcMessages.answers(message, request)) {
        return message;
      }
      if (message.has("method") && message.has("id")) {
        program.tell(RpcMessages.reply(message).toString(), patience);
      }
    }
  }

  @Override
  public void tell(JsonObject notification, Duration patience) {
    program.tell(notification.toString(), patience);
  }

  @Override
  public void close() {
    program.close();
  }
}
