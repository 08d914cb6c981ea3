package roll.cluster.nodes;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.runtime.nodes.NodeStatus;

/** What is said between a node that wants to join and the first one, as JSON. */
final class Wording {
  static final String ENROL = "/enrol";
  static final String REJOIN = "/rejoin";
  static final String NODES = "/nodes";

  private static final Gson GSON = new Gson();

  private Wording() {}

  /**
   * Asks to be enrolled; what strangers send may lack anything.
   *
   * @param version of roll
   * @param node the name that it wants
   * @param secret of the token, in Base64
   * @param request for a certificate, in Base64; in the clear a key by which the node is known
   *     again
   */
  record Ask(
      @Nullable String version,
      @Nullable String node,
      @Nullable String secret,
      @Nullable String request) {}

  /**
   * Asks to join again; the certificate of the connection says who.
   *
   * @param version of roll
   */
  record Again(@Nullable String version) {}

  /**
   * Asks which nodes there are; by its certificate or by the secret, as who asks has.
   *
   * @param version of roll
   * @param secret of the token, in Base64
   */
  record Look(@Nullable String version, @Nullable String secret) {}

  /** The nodes that there are. */
  record Seen(List<NodeStatus> nodes) {}

  /**
   * Lets a node join.
   *
   * @param name of the run, for people
   * @param run that members name
   * @param members where the first one listens: {@code host:port}
   * @param epoch the present one
   * @param certificate of the node, in PEM; empty in the clear, or where it has one
   * @param authority the certificate of the run's authority, in PEM; empty likewise
   */
  record Grant(
      String name, String run, String members, long epoch, String certificate, String authority) {}

  /** Refuses a node. */
  record Refusal(@Nullable String error) {}

  static byte[] bytes(Object said) {
    return GSON.toJson(said).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What was said.
   *
   * @throws IllegalArgumentException if it is not of this kind
   */
  static <T> T read(byte[] bytes, Class<T> kind) {
    try {
      T said = GSON.fromJson(new String(bytes, StandardCharsets.UTF_8), kind);
      if (said == null) {
        throw new IllegalArgumentException("nothing was said");
      }
      return said;
    } catch (JsonParseException | StackOverflowError e) {
      throw new IllegalArgumentException("not JSON of this kind", e);
    }
  }
}
