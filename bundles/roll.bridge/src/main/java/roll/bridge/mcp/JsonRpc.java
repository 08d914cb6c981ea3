package roll.bridge.mcp;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

/** Encodes and decodes JSON-RPC 2.0 messages. */
final class JsonRpc {
  private static final int SHOWN = 100;
  private static final int NO_METHOD = -32601;

  private JsonRpc() {}

  /** Creates a call of {@code method}, which is a notification unless an id is added. */
  static JsonObject of(String method, JsonObject params) {
    JsonObject message = new JsonObject();
    message.addProperty("jsonrpc", "2.0");
    message.addProperty("method", method);
    message.add("params", params);
    return message;
  }

  /**
   * Parses a message.
   *
   * @throws IllegalArgumentException if it is malformed; the message shows it
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
        "wrote an invalid JSON-RPC message: "
            + (text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text));
  }

  /** Returns the numeric id of {@code message}; −1 if it has none. */
  static long id(JsonObject message) {
    try {
      return message.get("id") instanceof JsonPrimitive id && id.isNumber() ? id.getAsLong() : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Returns the id of the request that {@code message} answers; −1 if it is no answer. */
  static long answered(JsonObject message) {
    return message.has("method") ? -1 : id(message);
  }

  /** Whether {@code message} is a request of the server. */
  static boolean asks(JsonObject message) {
    return message.has("method") && message.has("id");
  }

  /** Returns the answer to a request of the server: a ping is answered, others are refused. */
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
