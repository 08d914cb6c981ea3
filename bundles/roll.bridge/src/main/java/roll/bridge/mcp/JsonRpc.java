package roll.bridge.mcp;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

/** Messages of JSON-RPC 2.0. */
final class JsonRpc {
  private static final int SHOWN = 100;
  private static final int NO_METHOD = -32601;

  private JsonRpc() {}

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
   * @throws IllegalArgumentException that says what was written instead
   */
  static JsonObject read(String text) {
    try {
      if (JsonParser.parseString(text) instanceof JsonObject message) {
        return message;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // said below
    }
    throw new IllegalArgumentException(
        "wrote what is no message of JSON-RPC: "
            + (text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text));
  }

  /** The number that is the id of {@code message}; −1 where it has none. */
  static long id(JsonObject message) {
    try {
      return message.get("id") instanceof JsonPrimitive id && id.isNumber() ? id.getAsLong() : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The id of the request that {@code message} answers; −1 where it answers none. */
  static long answered(JsonObject message) {
    return message.has("method") ? -1 : id(message);
  }

  /** Whether {@code message} is a request of the server's own. */
  static boolean asks(JsonObject message) {
    return message.has("method") && message.has("id");
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
