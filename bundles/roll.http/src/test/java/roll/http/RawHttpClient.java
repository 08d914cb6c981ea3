package roll.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that writes raw lines, valid HTTP or not, and reads the answers. */
final class RawHttpClient implements AutoCloseable {
  private final Socket socket;

  RawHttpClient(HttpListener listener) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort()));
  }

  RawHttpClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
  }

  RawHttpClient write(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** Sends a request without a body. */
  RawHttpClient get(String path) throws IOException {
    return write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** Sends the head of a request with a body of {@code length} bytes. */
  RawHttpClient post(String path, long length) throws IOException {
    return write(
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, length));
  }

  /** Returns the status of the next answer; −1 if the connection is closed instead. */
  int status() throws IOException {
    String line = line();
    return line.startsWith("HTTP/1.") ? Integer.parseInt(line.substring(9, 12)) : -1;
  }

  /** Returns the next line, without its end. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
      line.append((char) one);
    }
    return line.toString().stripTrailing();
  }

  /** Returns the next byte. */
  int byteOfBody() throws IOException {
    return socket.getInputStream().read();
  }

  /** Returns everything sent until the connection is closed. */
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
