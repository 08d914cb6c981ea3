package roll.ui.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Sends bytes to a server, valid or not, and reads its answer. */
public final class RawRequest {
  private RawRequest() {}

  /**
   * Sends {@code bytes} and reads to the end.
   *
   * @param cut whether the connection is closed after the bytes
   * @return the answer; empty if the connection was cut
   */
  public static String answer(int port, byte[] bytes, boolean cut) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes);
      if (cut) {
        return "";
      }
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException e) {
      return ""; // closed before the end of the write
    }
  }
}
