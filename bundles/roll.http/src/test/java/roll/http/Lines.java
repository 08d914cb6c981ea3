package roll.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Somebody who writes what a listener may not like, and reads what it says. */
final class Lines implements AutoCloseable {
  private final Socket socket;

  Lines(HttpListener listener) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort()));
  }

  Lines(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
  }

  Lines write(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** A request without a body. */
  Lines get(String path) throws IOException {
    return write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** The head of a request with a body of {@code length} bytes. */
  Lines post(String path, long length) throws IOException {
    return write(
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, length));
  }

  /** The status of the next answer; −1 where the connection is closed instead. */
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

  /** The next byte. */
  int byteOfBody() throws IOException {
    return socket.getInputStream().read();
  }

  /** All that is said until the connection is closed. */
  String rest() {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
