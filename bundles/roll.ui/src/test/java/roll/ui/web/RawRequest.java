package roll.ui.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Bytes that are sent to a server, well-formed or not, and what it says until it closes. */
public final class RawRequest {
  private RawRequest() {}

  /**
   * Sends {@code bytes} and reads to the end.
   *
   * @param cut whether the connection is closed without reading
   * @return what was said; empty where the connection was cut by either side
   */
  public static String said(int port, byte[] bytes, boolean cut) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes);
      if (cut) {
        return "";
      }
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException e) {
      return ""; // closed before all was written
    }
  }
}
