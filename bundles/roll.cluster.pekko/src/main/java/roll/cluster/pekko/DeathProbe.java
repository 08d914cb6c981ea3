package roll.cluster.pekko;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import roll.cluster.Member;

/**
 * Whether the process of a member that does not answer has ended: then its machine refuses
 * connections to its port at once. A machine that is off, or behind a wire that is cut, says
 * nothing, nor does a process that was stopped.
 */
final class DeathProbe {
  private static final int PATIENCE = 500;

  private DeathProbe() {}

  static boolean dead(Member member) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(member.host(), member.port()), PATIENCE);
      return false;
    } catch (ConnectException e) {
      return "Connection refused".equals(e.getMessage());
    } catch (IOException e) {
      return false;
    }
  }
}
