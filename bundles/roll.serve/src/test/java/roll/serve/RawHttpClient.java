package roll.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that writes raw bytes, valid HTTP or not. */
final class RawHttpClient implements AutoCloseable {
  private final Socket socket;

  RawHttpClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
  }

  /** Returns a well-formed request to {@code path} with a JSON body. */
  static String post(String path, String body) {
    return head(path, body.getBytes(StandardCharsets.UTF_8).length) + body;
  }

  /** Returns the head of a request to {@code path} with a body of {@code length} bytes. */
  static String head(String path, int length) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  RawHttpClient write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  RawHttpClient write(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Sets the timeout of reads to {@code millis}. */
  RawHttpClient patience(int millis) throws IOException {
    socket.setSoTimeout(millis);
    return this;
  }

  /** Returns the status of the next answer; −1 if the server closes the connection instead. */
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

  /** Ends the output. */
  RawHttpClient end() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Returns everything that the server sends until it closes the connection. */
  String rest() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
