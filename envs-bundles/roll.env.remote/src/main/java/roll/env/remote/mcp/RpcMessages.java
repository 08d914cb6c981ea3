package roll.env.remote.mcp;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import roll.bridge.PeerException;

/** Messages of JSON-RPC 2.0. */
final class RpcMessages {
  private static final int SHOWN = 100;
  private static final int NO_METHOD = -32601;

  private RpcMessages() {}

  /** A message of {@code method}, a notification as long as it has no id. */
  static JsonObject of(String method, JsonObject params) {
    JsonObject message = new JsonObject();
    message.addProperty("jsonrpc", "2.0");
    message.addProperty("method", method);
    message.add("params", params);
    return message;
  }

  /**
   * The message that {@code text} is.
   *
   * @throws PeerException if it is none
   */
  static JsonObject read(String shown, String text) {
    try {
      if (JsonParser.parseString(text) instanceof JsonObject message) {
        return message;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // said below
    }
    throw PeerException.refused(
        "%s wrote what is no message of JSON-RPC: %s"
            .formatted(shown, text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text));
  }

  /** Whether {@code message} is the answer to {@code request}. */
  static boolean answers(JsonObject message, JsonObject request) {
    return !message.has("method") && request.get("id").equals(message.get("id"));
  }

  /** What a server's own request is answered: that we are here, and can do nothing. */
  static JsonObject reply(JsonObject request) {
    JsonObject reply = new JsonObject();
    reply.addProperty("jsonrpc", "2.0");
    reply.add("id", request.get("id"));
    JsonElement method = request.get("method");
    if (method.isJsonPrimitive() && method.getAsString().equals("ping")) {
      reply.add("result", new JsonObject());
    } else {
      JsonObject error = new JsonObject();
      error.addProperty("code", NO_METHOD);
      error.addProperty("message", "not here");
      reply.add("error", error);
    }
    return reply;
  }
}
