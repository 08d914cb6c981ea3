package roll.cluster.nodes;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.runtime.nodes.NodeStatus;

/** Messages between a joining node and the first node, in JSON. */
final class EnrolmentMessages {
  static final String ENROL = "/enrol";
  static final String REJOIN = "/rejoin";
  static final String NODES = "/nodes";

  private static final Gson GSON = new Gson();

  private EnrolmentMessages() {}

  /**
   * Request to enrol, to rejoin, or to list the nodes; any field of an untrusted one may be
   * missing.
   *
   * @param version version of roll
   * @param node requested name; to enrol
   * @param secret secret of the token in Base64; to enrol, or to list the nodes without a
   *     certificate
   * @param request certificate request in Base64, to enrol; without TLS a key that identifies the
   *     node
   */
  record Request(
      @Nullable String version,
      @Nullable String node,
      @Nullable String secret,
      @Nullable String request) {}

  /** Answer with the nodes of the run. */
  record NodeList(List<NodeStatus> nodes) {}

  /**
   * Permission to join.
   *
   * @param name name of the run, for users
   * @param run name of the run among members
   * @param members {@code host:port} on which the first node listens for members
   * @param epoch present epoch
   * @param certificate certificate of the node in PEM; empty without TLS, or if the node has one
   * @param authority certificate of the run's authority in PEM; empty likewise
   */
  record Grant(
      String name, String run, String members, long epoch, String certificate, String authority) {}

  /** Answer to a rejected request. */
  record Refusal(@Nullable String error) {}

  static byte[] encode(Object message) {
    return GSON.toJson(message).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Decodes an enrolment message.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static <T> T decode(byte[] bytes, Class<T> type) {
    try {
      T message = GSON.fromJson(new String(bytes, StandardCharsets.UTF_8), type);
      if (message == null) {
        throw new IllegalArgumentException("the message is empty");
      }
      return message;
    } catch (JsonParseException | StackOverflowError e) {
      throw new IllegalArgumentException("the message is malformed", e);
    }
  }
}
