package roll.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Somebody who writes bytes, well-formed or not. */
final class RawClient implements AutoCloseable {
  private final Socket socket;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
  }

  /** A request to {@code path} with a body of JSON, as a well-behaved client writes it. */
  static String post(String path, String body) {
    return head(path, body.getBytes(StandardCharsets.UTF_8).length) + body;
  }

  /** The head of a request to {@code path} that announces a body of {@code length} bytes. */
  static String head(String path, int length) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  RawClient write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  RawClient write(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
    return this;
  }

  /** From now on reading gives up after {@code millis}. */
  RawClient patience(int millis) throws IOException {
    socket.setSoTimeout(millis);
    return this;
  }

  /** The status of the next answer; −1 where the server closes instead. */
  int status() throws IOException {
    String line = line();
    return line.startsWith("HTTP/1.") ? Integer.parseInt(line.substring(9, 12)) : -1;
  }

  /** The next line, without its end. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
      line.append((char) one);
    }
    return line.toString().stripTrailing();
  }

  /** Nothing more is written. */
  RawClient end() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** All that the server says until it closes. */
  String rest() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
