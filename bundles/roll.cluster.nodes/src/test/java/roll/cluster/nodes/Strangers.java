package roll.cluster.nodes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Clients that send malformed requests to the port where nodes join. */
final class Strangers {
  private static final List<String> BODIES =
      List.of(
          "",
          "null",
          "[]",
          "{}",
          "{\"version\":\"0.2.0\",\"node\":\"x\",\"secret\":\"AAAAAAAAAAAAAAAAAAAAAA==\",\"request\":\"\"}",
          "{\"version\":1,\"node\":[],\"secret\":{},\"request\":\"!\"}",
          "{\"secret\":\"%%%\"}",
          "{\"secret\":" + "[".repeat(20_000));

  private static final int AT_ONCE = 8;

  private Strangers() {}

  /**
   * Sends random bytes to the port, and over TLS damaged requests, some of them incomplete.
   *
   * @return statuses of the answers, 0 for none
   */
  static List<Integer> knock(int port, int times) throws Exception {
    Random random = new Random(7);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, new TrustManager[] {new Anyone()}, null);
    List<Callable<Integer>> visits = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      boolean tls = i % 2 == 0;
      SocketFactory sockets = tls ? context.getSocketFactory() : SocketFactory.getDefault();
      byte[] sent = tls ? request(random) : bytes(random);
      visits.add(() -> visit(sockets, port, sent));
    }
    List<Integer> statuses = new ArrayList<>();
    List<Socket> silent = new ArrayList<>();
    try (ExecutorService visitors = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < 20; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      for (Future<Integer> status : visitors.invokeAll(visits)) {
        statuses.add(status.get());
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    return statuses;
  }

  private static int visit(SocketFactory sockets, int port, byte[] sent) {
    try (Socket socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(5_000);
      return exchange(socket, sent);
    } catch (IOException e) {
      return 0;
    }
  }

  private static byte[] request(Random random) {
    String body = BODIES.get(random.nextInt(BODIES.size()));
    String path = List.of("/enrol", "/rejoin", "/", "/enrol/../x").get(random.nextInt(4));
    String request =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, body.length(), body);
    byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
    if (random.nextInt(3) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(2000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static int exchange(Socket socket, byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
    if (!(socket instanceof javax.net.ssl.SSLSocket)) {
      socket.shutdownOutput();
    }
    InputStream in = socket.getInputStream();
    String head = new String(in.readNBytes(12), StandardCharsets.ISO_8859_1);
    return head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head.substring(9)) : 0;
  }

  private static final class Anyone implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
